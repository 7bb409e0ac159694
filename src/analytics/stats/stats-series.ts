import { type IANAZone } from 'luxon';
import {
  addSales,
  type Interval,
  NO_SALES,
  type SalesQuestion,
  type SalesSlot,
  type SalesSums,
  type SlotGrid,
} from '../../orders/ledger/sales.types.js';
import { additiveFigures } from './comparison-rules.js';
import { bucketOf, bucketsOf, type Granularity, slotGridOf } from './stats-buckets.js';
import { type ComparedPeriods } from './stats-periods.js';
import { type SeriesPoint } from './stats.types.js';

/** The parts of both periods that no sum may be of more than one of: the buckets as far as they have passed. */
export function partsOf(plan: SeriesPlan | null, { elapsed, previous }: ComparedPeriods): SalesQuestion['parts'] {
  if (plan === null) return { current: [elapsed], previous: [previous] };
  const passed = plan.current.map(({ from, to }) => ({ from, to: to < elapsed.to ? to : elapsed.to }));
  return { current: passed, previous: plan.previous };
}

/** How two periods are cut into buckets, and the slots that the buckets are made of. */
export interface SeriesPlan {
  readonly current: readonly Interval[];
  readonly previous: readonly Interval[];
  readonly slots: SlotGrid;
}

/** Plans a series, or returns null when none is wanted. Buckets in the future are left out: they have no figures. */
export function planSeries(granularity: Granularity, periods: ComparedPeriods, zone: IANAZone): SeriesPlan | null {
  if (granularity === 'none') return null;
  const current = bucketsOf(periods.period, granularity, zone).filter(({ from }) => from < periods.elapsed.to);
  const previous = bucketsOf(periods.previous, granularity, zone);
  return { current, previous, slots: slotGridOf(current, previous) };
}

function sumsOf(buckets: readonly Interval[], slots: readonly SalesSlot[]): SalesSums[] {
  const sums = buckets.map(() => NO_SALES);
  for (const slot of slots) {
    const index = bucketOf(buckets, slot.at?.getTime() ?? 0);
    sums[index] = addSales(sums[index] ?? NO_SALES, slot);
  }
  return sums;
}

/**
 * Pairs the buckets of both periods by their position. Where one period has more of them (31 days and 28), the other side is
 * null. So each side adds up to the figures of its period.
 */
export function seriesOf(
  plan: SeriesPlan,
  currentSlots: readonly SalesSlot[],
  previousSlots: readonly SalesSlot[],
): SeriesPoint[] {
  const sums = { current: sumsOf(plan.current, currentSlots), previous: sumsOf(plan.previous, previousSlots) };
  const figuresAt = (side: 'current' | 'previous', index: number): SeriesPoint['current'] => {
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
