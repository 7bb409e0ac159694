import { type TimeRange } from '../../../orders/ledger/ledger.types.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/durations.js';
import { type Interval } from './sales.types.js';

/**
 * The sizes of the cells of time for which sums are stored; each is a multiple of the one before. Since 2000, where periods
 * begin, every time zone has an offset of whole quarters of an hour. So local hours, days and months begin where a cell begins.
 */
export const CELL_SIZES_MS: readonly number[] = [15 * MINUTE_MS, HOUR_MS, DAY_MS, 8 * DAY_MS];

/** A cell of time: `sizeMs` from `atMs`, which is a multiple of the size since 1970 (UTC). */
export interface TimeCell {
  readonly sizeMs: number;
  readonly atMs: number;
}

/** Neighbouring cells of one size: those that begin at `fromMs` or later, and before `toMs`. */
export interface CellRange extends TimeRange {
  readonly sizeMs: number;
}

/** A time range in cells. */
export interface Cover {
  readonly cells: readonly CellRange[];
  /** What no cell covers. At the ends of the range it is shorter than the smallest cell. */
  readonly edges: readonly TimeRange[];
}

export const timeRangeOf = ({ from, to }: Interval): TimeRange => ({ fromMs: from.getTime(), toMs: to.getTime() });

export const isBetween = (ms: number, { fromMs, toMs }: TimeRange): boolean => ms >= fromMs && ms < toMs;

/** A cell as a range of one. */
export const rangeOf = ({ sizeMs, atMs }: TimeCell): CellRange => ({ sizeMs, fromMs: atMs, toMs: atMs + sizeMs });

/** The cells that contain an instant, one of each size. */
export function cellsAt(atMs: number): TimeCell[] {
  return CELL_SIZES_MS.map((sizeMs) => ({ sizeMs, atMs: Math.floor(atMs / sizeMs) * sizeMs }));
}

/** Covers a time range exactly, with the largest cells in it. The cells of one size, and the edges, are in the order of time. */
export function coverOf({ fromMs, toMs }: TimeRange): Cover {
  const cells: CellRange[] = [];
  const edges: TimeRange[] = [];
  const cover = (from: number, to: number, level: number): void => {
    if (from >= to) return;
    const sizeMs = CELL_SIZES_MS[level];
    if (sizeMs === undefined) {
      edges.push({ fromMs: from, toMs: to });
      return;
    }
    const first = Math.ceil(from / sizeMs) * sizeMs;
    const last = Math.floor(to / sizeMs) * sizeMs;
    if (first >= last) {
      cover(from, to, level - 1);
      return;
    }
    cover(from, first, level - 1);
    cells.push({ sizeMs, fromMs: first, toMs: last });
    cover(last, to, level - 1);
  };
  cover(fromMs, toMs, CELL_SIZES_MS.length - 1);
  return { cells, edges };
}

/** The same time in as few ranges as possible, in the order of time. */
export function merged(ranges: readonly TimeRange[]): TimeRange[] {
  return mergedOver(0, ranges);
}

/** The same cells in as few ranges as possible, by size and time. */
export function joined(ranges: readonly CellRange[]): CellRange[] {
  return joinedOver(0, ranges);
}

/**
 * Like `joined`, but in fewer ranges: two ranges become one when the gap between them is at most half as long as the second one.
 * Reading some cells too many costs less than one more range in the query.
 */
export function bridged(ranges: readonly CellRange[]): CellRange[] {
  return joinedOver(0.5, ranges);
}

function joinedOver(gap: number, ranges: readonly CellRange[]): CellRange[] {
  const inOrder = ranges.toSorted((one, other) => one.sizeMs - other.sizeMs);
  return [...bySize(inOrder).values()].flatMap((ofSize) => mergedOver(gap, ofSize));
}

/** @param gap the longest gap that is bridged, as a fraction of the length of the range after it */
function mergedOver<Range extends TimeRange>(gap: number, ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const last = result.at(-1);
    const longest = gap * (range.toMs - range.fromMs);
    if (last === undefined || range.fromMs - last.toMs > longest) result.push(range);
    else result[result.length - 1] = { ...last, toMs: Math.max(last.toMs, range.toMs) };
  }
  return result;
}

/** The ranges of each size, in the order in which they are given. */
export function bySize(ranges: readonly CellRange[]): Map<number, CellRange[]> {
  const sizes = new Map<number, CellRange[]>();
  for (const range of ranges) {
    const ofSize = sizes.get(range.sizeMs);
    if (ofSize === undefined) sizes.set(range.sizeMs, [range]);
    else ofSize.push(range);
  }
  return sizes;
}

/** When the cells of a range begin. */
export function beginningsIn({ sizeMs, fromMs, toMs }: CellRange): number[] {
  return Array.from({ length: (toMs - fromMs) / sizeMs }, (_, index) => fromMs + index * sizeMs);
}

/** Whether an instant is in one of some time ranges, which are in the order of time and do not overlap. */
export function isInOneOf(atMs: number, ranges: readonly TimeRange[]): boolean {
  let [first, end] = [0, ranges.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    const { fromMs, toMs } = ranges[middle] as TimeRange;
    if (atMs >= toMs) first = middle + 1;
    else if (atMs < fromMs) end = middle;
    else return true;
  }
  return false;
}

/**
 * The index of the bucket that contains an instant.
 * @param buckets in order and without gaps; the instant is in one of them
 */
export function bucketOf(buckets: readonly Interval[], atMs: number): number {
  let [low, high] = [0, buckets.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((buckets[middle]?.from.getTime() ?? Infinity) <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
