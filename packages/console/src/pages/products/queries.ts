import { type Schemas } from '@shop-platform/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import { shopKey } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';

export type Product = Schemas['ProductDto'];
export type Category = Schemas['CategoryDto'];
export type Server = Schemas['ServerDto'];

const MOST = 100;
const SELDOM_MS = 60_000;

const categoriesQuery = (shopId: string) =>
  queryOptions({
    queryKey: shopKey(shopId, 'categories'),
    queryFn: () => read<readonly Category[]>(`/categories/${shopId}`, { limit: MOST }),
    staleTime: SELDOM_MS,
  });

export const useCategories = () => useQuery(categoriesQuery(useShop()._id));

/** The game servers, for those who may see them. */
export function useServers(): readonly Server[] {
  const shop = useShop();
  const { data } = useQuery({
    queryKey: shopKey(shop._id, 'servers', 'names'),
    queryFn: () => read<readonly Server[]>(`/servers/${shop._id}`, { limit: MOST }),
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
    queryFn: () => read<readonly Product[]>(`/products/${shop._id}`, { limit: MOST }),
    enabled: useMay('products:read'),
    staleTime: SELDOM_MS,
  });
  return data ?? [];
}
