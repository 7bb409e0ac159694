import { DateTime, type IANAZone } from 'luxon';
import { DAY_MS, HOUR_MS } from '../../../lib/time/durations.js';
import { instantOf, wallTimeAt } from '../../../lib/time/local-time.js';
import { type Interval } from '../rollups/sales.types.js';

export const BUCKET_UNITS = ['hour', 'day', 'week', 'month'] as const;
export type BucketUnit = (typeof BUCKET_UNITS)[number];
export const GRANULARITIES = ['none', ...BUCKET_UNITS] as const;
export type Granularity = (typeof GRANULARITIES)[number];

const LENGTH_MS = { day: DAY_MS, week: 7 * DAY_MS } as const;

/** The next instant at which the local clock shows a full hour. A change of half an hour makes one hour longer. */
function nextHour(instantMs: number, zone: IANAZone): number {
  const untilFull = (ms: number): number => HOUR_MS - (wallTimeAt(ms, zone) % HOUR_MS);
  const next = instantMs + untilFull(instantMs);
  const rest = untilFull(next);
  return rest === HOUR_MS ? next : next + rest;
}

function* hours(fromMs: number, zone: IANAZone): Generator<number> {
  for (let at = nextHour(fromMs, zone); ; at = nextHour(at, zone)) yield at;
}

/** The local midnights at which days, weeks (on Mondays) or months begin, from the one at or before an instant. */
function* midnights(fromMs: number, unit: Exclude<BucketUnit, 'hour'>, zone: IANAZone): Generator<number> {
  const first = DateTime.fromMillis(wallTimeAt(fromMs, zone), { zone: 'utc' }).startOf(unit);
  for (let count = 0; ; count += 1) {
    // In wall time every day has 24 hours.
    const wall = unit === 'month' ? first.plus({ months: count }).toMillis() : first.toMillis() + count * LENGTH_MS[unit];
    yield instantOf(wall, zone);
  }
}

/**
 * Cuts an interval into local hours, days, weeks (from Monday) or months. The buckets cover the interval without gaps or
 * overlaps. The first begins where the interval begins, the last ends where it ends. A day has 23 or 25 hours when the
 * clocks change.
 */
export function bucketsOf({ from, to }: Interval, unit: BucketUnit, zone: IANAZone): Interval[] {
  const end = to.getTime();
  let start = from.getTime();
  const buckets: Interval[] = [];
  const edges = unit === 'hour' ? hours(start, zone) : midnights(start, unit, zone);
  for (const edge of edges) {
    if (start >= end) break;
    // Skips the edge before the interval, and a day that a change of the date line left out.
    if (edge <= start) continue;
    const next = Math.min(edge, end);
    buckets.push({ from: new Date(start), to: new Date(next) });
    start = next;
  }
  return buckets;
}
