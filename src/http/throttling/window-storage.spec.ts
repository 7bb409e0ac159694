import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { slidingWindow, WindowStorage } from './window-storage.js';

const MINUTE = 60_000;
/** The start of a window. */
const START = Math.floor(Date.UTC(2026, 10, 21, 12) / MINUTE) * MINUTE;

beforeEach(() => {
  jest.useFakeTimers({ now: START, advanceTimers: false });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('slidingWindow', () => {
  it.each([
    ['the first request', { current: 0, previous: 0 }, 3, 0, { totalHits: 1, timeToExpire: 60, isBlocked: false }],
    ['the last that fits', { current: 2, previous: 0 }, 3, 0.5, { totalHits: 3, timeToExpire: 30, isBlocked: false }],
    ['one too many', { current: 3, previous: 0 }, 3, 0.5, { isBlocked: true, timeToBlockExpire: 50 }],
    ['a full window before', { current: 0, previous: 4 }, 4, 0, { isBlocked: true, timeToBlockExpire: 15 }],
    ['a third of it gone', { current: 0, previous: 3 }, 3, 0.34, { totalHits: 3, isBlocked: false }],
    ['a quota of one', { current: 1, previous: 0 }, 1, 0.5, { isBlocked: true, timeToBlockExpire: 90 }],
    ['the very end', { current: 3, previous: 0 }, 3, 0.9999, { isBlocked: true, timeToBlockExpire: 21 }],
  ])('counts %s', (_what, cell, quota, elapsed, expected) => {
    expect(slidingWindow(cell, quota, MINUTE, elapsed)).toMatchObject(expected);
  });

  it('names a wait of whole seconds, at least one, and never longer than two windows', () => {
    const count = fc.nat(50);
    const elapsed = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(count, count, fc.integer({ min: 1, max: 50 }), elapsed, (current, previous, quota, share) => {
        fc.pre(current <= quota && previous <= quota);
        const { isBlocked, timeToBlockExpire, timeToExpire } = slidingWindow(
          { current, previous },
          quota,
          MINUTE,
          share,
        );
        const seconds = isBlocked ? timeToBlockExpire : timeToExpire;
        return Number.isInteger(seconds) && seconds >= 1 && seconds <= 120;
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('WindowStorage', () => {
  const send = async (storage: WindowStorage, key = 'a', quota = 3): Promise<boolean> =>
    !(await storage.increment(key, MINUTE, quota)).isBlocked;

  it('accepts the quota and no more, for each subject separately', async () => {
    const storage = new WindowStorage();
    const results = [];
    for (let times = 0; times < 5; times++) results.push(await send(storage));
    expect(results).toEqual([true, true, true, false, false]);
    expect(await send(storage, 'b')).toBe(true);
  });

  it('limits requests around the end of a window to the quota', async () => {
    const storage = new WindowStorage();
    jest.setSystemTime(START + MINUTE - 1);
    for (let times = 0; times < 3; times++) expect(await send(storage)).toBe(true);
    jest.setSystemTime(START + MINUTE);
    expect(await send(storage)).toBe(false);
  });

  it('forgets what is two windows old', async () => {
    const storage = new WindowStorage();
    for (let times = 0; times < 3; times++) await send(storage);
    jest.setSystemTime(START + 2 * MINUTE);
    for (let times = 0; times < 3; times++) expect(await send(storage)).toBe(true);
  });

  it('keeps the wait as it is for rejected requests', async () => {
    const storage = new WindowStorage();
    for (let times = 0; times < 3; times++) await send(storage);
    const { timeToBlockExpire } = await storage.increment('a', MINUTE, 3);
    for (let times = 0; times < 100; times++) await send(storage);
    expect((await storage.increment('a', MINUTE, 3)).timeToBlockExpire).toBe(timeToBlockExpire);
  });

  it('accepts a request after the wait that it returned', async () => {
    const step = fc.record({ waitMs: fc.nat(90_000), requests: fc.integer({ min: 1, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.integer({ min: 1, max: 8 }), async (steps, quota) => {
        const storage = new WindowStorage();
        let now = START;
        for (const { waitMs, requests } of steps) {
          jest.setSystemTime((now += waitMs));
          for (let times = 0; times < requests; times++) await send(storage, 'a', quota);
        }
        const { isBlocked, timeToBlockExpire } = await storage.increment('a', MINUTE, quota);
        if (!isBlocked) return true;
        jest.setSystemTime(now + timeToBlockExpire * 1_000);
        return send(storage, 'a', quota);
      }),
      { numRuns: 500 },
    );
  });

  it('accepts no more than the quota in any window, for every timing of the requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5_000), { maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        async (gaps, quota) => {
          const storage = new WindowStorage();
          const allowed = new Map<number, number>();
          let now = START;
          for (const gap of gaps) {
            jest.setSystemTime((now += gap));
            const index = Math.floor(now / MINUTE);
            if (await send(storage, 'a', quota)) allowed.set(index, (allowed.get(index) ?? 0) + 1);
          }
          return [...allowed.values()].every((count) => count <= quota);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('removes subjects that stay away: a flood of addresses does not fill the memory', async () => {
    const storage = new WindowStorage();
    const { cells } = storage as unknown as { cells: Map<string, unknown> };
    for (let subject = 0; subject < 9_000; subject++) await send(storage, `old-${subject}`);
    jest.setSystemTime(START + 3 * MINUTE);
    for (let subject = 0; subject < 2_000; subject++) await send(storage, `new-${subject}`);
    expect(cells.size).toBe(2_000);
  });
});
