import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Options, send } from '../../api/client.ts';
import { shopKey } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { type ComparisonQuery, type PeriodQuery } from './period.ts';

export type Figure = 'netRevenue' | 'paidOrders' | 'newBuyers' | 'itemsSold';
type Sums = Readonly<Record<Figure, number>>;

interface Interval {
  readonly from: string;
  readonly to: string;
}

export interface Metric {
  readonly current: number | null;
  readonly previous: number | null;
}

export interface Comparison {
  readonly period: Interval;
  readonly previous: Interval;
  readonly timezone: string;
  readonly currency: string;
  readonly complete: boolean;
  readonly generatedAt: string;
  readonly metrics: Readonly<
    Record<
      | Figure
      | 'grossRevenue'
      | 'refunds'
      | 'chargebacks'
      | 'orders'
      | 'averageOrderValue'
      | 'uniqueBuyers'
      | 'conversion'
      | 'discountTotal',
      Metric
    >
  >;
  readonly series: readonly {
    readonly from: string | null;
    readonly previousFrom: string | null;
    readonly current: Sums | null;
    readonly previous: Sums | null;
  }[];
}

export const BREAKDOWNS = ['product', 'server', 'paymentMethod', 'discount'] as const;
export type By = (typeof BREAKDOWNS)[number];

export interface Breakdown {
  readonly total: number;
  readonly rows: readonly {
    readonly key: string | null;
    readonly name: string | null;
    readonly netRevenue: number;
    readonly paidOrders: number;
  }[];
}

const AGAIN_MS = 60_000;
/** The most that the API returns. */
const ALL_ROWS = 100;

/** A shop reads one report at a time. Sent at once, the last ones would wait for longer than the service lets them. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<T>(path: string, query: Options['query'], signal: AbortSignal): Promise<T> {
  const read = async (): Promise<T> => {
    // What the reader no longer looks at is not asked for.
    signal.throwIfAborted();
    return send<T>('GET', path, { query, signal });
  };
  const mine = turn.then(read);
  turn = mine.catch(() => undefined);
  return mine;
}

/** The figures of a period beside those of the earlier one; nothing while the dates are not complete. */
export function useComparison(query: ComparisonQuery | null) {
  const shop = useShop();
  return useQuery({
    queryKey: shopKey(shop._id, 'statistics', query),
    queryFn: ({ signal }) => inTurn<Comparison>(`/stats/${shop._id}/comparison`, { ...query }, signal),
    enabled: query !== null,
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
  });
}

/** The sales of a period in parts; nothing while the period is not known. */
export function useBreakdown(by: By, query: PeriodQuery | null) {
  const shop = useShop();
  const { period, from, to } = query ?? {};
  return useQuery({
    queryKey: shopKey(shop._id, 'breakdown', by, period, from, to),
    queryFn: ({ signal }) =>
      inTurn<Breakdown>(`/stats/${shop._id}/breakdown`, { by, period, from, to, limit: ALL_ROWS }, signal),
    enabled: query !== null,
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
  });
}
