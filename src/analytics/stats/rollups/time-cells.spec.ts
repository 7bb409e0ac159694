import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/durations.js';
import { type Interval } from './sales.types.js';
import { bucketOf, coverOf, QUARTER_MS } from './time-cells.js';

const START = Date.UTC(2026, 2, 1);
const bucketsAt = (edges: readonly number[]): Interval[] =>
  edges.slice(1).map((to, index) => ({ from: new Date(edges[index] ?? 0), to: new Date(to) }));
const coverAt = (...edges: number[]) => {
  const window = { from: new Date(edges[0] ?? 0), to: new Date(edges.at(-1) ?? 0) };
  return coverOf(window, bucketsAt(edges));
};

describe('coverOf', () => {
  it('reads whole days of UTC, and nothing else between two midnights', () => {
    const range = { fromMs: START, toMs: START + 3 * DAY_MS };
    const nothing = { endDays: new Set(), splitDays: new Set(), cutQuarters: new Set() };
    expect(coverAt(START, START + DAY_MS, START + 3 * DAY_MS)).toEqual({ range, days: range, ...nothing });
  });

  it('reads the quarters of the days at the ends and of those that a bucket ends in, and the events of quarters that an edge cuts', () => {
    const [from, inner, to] = [START + 7, START + DAY_MS + 5 * HOUR_MS, START + 3 * DAY_MS + HOUR_MS + MINUTE_MS];
    expect(coverAt(from, inner, to)).toEqual({
      range: { fromMs: from, toMs: to },
      days: { fromMs: START + DAY_MS, toMs: START + 3 * DAY_MS },
      endDays: new Set([START, START + 3 * DAY_MS]),
      splitDays: new Set([START + DAY_MS]),
      cutQuarters: new Set([START, START + 3 * DAY_MS + HOUR_MS]),
    });
  });

  it('has no whole day within one day', () => {
    const { days, endDays } = coverAt(START + HOUR_MS, START + 2 * HOUR_MS);
    expect(days.fromMs).toBeGreaterThan(days.toMs);
    expect(endDays).toEqual(new Set([START]));
  });

  it('reads no events where an edge lies on a quarter of an hour, as in +5:45 and +12:45', () => {
    expect(coverAt(START - 5 * HOUR_MS - 3 * QUARTER_MS, START + 11 * HOUR_MS + QUARTER_MS).cutQuarters.size).toBe(0);
  });
});

describe('bucketOf', () => {
  it('returns the index of the bucket that contains an instant', () => {
    const buckets = bucketsAt([0, 3, 4, 9, 20].map((hour) => START + hour * HOUR_MS));
    const indexes = buckets.map(({ from, to }) => [
      bucketOf(buckets, from.getTime()),
      bucketOf(buckets, to.getTime() - 1),
    ]);
    expect(indexes).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });
});
