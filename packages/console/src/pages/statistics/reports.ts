import { type Schemas } from '@shop-platform/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { shopKey } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { type ComparisonQuery, type PeriodQuery } from './period.ts';

export type Figure = 'netRevenue' | 'paidOrders' | 'newBuyers' | 'itemsSold';
/** A ratio of nothing is null. */
export type Metric = Pick<Schemas['RatioMetricDto'], 'current' | 'previous'>;
export type Comparison = Schemas['ComparisonDto'];
export type Breakdown = Schemas['BreakdownDto'];

export const BREAKDOWNS = ['product', 'server', 'paymentMethod', 'discount'] as const;
export type By = (typeof BREAKDOWNS)[number];

const AGAIN_MS = 60_000;
/** The most that the API returns. */
const ALL_ROWS = 100;

/** A shop reads one report at a time. Sent at once, the last ones would wait for longer than the service lets them. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<T>(signal: AbortSignal, report: () => Promise<T>): Promise<T> {
  const read = async (): Promise<T> => {
    // What the reader no longer looks at is not asked for.
    signal.throwIfAborted();
    return report();
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
    queryFn: ({ signal }) =>
      inTurn(signal, () =>
        dataOf(
          api.get('/api/v2/stats/{shopId}/comparison', { path: { shopId: shop._id }, query: { ...query }, signal }),
        ),
      ),
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
      inTurn(signal, () =>
        dataOf(
          api.get('/api/v2/stats/{shopId}/breakdown', {
            path: { shopId: shop._id },
            query: { by, period, from, to, limit: ALL_ROWS },
            signal,
          }),
        ),
      ),
    enabled: query !== null,
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
  });
}
