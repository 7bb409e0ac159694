import { type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unchecked } from '../../api/client.ts';
import { useSearchState } from '../../app/links.tsx';
import { Pager } from '../../app/pager.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { CheckList, NumberField, TimeField } from '../../ui/extra-fields.tsx';
import { FormProblem, SelectField, TextField, useForm } from '../../ui/form.tsx';
import { numberOf, textOf } from '../../ui/numbers.ts';
import { Badge, Button, Head, Time, type Tone } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useCategories, useProducts } from '../products/queries.ts';
import { Kinds, useReduction } from './kinds.tsx';

type Sale = Schemas['SaleDto'];

const TONES: Readonly<Record<string, Tone>> = { planned: 'info', running: 'good', ended: 'ring' };

export default function SalesPage() {
  const t = useT();
  const shop = useShop();
  const mayWrite = useMay('sales:write');
  const [search] = useSearchState();
  const [edited, setEdited] = useState<Sale | 'new' | null>(null);
  const [ended, setEnded] = useState<Sale | null>(null);
  const refresh = useRefresh();
  const filters = { cursor: search['cursor'], limit: 50 };
  const query = useQuery({
    queryKey: shopKey(shop._id, 'sales', filters),
    queryFn: () => api.page('/api/v2/sales/{shopId}', { path: { shopId: shop._id }, query: unchecked(filters) }),
  });
  const end = async (sale: Sale): Promise<void> => {
    const path = { shopId: shop._id, saleId: sale.id };
    // What has not begun is removed; what runs ends now.
    if (sale.state === 'planned') await api.delete('/api/v2/sales/{shopId}/{saleId}', { path });
    else await api.patch('/api/v2/sales/{shopId}/{saleId}', { path, body: { endsAt: new Date().toISOString() } });
    await refresh(...shopKey(shop._id, 'sales'));
  };
  return (
    <>
      <Head title={t('discounts.title')}>
        {mayWrite && (
          <Button look="main" icon="plus" onClick={() => setEdited('new')}>
            {t('discounts.newSale')}
          </Button>
        )}
      </Head>
      <Kinds current="sales" />
      <section className="card flush">
        <Loaded query={query}>
          {({ data, total, next }) =>
            data.length === 0 ? (
              <Empty title={t('discounts.noSales')} text={t('discounts.noSalesText')} />
            ) : (
              <>
                <Sales sales={data} onEdit={setEdited} onEnd={setEnded} />
                <Pager total={total} shown={data.length} next={next} />
              </>
            )
          }
        </Loaded>
      </section>
      {edited !== null && <SaleDialog sale={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {ended !== null && (
        <Confirm
          isOpen
          title={t('discounts.endTitle', { name: ended.name })}
          act={t(ended.state === 'planned' ? 'discounts.removeAct' : 'discounts.endAct')}
          keep={t('discounts.keep')}
          onAct={() => end(ended)}
          onClose={() => setEnded(null)}
        >
          <p>{t('discounts.endText')}</p>
        </Confirm>
      )}
    </>
  );
}

function Sales(props: {
  readonly sales: readonly Sale[];
  readonly onEdit: (sale: Sale) => void;
  readonly onEnd: (sale: Sale) => void;
}) {
  const t = useT();
  const mayWrite = useMay('sales:write');
  const reduction = useReduction();
  return (
    <table className="t">
      <thead>
        <tr>
          <th scope="col">{t('discounts.sale')}</th>
          <th scope="col">{t('discounts.takesOff')}</th>
          <th scope="col">{t('discounts.state')}</th>
          <th scope="col">{t('discounts.startsAt')}</th>
          <th scope="col">{t('discounts.ends')}</th>
          <th scope="col">
            <span className="sr">{t('discounts.acts')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.sales.map((sale) => (
          <tr key={sale.id}>
            <td>
              <b className="b6">{sale.name}</b>
            </td>
            <td className="muted full">
              {reduction(sale.type, sale.value)}, {t(`discounts.scope.${sale.scope}`)}
            </td>
            <td>
              <Badge tone={TONES[sale.state]}>{t(`discounts.sale.${sale.state}`)}</Badge>
            </td>
            <td className="muted nowrap small">
              <Time at={sale.startsAt} />
            </td>
            <td className="muted nowrap small">
              {sale.endsAt === null ? t('discounts.never') : <Time at={sale.endsAt} />}
            </td>
            <td className="r">
              {mayWrite && sale.state !== 'ended' && (
                <span className="row inline-end">
                  {sale.state === 'planned' && (
                    <Button look="plain" onClick={() => props.onEdit(sale)}>
                      {t('discounts.edit')}
                    </Button>
                  )}
                  <Button look="plain" onClick={() => props.onEnd(sale)}>
                    {t(sale.state === 'planned' ? 'discounts.remove' : 'discounts.endNow')}
                  </Button>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SaleDialog({ sale, onClose }: { readonly sale: Sale | null; readonly onClose: () => void }) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const products = useProducts();
  const categories = useCategories().data ?? [];
  const initial = {
    name: sale?.name ?? '',
    type: sale?.type ?? 'percent',
    value: textOf(sale?.value ?? null),
    scope: sale?.scope ?? 'all',
    productIds: (sale?.productIds ?? []) as readonly string[],
    categoryIds: (sale?.categoryIds ?? []) as readonly string[],
    startsAt: sale?.startsAt ?? null,
    endsAt: sale?.endsAt ?? null,
  };
  const form = useForm(initial, async (values) => {
    const body = {
      ...values,
      value: numberOf(values.value),
      productIds: values.scope === 'products' ? values.productIds : [],
      categoryIds: values.scope === 'categories' ? values.categoryIds : [],
      startsAt: values.startsAt ?? new Date().toISOString(),
    };
    if (sale === null) await api.post('/api/v2/sales/{shopId}', { path: { shopId: shop._id }, body: unchecked(body) });
    else
      await api.patch('/api/v2/sales/{shopId}/{saleId}', {
        path: { shopId: shop._id, saleId: sale.id },
        body: unchecked(body),
      });
    await refresh(...shopKey(shop._id, 'sales'));
    onClose();
  });
  const { values, errors, set } = form;
  return (
    <Dialog isOpen title={sale?.name ?? t('discounts.newSale')} onClose={onClose} isWide>
      <form className="fields" onSubmit={(event) => void form.submit(event)}>
        <FormProblem form={form} />
        <TextField
          label={t('discounts.name')}
          value={values.name}
          error={errors['name']}
          required
          onChange={(name) => set('name', name)}
        />
        <div className="fields two">
          <SelectField
            label={t('discounts.type')}
            value={values.type}
            options={[
              ['percent', t('discounts.percent')],
              ['fixed', t('discounts.fixed')],
            ]}
            onChange={(type) => set('type', type)}
          />
          <NumberField
            label={t('discounts.takesOff')}
            unit={values.type === 'percent' ? '%' : shop.currency}
            value={values.value}
            error={errors['value']}
            onChange={(value) => set('value', value)}
          />
        </div>
        <div className="fields two">
          <TimeField
            label={t('discounts.startsAt')}
            hint={t('discounts.startsNow')}
            value={values.startsAt}
            error={errors['startsAt']}
            onChange={(time) => set('startsAt', time)}
          />
          <TimeField
            label={t('discounts.endsAt')}
            value={values.endsAt}
            error={errors['endsAt']}
            onChange={(time) => set('endsAt', time)}
          />
        </div>
        <SelectField
          label={t('discounts.where')}
          value={values.scope}
          error={errors['scope']}
          options={(['all', 'products', 'categories'] as const).map(
            (scope) => [scope, t(`discounts.scope.${scope}`)] as const,
          )}
          onChange={(scope) => set('scope', scope)}
        />
        {values.scope === 'products' && (
          <CheckList
            label={t('discounts.products')}
            options={products.map(({ id, name }) => [id, name] as const)}
            values={values.productIds}
            onChange={(productIds) => set('productIds', productIds)}
          />
        )}
        {values.scope === 'categories' && (
          <CheckList
            label={t('discounts.scope.categories')}
            options={categories.map(({ id, name }) => [id, name] as const)}
            values={values.categoryIds}
            onChange={(categoryIds) => set('categoryIds', categoryIds)}
          />
        )}
        <div className="end">
          <Button onClick={onClose}>{t('discounts.cancel')}</Button>
          <Button type="submit" look="main" isBusy={form.isBusy}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
