import { type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { type Answer, api, unchecked } from '../../api/client.ts';
import { Conflict } from '../../app/conflict.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { type Form, FormProblem, type Values } from '../../ui/form.tsx';

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
  /** Saves on top of this version from now on. */
  readonly moveTo: (etag: string | null) => void;
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
    moveTo: (next) => (version.current = next),
  };
}

/** Only what differs, so that two people can change different settings. */
export const changedOf = <T extends Values>(values: T, before: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  ) as Partial<T>;

/** What is wrong above a form of settings: both versions when somebody else was faster, else the error. */
export function SettingsConflict<T extends Values>(props: {
  readonly form: Form<T>;
  readonly before: T;
  readonly saving: Saving;
  readonly valuesOf: (shop: ShopRecord) => T;
  readonly labelOf: (name: string) => string;
}) {
  const shop = useShop();
  const refresh = useRefresh();
  const { form, before, saving, labelOf } = props;
  return (
    <FormProblem form={form}>
      <Conflict
        form={form}
        before={before}
        labelOf={labelOf}
        load={async () => {
          const { data, etag } = await read(shop._id);
          return { values: props.valuesOf(data), etag };
        }}
        onMine={(etag) => {
          saving.moveTo(etag);
          void form.submit();
        }}
        onTheirs={() => void refresh(...shopKey(shop._id, 'record'))}
      />
    </FormProblem>
  );
}
