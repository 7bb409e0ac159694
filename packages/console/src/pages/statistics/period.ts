/** What the address of the page says. */
export type Search = Readonly<Record<string, string | undefined>>;

export const PERIODS = ['today', '7d', '30d', '90d', 'month', 'year', 'custom'] as const;
export type Period = (typeof PERIODS)[number];
export const COMPARISONS = ['previous_period', 'previous_year', 'custom'] as const;
export type Comparison = (typeof COMPARISONS)[number];
export type Granularity = 'hour' | 'day' | 'week';

export interface Filters {
  readonly period: Period;
  /** Days as people say them: the last one is part of the period. */
  readonly from: string;
  readonly to: string;
  readonly compare: Comparison;
  readonly compareFrom: string;
  readonly compareTo: string;
  readonly serverId: string;
  readonly productId: string;
}

/** The parameters of a comparison, as the API takes them. */
export interface PeriodQuery {
  readonly period: Period;
  readonly from: string | undefined;
  readonly to: string | undefined;
}
export interface ComparisonQuery extends PeriodQuery {
  readonly compare: Comparison;
  readonly compareFrom: string | undefined;
  readonly compareTo: string | undefined;
  readonly granularity: Granularity;
  readonly serverId: string | undefined;
  readonly productId: string | undefined;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;
const MOST_HOURLY_DAYS = 2;
/** More points than these are no line that somebody reads. */
const MOST_DAILY_DAYS = 92;

const oneOf = <T extends string>(choices: readonly T[], value: string | undefined, usual: T): T =>
  choices.find((choice) => choice === value) ?? usual;

/** The state of the page. What the address does not say, or says wrongly, is as usual. */
export function filtersOf(search: Search): Filters {
  return {
    period: oneOf(PERIODS, search['period'], '30d'),
    from: search['from'] ?? '',
    to: search['to'] ?? '',
    compare: oneOf(COMPARISONS, search['compare'], 'previous_period'),
    compareFrom: search['compareFrom'] ?? '',
    compareTo: search['compareTo'] ?? '',
    serverId: search['serverId'] ?? '',
    productId: search['productId'] ?? '',
  };
}

/** The number of days of a period; null: it has no two days in their order, or too many. */
export function daysBetween(first: string, last: string): number | null {
  if (![first, last].every((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))) return null;
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return days >= 1 && days <= MAX_DAYS ? days : null;
}

/** The API's end is no part of a period. */
const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

function granularityOf(period: Period, days: number): Granularity {
  if (period === 'today') return 'hour';
  if (period === 'year') return 'week';
  if (period !== 'custom') return 'day';
  if (days <= MOST_HOURLY_DAYS) return 'hour';
  return days <= MOST_DAILY_DAYS ? 'day' : 'week';
}

/** What to ask the API for; null: the own dates are not complete yet. */
export function queryOf(filters: Filters): ComparisonQuery | null {
  const { period, compare } = filters;
  const days = period === 'custom' ? daysBetween(filters.from, filters.to) : 0;
  const before = compare === 'custom' ? daysBetween(filters.compareFrom, filters.compareTo) : 0;
  if (days === null || before === null) return null;
  const isOwn = period === 'custom';
  const isOwnBefore = compare === 'custom';
  return {
    period,
    from: isOwn ? filters.from : undefined,
    to: isOwn ? dayAfter(filters.to) : undefined,
    compare,
    compareFrom: isOwnBefore ? filters.compareFrom : undefined,
    compareTo: isOwnBefore ? dayAfter(filters.compareTo) : undefined,
    granularity: granularityOf(period, days),
    serverId: filters.serverId || undefined,
    productId: filters.productId || undefined,
  };
}
