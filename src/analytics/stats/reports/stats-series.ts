import { type IANAZone } from 'luxon';
import { type SalesSums } from '../rollups/sale-sums.js';
import { type Interval, type SalesQuery, type SalesWindow } from '../rollups/sales.types.js';
import { additiveFigures } from './comparison-rules.js';
import { bucketsOf, type Granularity } from './stats-buckets.js';
import { type ComparedPeriods } from './stats-periods.js';
import { type SeriesPoint } from './stats.types.js';

/** How two periods are cut into buckets. */
export interface SeriesPlan {
  readonly current: readonly Interval[];
  readonly previous: readonly Interval[];
}

/** Plans a series, or returns null when none is requested. Buckets in the future are left out: they have no figures. */
export function planSeries(granularity: Granularity, periods: ComparedPeriods, zone: IANAZone): SeriesPlan | null {
  if (granularity === 'none') return null;
  const current = bucketsOf(periods.period, granularity, zone).filter(({ from }) => from < periods.elapsed.to);
  const previous = bucketsOf(periods.previous, granularity, zone);
  return { current, previous };
}

/** The buckets of both periods that are summed: those of the series as far as they have passed, or each period as a whole. */
export function summedBuckets(plan: SeriesPlan | null, { elapsed, previous }: ComparedPeriods): SalesQuery['buckets'] {
  if (plan === null) return { current: [elapsed], previous: [previous] };
  const passed = plan.current.map(({ from, to }) => ({ from, to: to < elapsed.to ? to : elapsed.to }));
  return { current: passed, previous: plan.previous };
}

/**
 * Pairs the buckets of both periods by their position. Where one period has more of them (31 days and 28), the other side is
 * null. So each side adds up to the figures of its period.
 * @param sums the sums of the buckets of each period
 */
export function seriesOf(plan: SeriesPlan, sums: Readonly<Record<SalesWindow, readonly SalesSums[]>>): SeriesPoint[] {
  const figuresAt = (side: SalesWindow, index: number): SeriesPoint['current'] => {
    const sum = sums[side][index];
    return sum === undefined ? null : additiveFigures(sum);
  };
  return Array.from({ length: Math.max(plan.current.length, plan.previous.length) }, (_, index) => ({
    bucket: plan.current[index] ?? null,
    current: figuresAt('current', index),
    previousBucket: plan.previous[index] ?? null,
    previous: figuresAt('previous', index),
  }));
}
