interface Interval {
  readonly from: string;
  readonly to: string;
}

export interface SeriesPoint {
  readonly from: string | null;
  readonly to: string | null;
  readonly previousFrom: string | null;
  readonly previousTo: string | null;
  readonly current: Record<string, number> | null;
  readonly previous: Record<string, number> | null;
}

/** A comparison of two periods, as far as the specs read it. */
export interface Comparison {
  readonly period: Interval;
  readonly previous: Interval;
  readonly timezone: string;
  readonly complete: boolean;
  readonly metrics: Record<string, { current: number | null; previous: number | null }>;
  readonly series: SeriesPoint[];
  readonly generatedAt: string;
}

/** The query of a comparison. A string is sent as it is. */
export type ComparisonQuery = Readonly<Record<string, string>> | string;

export const COMPARED = 'Statistics compared';

/** The path of a shop's comparison, below `/api/v2`. */
export const comparisonPath = (shopId: string, query: ComparisonQuery = {}): string =>
  `/stats/${shopId}/comparison?${typeof query === 'string' ? query : new URLSearchParams(query).toString()}`;
