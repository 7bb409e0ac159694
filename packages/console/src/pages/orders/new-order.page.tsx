import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Link, useGo } from '../../app/links.tsx';
import { overviewQuery, shopKey } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { FormProblem, SelectField, TextField, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Head } from '../../ui/parts.tsx';

const KINDS = ['rehearsal', 'grant', 'paid_outside'] as const;
type Kind = (typeof KINDS)[number];

/** An order that staff place: a rehearsal, something given, or something that was paid elsewhere. */
export default function NewOrderPage() {
  const t = useT();
  const shop = useShop();
  const go = useGo();
  const key = useRef(crypto.randomUUID());
  const products = useQuery({
    queryKey: shopKey(shop._id, 'products', 'choice'),
    queryFn: () => dataOf(api.get('/api/v2/products/{shopId}', { path: { shopId: shop._id }, query: { limit: 100 } })),
  }).data;
  const servers = useQuery(overviewQuery(shop._id)).data?.servers;
  const start = { kind: 'rehearsal' as Kind, productId: '', serverId: '', nickname: '', reason: '' };
  const form = useForm(start, async ({ productId, serverId, ...rest }) => {
    const items = [{ productId: productId || (products?.[0]?.id ?? ''), quantity: 1 }];
    const body = { ...rest, items, serverId: serverId || (servers?.[0]?.id ?? '') };
    const order = await dataOf(
      api.post('/api/v2/orders/{shopId}', { path: { shopId: shop._id }, body, idempotencyKey: key.current }),
    );
    go(`/${shop.uniqueName}/orders/${order.id}`);
  });
  const set: typeof form.set = (name, value) => {
    key.current = crypto.randomUUID();
    form.set(name, value);
  };
  const { values, errors } = form;
  return (
    <>
      <Head
        title={t('orders.give')}
        back={
          <Link className="back" to={`/${shop.uniqueName}/orders`}>
            <Icon name="left" />
            {t('orders.title')}
          </Link>
        }
      />
      <form className="card fields" onSubmit={(event) => void form.submit(event)}>
        <FormProblem form={form} />
        <SelectField
          label={t('orders.kind')}
          hint={t(`orders.kindText.${values.kind}`)}
          value={values.kind}
          options={KINDS.map((kind) => [kind, t(`order.origin.${kind}`)] as const)}
          onChange={(kind) => set('kind', kind)}
        />
        <SelectField
          label={t('orders.product')}
          value={values.productId}
          error={errors['items.0.productId']}
          options={(products ?? []).map(({ id, name }) => [id, name] as const)}
          onChange={(id) => set('productId', id)}
        />
        <SelectField
          label={t('orders.server')}
          value={values.serverId}
          error={errors['serverId']}
          options={(servers ?? []).map(({ id, name }) => [id, name] as const)}
          onChange={(id) => set('serverId', id)}
        />
        <TextField
          label={t('order.newNickname')}
          name="nickname"
          required
          value={values.nickname}
          error={errors['nickname']}
          onChange={(nickname) => set('nickname', nickname)}
        />
        <TextField
          label={t('order.reason')}
          hint={t('order.reasonHint')}
          name="reason"
          required
          value={values.reason}
          error={errors['reason']}
          onChange={(reason) => set('reason', reason)}
        />
        <div className="row">
          <Button type="submit" look="main" isBusy={form.isBusy}>
            {t('orders.place')}
          </Button>
        </div>
      </form>
    </>
  );
}
