import { type TimeRange } from '../../../orders/ledger/ledger.types.js';
import { DAY_MS, MINUTE_MS } from '../../../lib/time/durations.js';
import { type Interval } from './sales.types.js';

/** Since 2000, where periods begin, every time zone has an offset of whole quarters of an hour. */
export const QUARTER_MS = 15 * MINUTE_MS;

/** The beginning of the day of UTC, or of the quarter of an hour, that contains an instant. */
export const beginningOf = (atMs: number, sizeMs: number): number => Math.floor(atMs / sizeMs) * sizeMs;

/** What is read for a time range that inner edges cut into buckets: sums of days (UTC), of quarters of an hour, and single events. */
export interface Cover {
  readonly range: TimeRange;
  /** The days that are in the range as a whole. */
  readonly days: TimeRange;
  /** The other days, of which some quarters are in the range: at most the first and the last one. */
  readonly endDays: ReadonlySet<number>;
  /** Those of `days` that belong to several buckets. Their sums are those of their quarters. */
  readonly splitDays: ReadonlySet<number>;
  /** The quarters in which an edge lies. Of these the events are read. */
  readonly cutQuarters: ReadonlySet<number>;
}

/** Covers a time range. @param buckets which cut the range without gaps, in the order of time */
export function coverOf({ from, to }: Interval, buckets: readonly Interval[]): Cover {
  const range = { fromMs: from.getTime(), toMs: to.getTime() };
  const edges = [...buckets.map((bucket) => bucket.from.getTime()), range.fromMs, range.toMs];
  const days = {
    fromMs: Math.ceil(range.fromMs / DAY_MS) * DAY_MS,
    toMs: beginningOf(range.toMs, DAY_MS),
  };
  const cut = (sizeMs: number): number[] =>
    edges.filter((edge) => edge % sizeMs !== 0).map((edge) => beginningOf(edge, sizeMs));
  const cutDays = cut(DAY_MS);
  return {
    range,
    days,
    endDays: new Set(cutDays.filter((day) => !isBetween(day, days))),
    splitDays: new Set(cutDays.filter((day) => isBetween(day, days))),
    cutQuarters: new Set(cut(QUARTER_MS)),
  };
}

export const isBetween = (ms: number, { fromMs, toMs }: TimeRange): boolean => ms >= fromMs && ms < toMs;

/** Whether the sums of quarters that `coverOf` chose contain what happened at an instant of the range. */
export const isInQuarters = (cover: Cover, atMs: number): boolean =>
  isBetween(atMs, cover.range) && !cover.cutQuarters.has(beginningOf(atMs, QUARTER_MS));

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
