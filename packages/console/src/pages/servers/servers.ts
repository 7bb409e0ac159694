import { useQuery } from '@tanstack/react-query';
import { read, send } from '../../api/client.ts';
import { LIVE_MS, shopKey } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';

export interface Server {
  readonly id: string;
  readonly name: string;
  readonly game: string;
  readonly address: string | null;
  readonly isHidden: boolean;
  readonly status: 'online' | 'offline' | 'unknown';
  readonly players: { readonly online: number; readonly max: number } | null;
  readonly version: string | null;
  readonly lastSeenAt: string | null;
}

export function useServers() {
  const shop = useShop();
  return useQuery({
    queryKey: shopKey(shop._id, 'servers'),
    queryFn: () => read<readonly Server[]>(`/servers/${shop._id}`, { limit: 100 }),
    refetchInterval: LIVE_MS,
  });
}

/** A key that works for one game server only. Its secret is in this answer and in no other. */
export async function makeServerKey(shopId: string, { id, name }: Pick<Server, 'id' | 'name'>): Promise<string> {
  const body = { shopId, name, type: 'plugin', permissions: ['deliveries:write'], serverIds: [id] };
  const options = { body, idempotencyKey: crypto.randomUUID() };
  return (await send<{ readonly key: string }>('POST', '/api-keys', options)).key;
}
