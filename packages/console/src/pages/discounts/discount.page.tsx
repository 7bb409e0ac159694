import { type Schemas } from '@shop-platform/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, dataOf, unchecked } from '../../api/client.ts';
import { FormConflict } from '../../app/conflict.tsx';
import { Link, useGo, usePlace } from '../../app/links.tsx';
import { shopKey } from '../../app/queries.ts';
import { SaveBar } from '../../app/save-bar.tsx';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { CheckList, NumberField, TimeField } from '../../ui/extra-fields.tsx';
import { SelectField, Switch, TextField, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { numberOf, textOf } from '../../ui/numbers.ts';
import { Button, Card, Head } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { useProducts } from '../products/queries.ts';
import { DiscountState } from './state.tsx';

type Discount = Schemas['DiscountDto'];

/** The labels of fields whose text has another name. */
const LABELS: Readonly<Record<string, string>> = { value: 'takesOff', productIds: 'products', isActive: 'on' };

const read = (shopId: string, discountId: string) =>
  api.get('/api/v2/discounts/{shopId}/{discountId}', { path: { shopId, discountId } });

export default function DiscountPage() {
  const t = useT();
  const shop = useShop();
  const { discountId } = usePlace();
  const query = useQuery({
    queryKey: shopKey(shop._id, 'discount', discountId),
    queryFn: () => read(shop._id, discountId ?? ''),
    enabled: discountId !== undefined,
    refetchOnWindowFocus: false,
  });
  const reload = (): void => void query.refetch();
  if (discountId === undefined) return <Editor discount={null} etag={null} onTheirs={reload} />;
  return (
    <Loaded query={query} heading={t('discounts.code')}>
      {({ data, etag }) => <Editor key={etag} discount={data} etag={etag} onTheirs={reload} />}
    </Loaded>
  );
}

const valuesOf = (discount: Discount | null) => ({
  code: discount?.code ?? '',
  type: discount?.type ?? 'percent',
  value: textOf(discount?.value ?? null),
  maxDiscount: textOf(discount?.maxDiscount ?? null),
  minOrderValue: textOf(discount?.minOrderValue ?? null),
  maxUses: textOf(discount?.maxUses ?? null),
  maxUsesPerBuyer: textOf(discount?.maxUsesPerBuyer ?? null),
  firstPurchaseOnly: discount?.firstPurchaseOnly ?? false,
  excludesReduced: discount?.excludesReduced ?? false,
  productIds: (discount?.productIds ?? []) as readonly string[],
  startsAt: discount?.startsAt ?? null,
  endsAt: discount?.endsAt ?? null,
  isActive: discount?.isActive ?? true,
});

function Editor(props: {
  readonly discount: Discount | null;
  readonly etag: string | null;
  /** Gives up what was typed. */
  readonly onTheirs: () => void;
}) {
  const { discount, etag, onTheirs } = props;
  const t = useT();
  const shop = useShop();
  const go = useGo();
  const tell = useTell();
  const client = useQueryClient();
  const mayWrite = useMay('discounts:write');
  const products = useProducts();
  const base = `/${shop.uniqueName}/discounts`;
  const version = useRef(etag);
  const [before, setBefore] = useState(valuesOf(discount));
  const form = useForm(before, async (values) => {
    const body = {
      ...values,
      value: numberOf(values.value),
      maxDiscount: values.type === 'percent' ? numberOf(values.maxDiscount) : null,
      minOrderValue: numberOf(values.minOrderValue),
      maxUses: numberOf(values.maxUses),
      maxUsesPerBuyer: numberOf(values.maxUsesPerBuyer),
      productIds: values.productIds.length === 0 ? null : values.productIds,
    };
    if (discount === null) {
      const { id } = await dataOf(
        api.post('/api/v2/discounts/{shopId}', { path: { shopId: shop._id }, body: unchecked(body) }),
      );
      setTimeout(() => go(`${base}/${id}`, {}, true));
    } else {
      // The code of a discount stays.
      const { code: _, ...changes } = body;
      const saved = await api.patch('/api/v2/discounts/{shopId}/{discountId}', {
        path: { shopId: shop._id, discountId: discount.id },
        body: unchecked(changes),
        ifMatch: version.current,
      });
      version.current = saved.etag;
      setBefore(values);
    }
    await client.invalidateQueries({ queryKey: shopKey(shop._id, 'discounts') });
    tell(t('discounts.saved'));
  });
  const { values, errors, set } = form;
  return (
    <>
      <Head
        title={discount?.code ?? t('discounts.new')}
        badges={discount && <DiscountState discount={discount} />}
        back={
          <Link className="back" to={base}>
            <Icon name="left" />
            {t('discounts.title')}
          </Link>
        }
      >
        {mayWrite && discount !== null && <Remove discount={discount} />}
      </Head>
      <FormConflict
        form={form}
        before={before}
        labelOf={(name) => t(`discounts.${LABELS[name] ?? name}`)}
        read={() => read(shop._id, discount?.id ?? '')}
        valuesOf={valuesOf}
        version={version}
        onTheirs={onTheirs}
      />
      <fieldset disabled={!mayWrite} className="grid2">
        <div className="stack">
          <Card title={t('discounts.what')} className="fields">
            {discount === null && (
              <TextField
                label={t('discounts.code')}
                hint={t('discounts.codeHint')}
                className="mono"
                value={values.code}
                error={errors['code']}
                maxLength={32}
                onChange={(code) => set('code', code.toUpperCase())}
              />
            )}
            <div className="fields two">
              <SelectField
                label={t('discounts.type')}
                value={values.type}
                error={errors['type']}
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
              {values.type === 'percent' && (
                <NumberField
                  label={t('discounts.maxDiscount')}
                  unit={shop.currency}
                  placeholder={t('discounts.noLimit')}
                  value={values.maxDiscount}
                  error={errors['maxDiscount']}
                  onChange={(amount) => set('maxDiscount', amount)}
                />
              )}
              <NumberField
                label={t('discounts.minOrderValue')}
                unit={shop.currency}
                placeholder={t('discounts.noLimit')}
                value={values.minOrderValue}
                error={errors['minOrderValue']}
                onChange={(amount) => set('minOrderValue', amount)}
              />
            </div>
          </Card>
          {products.length > 0 && (
            <Card title={t('discounts.where')} className="fields">
              <CheckList
                label={t('discounts.products')}
                hint={t('discounts.productsHint')}
                options={products.map(({ id, name }) => [id, name] as const)}
                values={values.productIds}
                onChange={(productIds) => set('productIds', productIds)}
              />
            </Card>
          )}
        </div>
        <aside className="stack" aria-label={t('discounts.limits')}>
          <Card title={t('discounts.limits')} className="fields">
            <NumberField
              label={t('discounts.maxUses')}
              placeholder={t('discounts.noLimit')}
              value={values.maxUses}
              error={errors['maxUses']}
              onChange={(uses) => set('maxUses', uses)}
            />
            <NumberField
              label={t('discounts.maxUsesPerBuyer')}
              placeholder={t('discounts.noLimit')}
              value={values.maxUsesPerBuyer}
              error={errors['maxUsesPerBuyer']}
              onChange={(uses) => set('maxUsesPerBuyer', uses)}
            />
            <TimeField
              label={t('discounts.startsAt')}
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
            <Switch
              label={t('discounts.firstPurchaseOnly')}
              isOn={values.firstPurchaseOnly}
              onChange={(isOn) => set('firstPurchaseOnly', isOn)}
            />
            <Switch
              label={t('discounts.excludesReduced')}
              isOn={values.excludesReduced}
              onChange={(isOn) => set('excludesReduced', isOn)}
            />
          </Card>
          <Card>
            <Switch
              label={<b className="b6">{t('discounts.on')}</b>}
              hint={t('discounts.onHint')}
              isOn={values.isActive}
              onChange={(isActive) => set('isActive', isActive)}
            />
          </Card>
        </aside>
      </fieldset>
      <SaveBar form={form} />
    </>
  );
}

function Remove({ discount }: { readonly discount: Discount }) {
  const t = useT();
  const shop = useShop();
  const go = useGo();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const remove = async (): Promise<void> => {
    await api.delete('/api/v2/discounts/{shopId}/{discountId}', {
      path: { shopId: shop._id, discountId: discount.id },
    });
    await client.invalidateQueries({ queryKey: shopKey(shop._id, 'discounts') });
    go(`/${shop.uniqueName}/discounts`);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('discounts.remove')}</Button>
      <Confirm
        isOpen={isOpen}
        title={t('discounts.removeTitle', { code: discount.code })}
        act={t('discounts.removeAct')}
        keep={t('discounts.keep')}
        onAct={remove}
        onClose={() => setOpen(false)}
      >
        <p>{t('discounts.removeText')}</p>
      </Confirm>
    </>
  );
}
