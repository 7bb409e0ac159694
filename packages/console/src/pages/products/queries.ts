import { type Schemas } from '@shop-platform/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { shopKey } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';

// The team gets the whole record, where the document also knows those who see less of it.
export type Product = Schemas['ProductDto'];
export type Category = Schemas['CategoryDto'];
export type Server = Schemas['ServerDto'];

const MOST = 100;
const SELDOM_MS = 60_000;

const categoriesQuery = (shopId: string) =>
  queryOptions({
    queryKey: shopKey(shopId, 'categories'),
    queryFn: () => dataOf(api.get('/api/v2/categories/{shopId}', { path: { shopId }, query: { limit: MOST } })),
    staleTime: SELDOM_MS,
  });

export const useCategories = () => useQuery(categoriesQuery(useShop()._id));

/** The game servers, for those who may see them. */
export function useServers(): readonly Server[] {
  const shop = useShop();
  const { data } = useQuery({
    queryKey: shopKey(shop._id, 'servers', 'names'),
    queryFn: () =>
      dataOf(api.get('/api/v2/servers/{shopId}', { path: { shopId: shop._id }, query: { limit: MOST } })) as Promise<
        Server[]
      >,
    enabled: useMay('servers:read'),
    staleTime: SELDOM_MS,
  });
  return data ?? [];
}

/** The products, for choosing some of them. */
export function useProducts(): readonly Product[] {
  const shop = useShop();
  const { data } = useQuery({
    queryKey: shopKey(shop._id, 'products', 'names'),
    queryFn: () =>
      dataOf(api.get('/api/v2/products/{shopId}', { path: { shopId: shop._id }, query: { limit: MOST } })) as Promise<
        Product[]
      >,
    enabled: useMay('products:read'),
    staleTime: SELDOM_MS,
  });
  return data ?? [];
}
