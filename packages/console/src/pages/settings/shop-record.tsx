import { type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { type Answer, api } from '../../api/client.ts';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';

export type ShopRecord = Schemas['ShopDetailsDto'];

/** The settings of the shop with their version: what somebody else has saved meanwhile is not overwritten. */
export function useShopRecord() {
  const shop = useShop();
  return useQuery({
    queryKey: shopKey(shop._id, 'record'),
    queryFn: () => api.get('/api/v2/shops/{shopId}', { path: { shopId: shop._id } }) as Promise<Answer<ShopRecord>>,
  });
}

export function useSaveShop(etag: string | null): (settings: object) => Promise<void> {
  const shop = useShop();
  const refresh = useRefresh();
  return async (settings) => {
    await api.patch('/api/v2/shops/{shopId}', { path: { shopId: shop._id }, body: settings, ifMatch: etag });
    await Promise.all([refresh(...shopKey(shop._id, 'record')), refresh('shops')]);
  };
}
