import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { failsForTooLong, retryAfterMs, backoffAfter } from './delivery-schedule.js';
import { outcomeOf } from './webhook-delivery-rules.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const MIDDLE = 0.5;

describe('waitAfter', () => {
  it('follows the schedule of Standard Webhooks: nine more attempts, the last one three days after the first', () => {
    const waits = Array.from({ length: 10 }, (_, index) => backoffAfter(index + 1, null, MIDDLE));
    const [seconds, minutes, hours] = [[5], [5, 30], [2, 5, 10, 14, 20, 24]];
    expect(waits).toEqual([
      ...seconds.map((count) => count * SECOND_MS),
      ...minutes.map((count) => count * MINUTE_MS),
      ...hours.map((count) => count * HOUR_MS),
      null,
    ]);
  });

  it('varies the wait by a tenth, so that not all requests of an outage are repeated at once', () => {
    expect([backoffAfter(2, null, 0), backoffAfter(2, null, 1)]).toEqual([4.5 * MINUTE_MS, 5.5 * MINUTE_MS]);
  });

  it('waits longer when the receiver requests it, at most a day, and never shorter', () => {
    expect(backoffAfter(1, MINUTE_MS, MIDDLE)).toBe(MINUTE_MS);
    expect(backoffAfter(1, 100 * DAY_MS, MIDDLE)).toBe(DAY_MS);
    expect(backoffAfter(4, SECOND_MS, MIDDLE)).toBe(2 * HOUR_MS);
    expect(backoffAfter(10, SECOND_MS, MIDDLE)).toBeNull();
  });
});

it.each([
  [null, null],
  ['120', 120_000],
  ['0', 0],
  ['Sun, 22 Nov 2026 12:01:00 GMT', MINUTE_MS],
  ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
  ['soon', null],
  ['-1', 0],
  ['99999999999999', null],
])('reads the Retry-After header %j as %j', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});

describe('outcomeOf', () => {
  const outcome = (failures: number, status: number | null, requestedMs: number | null = null): object =>
    outcomeOf({ failures }, { at: NOW, status }, 'standard', requestedMs, MIDDLE);

  it.each([401, 404, 410])('ends a delivery to Discord with the status %d: the webhook was deleted', (status) => {
    expect(outcomeOf({ failures: 0 }, { at: NOW, status }, 'discord', null, MIDDLE)).toEqual({
      state: 'failed',
      failures: 1,
      nextAttemptAt: null,
    });
  });

  it.each([200, 201, 204, 299])('ends a delivery with the status %d as delivered', (status) => {
    expect(outcome(3, status)).toEqual({ state: 'delivered', failures: 3, nextAttemptAt: null });
  });

  it.each([null, 199, 300, 302, 400, 404, 429, 500, 503])('retries a delivery with the status %j later', (status) => {
    const nextAttemptAt = new Date(NOW.getTime() + 5 * SECOND_MS);
    expect(outcome(0, status)).toEqual({ state: 'waiting', failures: 1, nextAttemptAt });
  });

  it('waits as long as the receiver requests', () => {
    expect(outcome(0, 429, HOUR_MS)).toMatchObject({ nextAttemptAt: new Date(NOW.getTime() + HOUR_MS) });
  });

  it('fails after the tenth failure, and at once with 410', () => {
    expect(outcome(8, 500)).toMatchObject({ state: 'waiting', failures: 9 });
    expect(outcome(9, 500)).toEqual({ state: 'failed', failures: 10, nextAttemptAt: null });
    expect(outcome(0, 410)).toEqual({ state: 'failed', failures: 1, nextAttemptAt: null });
  });
});

it('treats five days of failures as too long', () => {
  const since = new Date(NOW.getTime() - 5 * DAY_MS);
  expect(failsForTooLong(since, NOW)).toBe(true);
  expect(failsForTooLong(new Date(since.getTime() + 1), NOW)).toBe(false);
});
