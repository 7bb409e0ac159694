import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { FairSlots, type Slot, type SlotLimits, type Wait } from './fair-slots.js';

const REFUSED = 'no slot';
const WAIT: Wait = { maxWaiting: 100, ms: 1_000 };

/** Work that wants a slot. */
class Work {
  state: 'waiting' | 'running' | 'refused';
  readonly result: Promise<void>;

  constructor(
    readonly slot: Slot,
    entering: Promise<void> | undefined,
  ) {
    this.state = entering === undefined ? 'running' : 'waiting';
    this.result = (entering ?? Promise.resolve()).then(
      () => void (this.state = 'running'),
      (error: unknown) => {
        expect(error).toEqual(new Error(REFUSED));
        this.state = 'refused';
      },
    );
  }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

describe('FairSlots', () => {
  let slots: FairSlots;
  const limit = (limits: SlotLimits): void => {
    slots = new FairSlots(limits, () => new Error(REFUSED));
  };
  const enter = (caller: string, wait: Partial<Wait> = {}): Work => {
    const slot = slots.slot();
    return new Work(slot, slot.enter(caller, { ...WAIT, ...wait }));
  };
  const enterMany = (count: number, caller: string, wait: Partial<Wait> = {}): Work[] =>
    Array.from({ length: count }, () => enter(caller, wait));
  const statesOf = async (all: readonly Work[]): Promise<string> => {
    await settle();
    return all.map(({ state }) => state[2]).join('');
  };

  beforeEach(() => {
    stopClock(new Date('2026-11-28T12:00:00.000Z'));
    limit({ total: 4, perCaller: 2 });
  });
  afterEach(startClock);

  it('lets a caller have its share and no more, in the order of arrival, and other callers the rest', async () => {
    const [one, other] = [enterMany(4, 'a'), enterMany(2, 'b')];
    expect(await statesOf([...one, ...other])).toBe('nniinn');
    one[1]?.slot.leave();
    expect(await statesOf(one)).toBe('nnni');
    one[0]?.slot.leave();
    expect(await statesOf(one)).toBe('nnnn');
    for (const { slot } of [...one, ...other]) slot.leave();
    expect(slots.isIdle).toBe(true);
  });

  it('needs neither a promise nor a timer while slots are free', () => {
    const slot = slots.slot();
    expect([slot.enter('a', WAIT), slot.enter('b', WAIT)]).toEqual([undefined, undefined]);
    slot.pause();
    expect(slot.resume()).toBeUndefined();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('serves callers in turns when all slots are taken, however many of one caller wait', async () => {
    limit({ total: 2, perCaller: 2 });
    const crowd = enterMany(6, 'crowd');
    const [one, other] = [enter('one'), enter('other')];
    const all = [...crowd, one, other];
    const started = crowd.slice(0, 2);
    for (let turn = 0; turn < all.length; turn++) {
      started[turn]?.slot.leave();
      await settle();
      started.push(...all.filter((work) => work.state === 'running' && !started.includes(work)));
    }
    expect(started.map((work) => all.indexOf(work))).toEqual([0, 1, 6, 7, 2, 3, 4, 5]);
  });

  it('gives a turn to each caller before anybody has a second one', async () => {
    limit({ total: 1, perCaller: 1 });
    const first = enter('first');
    const all = ['a', 'a', 'b', 'a', 'b', 'c'].map((caller) => enter(caller));
    first.slot.leave();
    const order: number[] = [];
    for (let turn = 0; turn < all.length; turn++) {
      await settle();
      const index = all.findIndex(({ state }, number) => state === 'running' && !order.includes(number));
      order.push(index);
      all[index]?.slot.leave();
    }
    expect(order).toEqual([0, 2, 5, 1, 4, 3]);
  });

  it('gives no caller a second slot in a row while another one waits, also when that caller may have more', async () => {
    limit({ total: 4, perCaller: 4 });
    const first = enterMany(4, 'first');
    const [one, other] = [enterMany(3, 'one'), enterMany(3, 'other')];
    for (const { slot } of first) slot.leave();
    expect(await statesOf([...one, ...other])).toBe('nninni');
  });

  it('refuses what is too much for the queue of a caller, at once, and nobody else', async () => {
    const all = enterMany(5, 'a', { maxWaiting: 2 });
    expect(await statesOf(all)).toBe('nniif');
    expect(await statesOf([enter('b', { maxWaiting: 0 })])).toBe('n');
  });

  it('serves the flows of a caller in turns, and refuses the latest of the longest one when too many wait', async () => {
    limit({ total: 1, perCaller: 1 });
    const wait = { maxWaiting: 4 };
    const first = enter('a', wait);
    const long = enterMany(4, 'a', { ...wait, flow: 'long' });
    const short = enterMany(2, 'a', { ...wait, flow: 'short' });
    expect(await statesOf([...long, ...short])).toBe('iiffii');
    const all = [...long.slice(0, 2), ...short];
    expect(await statesOf(enterMany(1, 'a', { ...wait, flow: 'long' }))).toBe('f');
    const order: number[] = [];
    for (let last = first; order.length < all.length; last = all[order.at(-1) ?? 0] ?? last) {
      last.slot.leave();
      await settle();
      order.push(all.findIndex(({ state }, number) => state === 'running' && !order.includes(number)));
    }
    expect(order).toEqual([0, 2, 1, 3]);
  });

  it('refuses what has waited for its time, and records how long it waited', async () => {
    const [first, , waiting] = enterMany(3, 'a', { ms: 500 }) as [Work, Work, Work];
    jest.advanceTimersByTime(499);
    expect(await statesOf([waiting])).toBe('i');
    jest.advanceTimersByTime(1);
    expect(await statesOf([waiting])).toBe('f');
    expect(waiting.slot.waitedMs).toBe(500);
    first.slot.leave();
    expect(await statesOf(enterMany(2, 'a'))).toBe('ni');
    expect(await statesOf([enter('a', { ms: 0 })])).toBe('f');
  });

  it('takes nothing for work that leaves while it waits', async () => {
    const [first, , left, next] = enterMany(4, 'a') as [Work, Work, Work, Work];
    left.slot.leave();
    first.slot.leave();
    first.slot.leave();
    expect(await statesOf([left, next])).toBe('fn');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('moves work to another caller: at once when that has room, and it keeps the slot of the total', async () => {
    limit({ total: 2, perCaller: 2 });
    const [first, second, waiting] = enterMany(3, 'address') as [Work, Work, Work];
    expect(first.slot.enter('key', WAIT)).toBeUndefined();
    expect(await statesOf([waiting])).toBe('i');
    second.slot.leave();
    expect(await statesOf([waiting])).toBe('n');
  });

  it('moves work to a caller without room: it waits there, and holds up nobody where it was', async () => {
    const full = enterMany(2, 'key');
    const [first, , behind] = enterMany(3, 'address') as [Work, Work, Work];
    const moved = new Work(first.slot, first.slot.enter('key', WAIT));
    expect(await statesOf([behind, moved])).toBe('ni');
    full[0]?.slot.leave();
    expect(await statesOf([moved])).toBe('n');
  });

  it('refuses to move work to a caller whose queue is full, and gives back what it had', async () => {
    enterMany(3, 'key');
    const [first, , behind] = enterMany(3, 'address') as [Work, Work, Work];
    const moved = new Work(first.slot, first.slot.enter('key', { ...WAIT, maxWaiting: 1 }));
    expect(await statesOf([moved, behind])).toBe('fn');
  });

  it('does not let moved work overtake what already waits for the same caller', async () => {
    limit({ total: 3, perCaller: 2 });
    const [other, held] = [enter('other'), enter('address')];
    enter('key');
    const earlier = enter('key');
    const moved = new Work(held.slot, held.slot.enter('key', WAIT));
    expect(await statesOf([earlier, moved])).toBe('ni');
    other.slot.leave();
    expect(await statesOf([moved])).toBe('i');
    earlier.slot.leave();
    expect(await statesOf([moved])).toBe('n');
  });

  it('gives the slot of paused work to others, and the work gets one again in its turn', async () => {
    limit({ total: 2, perCaller: 2 });
    const [paused, , third] = enterMany(3, 'a') as [Work, Work, Work];
    const other = enter('b');
    paused.slot.pause();
    paused.slot.pause();
    expect(await statesOf([third, other])).toBe('in');
    expect(paused.slot.resume()).toBeUndefined();
    const resuming = new Work(paused.slot, paused.slot.resume());
    expect(await statesOf([resuming])).toBe('i');
    jest.advanceTimersByTime(100_000);
    other.slot.leave();
    expect(await statesOf([resuming, third])).toBe('nf');
  });

  it('takes from the caller that keeps most in memory when there is no room for what waits, and never from one that keeps less', async () => {
    limit({ total: 1, perCaller: 1, waitingBytes: 100 });
    enter('first');
    const large = enterMany(3, 'large', { bytes: 30 });
    const small = enter('small', { bytes: 20 });
    expect(await statesOf([...large, small])).toBe('iifi');
    expect(await statesOf([enter('large', { bytes: 30 })])).toBe('f');
    expect(await statesOf([enter('huge', { bytes: 101 })])).toBe('f');
    expect(await statesOf([...large, small])).toBe('iifi');
  });

  it('never exceeds a limit, serves everybody in the end, and keeps nothing, whatever happens in which order', async () => {
    startClock();
    const step = fc.record({
      kind: fc.constantFrom('enter', 'enter', 'enter', 'move', 'leave', 'pause', 'resume'),
      caller: fc.constantFrom('a', 'b', 'c'),
      flow: fc.constantFrom('', 'one', 'other'),
      pick: fc.nat(),
      bytes: fc.integer({ min: 0, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        limit({ total: 3, perCaller: 2, waitingBytes: 12 });
        let all: { work: Work; caller: string; isPaused: boolean }[] = [];
        const running = (caller?: string): number =>
          all.filter((one) => one.work.slot.state === 'running' && (caller ?? one.caller) === one.caller).length;
        for (const { kind, caller, flow, pick, bytes } of steps) {
          const idle = all.filter(({ work }) => work.state === 'running' && work.slot.state === 'running');
          const paused = all.filter(({ work, isPaused }) => isPaused && work.state === 'running');
          const chosen = idle[pick % Math.max(1, idle.length)];
          const resumed = paused[pick % Math.max(1, paused.length)];
          if (kind === 'enter')
            all.push({ work: enter(caller, { bytes, flow, maxWaiting: 4 }), caller, isPaused: false });
          if (kind === 'leave') all[pick % Math.max(1, all.length)]?.work.slot.leave();
          if (kind === 'move' && chosen) {
            const work = new Work(chosen.work.slot, chosen.work.slot.enter(caller, { ...WAIT, bytes }));
            Object.assign(chosen, { work, caller });
          }
          if (kind === 'pause' && chosen) {
            chosen.work.slot.pause();
            chosen.isPaused = true;
          }
          if (kind === 'resume' && resumed) {
            resumed.work = new Work(resumed.work.slot, resumed.work.slot.resume());
            resumed.isPaused = false;
          }
          await settle();
          expect(running()).toBeLessThanOrEqual(3);
          for (const one of ['a', 'b', 'c']) expect(running(one)).toBeLessThanOrEqual(2);
          all = all.filter(({ work }) => work.slot.state !== 'ended');
        }
        // Whatever waits is served once those that run have left.
        for (let round = 0; all.length > 0; round++) {
          expect(round).toBeLessThan(200);
          for (const { work } of all.filter(({ work: { slot } }) => ['running', 'paused'].includes(slot.state))) {
            work.slot.leave();
          }
          await settle();
          all = all.filter(({ work }) => work.slot.state !== 'ended');
        }
        expect(slots.isIdle).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
