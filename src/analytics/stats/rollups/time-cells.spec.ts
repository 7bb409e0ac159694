import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/durations.js';
import {
  beginningsIn,
  bridged,
  bucketOf,
  bySize,
  CELL_SIZES_MS,
  cellsAt,
  coverOf,
  isInOneOf,
  joined,
  merged,
} from './time-cells.js';

const QUARTER_MS = 15 * MINUTE_MS;
const START = Math.ceil(Date.UTC(2026, 2, 1) / (8 * DAY_MS)) * 8 * DAY_MS;

describe('cellsAt', () => {
  it('returns the cell of each size that contains an instant', () => {
    const at = START + 9 * DAY_MS + 5 * HOUR_MS + 20 * MINUTE_MS;
    expect(cellsAt(at)).toEqual([
      { sizeMs: QUARTER_MS, atMs: START + 9 * DAY_MS + 5 * HOUR_MS + QUARTER_MS },
      { sizeMs: HOUR_MS, atMs: START + 9 * DAY_MS + 5 * HOUR_MS },
      { sizeMs: DAY_MS, atMs: START + 9 * DAY_MS },
      { sizeMs: 8 * DAY_MS, atMs: START + 8 * DAY_MS },
    ]);
  });
});

describe('coverOf', () => {
  it('covers a time range by the largest cells in it, but for less than a quarter of an hour at each end', () => {
    const [from, to] = [START - HOUR_MS - 1, START + 9 * DAY_MS + QUARTER_MS + 7];
    expect(coverOf({ fromMs: from, toMs: to })).toEqual({
      cells: [
        { sizeMs: HOUR_MS, fromMs: START - HOUR_MS, toMs: START },
        { sizeMs: 8 * DAY_MS, fromMs: START, toMs: START + 8 * DAY_MS },
        { sizeMs: DAY_MS, fromMs: START + 8 * DAY_MS, toMs: START + 9 * DAY_MS },
        { sizeMs: QUARTER_MS, fromMs: START + 9 * DAY_MS, toMs: START + 9 * DAY_MS + QUARTER_MS },
      ],
      edges: [
        { fromMs: from, toMs: START - HOUR_MS },
        { fromMs: START + 9 * DAY_MS + QUARTER_MS, toMs: to },
      ],
    });
  });

  it('returns no cells within one quarter of an hour, and nothing for an empty range', () => {
    expect(coverOf({ fromMs: START + 1, toMs: START + 2 })).toEqual({
      cells: [],
      edges: [{ fromMs: START + 1, toMs: START + 2 }],
    });
    expect(coverOf({ fromMs: START, toMs: START })).toEqual({ cells: [], edges: [] });
  });

  it('covers every time range exactly once, by few cells', () => {
    const instant = fc.integer({ min: START, max: START + 366 * DAY_MS });
    fc.assert(
      fc.property(instant, instant, (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const { cells, edges } = coverOf({ fromMs: from, toMs: to });
        const parts = [...cells, ...edges].toSorted((left, right) => left.fromMs - right.fromMs);
        let end = from;
        for (const { fromMs, toMs } of parts) {
          expect(fromMs).toBe(end);
          end = toMs;
        }
        expect(end).toBe(to);
        const count = cells.reduce((sum, { sizeMs, fromMs, toMs }) => sum + (toMs - fromMs) / sizeMs, 0);
        expect(count).toBeLessThanOrEqual(366 / 8 + 2 * (7 + 23 + 3));
        for (const { sizeMs, fromMs, toMs } of cells) expect([fromMs % sizeMs, toMs % sizeMs]).toEqual([0, 0]);
        for (const ofSize of bySize(cells).values()) expect(joined(ofSize)).toEqual(ofSize);
      }),
    );
  });

  it('covers the time between local midnights of every time zone by cells alone', () => {
    expect(CELL_SIZES_MS[0]).toBe(QUARTER_MS);
    for (const [index, size] of CELL_SIZES_MS.slice(1).entries()) expect(size % (CELL_SIZES_MS[index] ?? 0)).toBe(0);
  });
});

describe('Ranges of cells', () => {
  const range = (sizeMs: number, from: number, to: number) => ({ sizeMs, fromMs: from * sizeMs, toMs: to * sizeMs });

  it('joins neighbours and overlaps, and keeps sizes apart', () => {
    const ranges = [range(DAY_MS, 3, 5), range(HOUR_MS, 0, 1), range(DAY_MS, 1, 3), range(DAY_MS, 4, 6)];
    expect(joined([...ranges, range(DAY_MS, 8, 9)])).toEqual([
      range(HOUR_MS, 0, 1),
      range(DAY_MS, 1, 6),
      range(DAY_MS, 8, 9),
    ]);
  });

  it('merges time ranges that are equal, overlap or touch', () => {
    const times = (from: number, to: number) => ({ fromMs: from, toMs: to });
    const ranges = [times(9, 10), times(6, 8), times(0, 4), times(2, 6), times(0, 4), times(1, 2)];
    expect(merged(ranges)).toEqual([times(0, 8), times(9, 10)]);
  });

  it('bridges gaps of at most half of the range after them', () => {
    const [short, long] = [range(HOUR_MS, 0, 1), range(HOUR_MS, 2, 4)];
    expect(bridged([short, long])).toEqual([range(HOUR_MS, 0, 4)]);
    expect(bridged([long, range(HOUR_MS, 5, 6)])).toEqual([long, range(HOUR_MS, 5, 6)]);
  });

  it('groups ranges by their size, in their order', () => {
    const [hours, days, more] = [range(HOUR_MS, 0, 1), range(DAY_MS, 1, 3), range(HOUR_MS, 4, 5)];
    expect([...bySize([hours, days, more])]).toEqual([
      [HOUR_MS, [hours, more]],
      [DAY_MS, [days]],
    ]);
  });

  it('lists when the cells of a range begin', () => {
    expect(beginningsIn(range(HOUR_MS, 3, 5))).toEqual([3 * HOUR_MS, 4 * HOUR_MS]);
  });

  it('says whether one of some ranges contains an instant, which excludes their ends', () => {
    const ranges = Array.from({ length: 9 }, (_, index) => range(HOUR_MS, 2 * index, 2 * index + 1));
    fc.assert(
      fc.property(fc.integer({ min: -HOUR_MS, max: 19 * HOUR_MS }), (atMs) => {
        const expected = ranges.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
        expect(isInOneOf(atMs, ranges)).toBe(expected);
      }),
    );
    expect([0, HOUR_MS - 1, HOUR_MS].map((atMs) => isInOneOf(atMs, ranges))).toEqual([true, true, false]);
    expect(isInOneOf(0, [])).toBe(false);
  });
});

describe('bucketOf', () => {
  it('returns the index of the bucket that contains an instant', () => {
    const starts = [0, 3, 4, 9, 20].map((hour) => START + hour * HOUR_MS);
    const buckets = starts.slice(1).map((to, index) => ({ from: new Date(starts[index] ?? 0), to: new Date(to) }));
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
