import { type MinorUnits } from '../../../lib/money/money.js';
import { type Breakdown } from '../rollups/breakdown-rules.js';
import { type Interval } from '../rollups/sales.types.js';
import { type ComparedPeriods } from './stats-periods.js';

/** Figures that add up over time. Amounts in minor units. */
export interface AdditiveFigures {
  readonly grossRevenue: MinorUnits;
  readonly refunds: MinorUnits;
  readonly chargebacks: MinorUnits;
  readonly netRevenue: MinorUnits;
  readonly orders: number;
  readonly paidOrders: number;
  readonly newBuyers: number;
  readonly discountTotal: MinorUnits;
  readonly itemsSold: number;
}

/** All figures of a period. */
export interface Figures extends AdditiveFigures {
  /** Null without a paid order. */
  readonly averageOrderValue: MinorUnits | null;
  readonly uniqueBuyers: number;
  /** Between 0 and 1; null without an order. */
  readonly conversion: number | null;
}

export type MetricName = keyof Figures;

/** A figure and the earlier one. */
export interface Compared<Value extends number | null> {
  readonly current: Value;
  readonly previous: Value;
  /** Null when one of the two is null. */
  readonly change: Value;
  /** Null when `change` is null, or when the earlier value is 0. */
  readonly changePercent: number | null;
}

export type ComparedFigures = { readonly [Name in MetricName]: Compared<Figures[Name]> };

/** A bucket of the period and the one at the same position of the earlier period. Null where a period has no such bucket. */
export interface SeriesPoint {
  readonly bucket: Interval | null;
  readonly current: AdditiveFigures | null;
  readonly previousBucket: Interval | null;
  readonly previous: AdditiveFigures | null;
}

/** The figures of a part of the sales. Amounts in minor units. */
export interface BreakdownRow extends Omit<AdditiveFigures, 'orders'> {
  readonly key: string | null;
  /** Null: it has no other name than its key. */
  readonly name: string | null;
}

/** The sales of a period, split into parts. */
export interface PeriodBreakdown {
  readonly by: Breakdown;
  readonly period: Interval;
  /** Whether the period is over. */
  readonly complete: boolean;
  readonly timezone: string;
  /** ISO 4217. */
  readonly currency: string;
  /** How many parts there are. */
  readonly total: number;
  /** The first parts, as many as the request has as its limit. */
  readonly rows: readonly BreakdownRow[];
  readonly generatedAt: Date;
}

/** Two periods of a shop, compared. */
export interface PeriodComparison {
  readonly periods: ComparedPeriods;
  readonly timezone: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly metrics: ComparedFigures;
  /** Empty when the request has no granularity. */
  readonly series: readonly SeriesPoint[];
  readonly generatedAt: Date;
}
