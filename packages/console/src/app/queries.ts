import { ApiError } from '@shop-platform/client';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';

/** Where no page says more often: "within 6 s, without a reload" is for what is on the screen. */
export const LIVE_MS = 5_000;
const BADGES_MS = 30_000;
const RARELY_MS = 300_000;

/**
 * Keys of queries: `['shop', shopId, 'orders', filters]`. What changes something invalidates the longest common beginning, such as
 * `['shop', shopId, 'orders']`.
 */
export const shopKey = (shopId: string, ...rest: readonly unknown[]): readonly unknown[] => ['shop', shopId, ...rest];

/** null: nobody is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () =>
    dataOf(api.get('/api/v2/auth/me')).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }),
  staleTime: RARELY_MS,
});

export const shopsQuery = queryOptions({
  queryKey: ['shops'],
  queryFn: () => dataOf(api.get('/api/v2/shops', { query: { limit: 100 } })),
  staleTime: RARELY_MS,
});

export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: () => dataOf(api.get('/api/v2/auth/preferences')),
  staleTime: RARELY_MS,
});

/** @param isLive whether the page shows it, and not only the counts of the navigation */
export const overviewQuery = (shopId: string, isLive = false) =>
  queryOptions({
    queryKey: shopKey(shopId, 'overview'),
    queryFn: () => dataOf(api.get('/api/v2/shops/{shopId}/overview', { path: { shopId } })),
    refetchInterval: isLive ? LIVE_MS : BADGES_MS,
  });

/** Reads again what a change of a shop can have changed. */
export function useRefresh(): (...key: readonly unknown[]) => Promise<void> {
  const client = useQueryClient();
  return (...key) => client.invalidateQueries({ queryKey: key });
}
