import { type MinorUnits, toMajor } from '../../../lib/money/money.js';
import { type Interval } from '../rollups/sales.types.js';
import { type BreakdownDto } from './dto/breakdown.dto.js';
import { type ComparisonDto } from './dto/comparison.dto.js';
import { type IntervalDto } from './dto/interval.dto.js';
import { type MetricsDto } from './dto/metrics.dto.js';
import { type SeriesFiguresDto, type SeriesPointDto } from './dto/series.dto.js';
import {
  type AdditiveFigures,
  type Compared,
  type ComparedFigures,
  type PeriodBreakdown,
  type PeriodComparison,
} from './stats.types.js';

const toIntervalDto = ({ from, to }: Interval): IntervalDto => ({ from: from.toISOString(), to: to.toISOString() });

function money<Value extends number | null>(compared: Compared<Value>, currency: string): Compared<Value>;
function money(
  { current, previous, change, changePercent }: Compared<number | null>,
  currency: string,
): Compared<number | null> {
  const major = (minor: number | null): number | null => (minor === null ? null : toMajor(minor, currency));
  return { current: major(current), previous: major(previous), change: major(change), changePercent };
}

function toMetricsDto(metrics: ComparedFigures, currency: string): MetricsDto {
  return {
    grossRevenue: money(metrics.grossRevenue, currency),
    refunds: money(metrics.refunds, currency),
    chargebacks: money(metrics.chargebacks, currency),
    netRevenue: money(metrics.netRevenue, currency),
    orders: metrics.orders,
    paidOrders: metrics.paidOrders,
    averageOrderValue: money(metrics.averageOrderValue, currency),
    uniqueBuyers: metrics.uniqueBuyers,
    newBuyers: metrics.newBuyers,
    conversion: metrics.conversion,
    discountTotal: money(metrics.discountTotal, currency),
    itemsSold: metrics.itemsSold,
  };
}

/** The amounts among figures, in major units. */
function amountsOf(
  { grossRevenue, refunds, chargebacks, netRevenue, discountTotal }: Omit<AdditiveFigures, 'orders'>,
  currency: string,
): Pick<AdditiveFigures, 'grossRevenue' | 'refunds' | 'chargebacks' | 'netRevenue' | 'discountTotal'> {
  const major = (minor: MinorUnits): number => toMajor(minor, currency);
  return {
    grossRevenue: major(grossRevenue),
    refunds: major(refunds),
    chargebacks: major(chargebacks),
    netRevenue: major(netRevenue),
    discountTotal: major(discountTotal),
  };
}

function toSeriesFiguresDto(figures: AdditiveFigures, currency: string): SeriesFiguresDto {
  return { ...figures, ...amountsOf(figures, currency) };
}

export function toBreakdownDto({ period, rows, generatedAt, ...breakdown }: PeriodBreakdown): BreakdownDto {
  return {
    ...breakdown,
    period: toIntervalDto(period),
    rows: rows.map((row) => ({ ...row, ...amountsOf(row, breakdown.currency) })),
    generatedAt: generatedAt.toISOString(),
  };
}

export function toComparisonDto({ periods, ...comparison }: PeriodComparison): ComparisonDto {
  const { currency } = comparison;
  const series = comparison.series.map(({ bucket, current, previousBucket, previous }): SeriesPointDto => ({
    from: bucket?.from.toISOString() ?? null,
    to: bucket?.to.toISOString() ?? null,
    previousFrom: previousBucket?.from.toISOString() ?? null,
    previousTo: previousBucket?.to.toISOString() ?? null,
    current: current && toSeriesFiguresDto(current, currency),
    previous: previous && toSeriesFiguresDto(previous, currency),
  }));
  return {
    period: toIntervalDto(periods.period),
    previous: toIntervalDto(periods.previous),
    timezone: comparison.timezone,
    currency,
    complete: periods.complete,
    metrics: toMetricsDto(comparison.metrics, currency),
    series,
    generatedAt: comparison.generatedAt.toISOString(),
  };
}
