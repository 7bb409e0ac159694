import { type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { LIVE_MS, shopKey } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';

export type Server = Schemas['ServerDto'];

export function useServers() {
  const shop = useShop();
  return useQuery({
    queryKey: shopKey(shop._id, 'servers'),
    // The team gets the whole record, where the document also knows those who see less of it.
    queryFn: () =>
      dataOf(api.get('/api/v2/servers/{shopId}', { path: { shopId: shop._id }, query: { limit: 100 } })) as Promise<
        Server[]
      >,
    refetchInterval: LIVE_MS,
  });
}

/** A key that works for one game server only. Its secret is in this answer and in no other. */
export async function makeServerKey(shopId: string, { id, name }: Pick<Server, 'id' | 'name'>): Promise<string> {
  const body = {
    ...{ shopId, name, serverIds: [id] },
    ...{ type: 'plugin' as const, permissions: ['deliveries:write' as const] },
  };
  return (await dataOf(api.post('/api/v2/api-keys', { body }))).key;
}
