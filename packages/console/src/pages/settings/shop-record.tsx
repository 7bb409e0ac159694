import { type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef } from 'react';
import { type Answer, api, unchecked } from '../../api/client.ts';
import { FormConflict } from '../../app/conflict.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { type Form, type Values } from '../../ui/form.tsx';

export type ShopRecord = Schemas['ShopDetailsDto'];

const read = (shopId: string) => api.get('/api/v2/shops/{shopId}', { path: { shopId } }) as Promise<Answer<ShopRecord>>;

/** The settings of the shop with their version: what somebody else has saved meanwhile is not overwritten. */
export function useShopRecord() {
  const shop = useShop();
  return useQuery({
    queryKey: shopKey(shop._id, 'record'),
    queryFn: () => read(shop._id),
    refetchOnWindowFocus: false,
  });
}

export interface Saving {
  readonly save: (settings: object) => Promise<void>;
  /** The version on top of which it saves. */
  readonly version: RefObject<string | null>;
}

export function useSaveShop(etag: string | null): Saving {
  const shop = useShop();
  const refresh = useRefresh();
  const version = useRef(etag);
  return {
    save: async (settings) => {
      await api.patch('/api/v2/shops/{shopId}', {
        path: { shopId: shop._id },
        body: unchecked(settings),
        ifMatch: version.current,
      });
      await Promise.all([refresh(...shopKey(shop._id, 'record')), refresh('shops')]);
    },
    version,
  };
}

/** Only what differs, so that two people can change different settings. */
export const changedOf = <T extends Values>(values: T, before: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  ) as Partial<T>;

/** As `FormConflict`, of settings of the shop. */
export function SettingsConflict<T extends Values>(props: {
  readonly form: Form<T>;
  readonly before: T;
  readonly saving: Saving;
  readonly valuesOf: (shop: ShopRecord) => T;
  readonly labelOf: (name: string) => string;
}) {
  const shop = useShop();
  const refresh = useRefresh();
  const { saving, ...rest } = props;
  return (
    <FormConflict
      {...rest}
      read={() => read(shop._id)}
      version={saving.version}
      onTheirs={() => void refresh(...shopKey(shop._id, 'record'))}
    />
  );
}
