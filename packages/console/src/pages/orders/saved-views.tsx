import { type Schemas } from '@shop-platform/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { type Search } from '../../app/links.tsx';
import { shopKey } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Button } from '../../ui/parts.tsx';
import { useTell } from '../../ui/toasts.tsx';

export type SavedView = Schemas['SavedViewDto'];
const LIST = 'orders';

/** What a view can keep: it names no buyer. */
const KEPT = ['status', 'paymentStatus', 'deliveryStatus', 'serverId', 'origin', 'from', 'to'] as const;

/** The filters of a list as a view keeps them, always in the same order. */
export const filtersOf = (search: Search): string =>
  new URLSearchParams(
    KEPT.flatMap((name): [string, string][] => {
      const value = search[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ).toString();

/** The views that the reader has saved in this shop; nobody else sees them. */
export function useSavedViews() {
  const shop = useShop();
  const client = useQueryClient();
  const queryKey = shopKey(shop._id, 'views');
  const path = { shopId: shop._id };
  const all =
    useQuery({
      queryKey,
      queryFn: () => dataOf(api.get('/api/v2/auth/preferences/{shopId}/views', { path })),
      staleTime: Infinity,
    }).data?.views ?? [];
  const save = async (views: readonly SavedView[]): Promise<void> => {
    const body = { views: views as readonly (SavedView & { readonly list: typeof LIST })[] };
    client.setQueryData(queryKey, await dataOf(api.put('/api/v2/auth/preferences/{shopId}/views', { path, body })));
  };
  return {
    views: all.filter(({ list }) => list === LIST),
    add: (view: Omit<SavedView, 'list'>) => save([...all, { ...view, list: LIST }]),
    remove: (view: SavedView) => save(all.filter((other) => other !== view)),
    restore: save,
    all,
  };
}

/** Keeps the filters of the page under a name, or gives up a view that was kept. */
export function ViewButtons({ search }: { readonly search: Search }) {
  const t = useT();
  const tell = useTell();
  const { views, all, add, remove, restore } = useSavedViews();
  const [isOpen, setOpen] = useState(false);
  const filters = filtersOf(search);
  const current = views.find((view) => view.filters === filters);
  if (filters === '') return null;
  if (current !== undefined) {
    const forget = async (): Promise<void> => {
      await remove(current);
      tell(t('orders.viewRemoved', { name: current.name }), () => void restore(all));
    };
    return (
      <Button look="plain" icon="close" onClick={() => void forget()}>
        {t('orders.removeView')}
      </Button>
    );
  }
  return (
    <>
      <Button look="plain" icon="plus" onClick={() => setOpen(true)}>
        {t('orders.saveView')}
      </Button>
      <Dialog isOpen={isOpen} title={t('orders.saveView')} onClose={() => setOpen(false)}>
        <Name onClose={() => setOpen(false)} onName={(name) => add({ name, filters })} />
      </Dialog>
    </>
  );
}

function Name(props: { readonly onName: (name: string) => Promise<void>; readonly onClose: () => void }) {
  const t = useT();
  const form = useForm({ name: '' }, async ({ name }) => {
    await props.onName(name.trim());
    props.onClose();
  });
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <FormProblem form={form} />
      <TextField
        label={t('orders.viewName')}
        hint={t('orders.viewHint')}
        required
        maxLength={40}
        data-autofocus
        value={form.values.name}
        error={Object.values(form.errors)[0]}
        onChange={(name) => form.set('name', name)}
      />
      <div className="end">
        <Button onClick={props.onClose}>{t('orders.noView')}</Button>
        <Button type="submit" look="main" isBusy={form.isBusy}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}
