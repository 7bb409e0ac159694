import { type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, unchecked } from '../../api/client.ts';
import { Link, usePlace } from '../../app/links.tsx';
import { SaveBar } from '../../app/save-bar.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useMoney, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { FormProblem, TextArea, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Badge, Button, Card, Facts, Head, Time } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { BanDialog } from './ban-dialog.tsx';

type Buyer = Schemas['BuyerDetailsDto'];

export default function PlayerPage() {
  const t = useT();
  const shop = useShop();
  const { key = '' } = usePlace();
  const query = useQuery({
    queryKey: shopKey(shop._id, 'buyers', key),
    queryFn: () => dataOf(api.get('/api/v2/buyers/{shopId}/{key}', { path: { shopId: shop._id, key } })),
    refetchOnWindowFocus: false,
  });
  return (
    <Loaded query={query} heading={t('players.player')}>
      {(buyer) => <Details key={buyer.key} buyer={buyer} />}
    </Loaded>
  );
}

function Details({ buyer }: { readonly buyer: Buyer }) {
  const t = useT();
  const shop = useShop();
  const mayWrite = useMay('orders:write');
  const [isBanning, setBanning] = useState(false);
  const name = buyer.nickname ?? buyer.email ?? t('players.nobody');
  const base = `/${shop.uniqueName}/players`;
  return (
    <>
      <Head
        title={name}
        badges={
          buyer.isBanned ? (
            <Badge tone="bad">{t('players.banned')}</Badge>
          ) : (
            <Badge tone="good">{t('players.good')}</Badge>
          )
        }
        back={
          <Link className="back" to={base}>
            <Icon name="left" />
            {t('players.title')}
          </Link>
        }
      >
        {mayWrite && !buyer.isBanned && (
          <Button icon="ban" onClick={() => setBanning(true)}>
            {t('players.ban')}
          </Button>
        )}
      </Head>
      <Figures buyer={buyer} />
      <div className="grid2">
        <div className="stack">
          <Orders nickname={buyer.nickname} email={buyer.email} />
        </div>
        <aside className="stack" aria-label={t('players.about')}>
          {buyer.nickname !== null && <Owns nickname={buyer.nickname} />}
          <Card title={t('players.knownAs')}>
            <Facts
              facts={buyer.links.map(({ key, kind, name: other }) => [
                t(`players.kind.${kind}`),
                <Link key={key} to={`${base}/${key}`}>
                  {other}
                </Link>,
              ])}
            />
          </Card>
          {buyer.bans.length > 0 && (
            <Card title={t('players.bans')}>
              <Facts
                facts={buyer.bans.map(({ id, reason, createdAt }) => [<Time key={id} at={createdAt} />, reason ?? ''])}
              />
            </Card>
          )}
          <Note buyer={buyer} mayWrite={mayWrite} />
        </aside>
      </div>
      {isBanning && (
        <BanDialog
          nickname={buyer.kind === 'player' ? (buyer.nickname ?? '') : ''}
          email={buyer.kind === 'mailbox' ? (buyer.email ?? '') : ''}
          onClose={() => setBanning(false)}
        />
      )}
    </>
  );
}

function Figures({ buyer }: { readonly buyer: Buyer }) {
  const t = useT();
  const money = useMoney();
  const sums = (of: 'paid' | 'refunded'): string =>
    buyer.totals.map((totals) => money(totals[of], totals.currency)).join(', ') || '0';
  const figures = [
    [t('players.spent'), sums('paid'), t('players.ordersCount', { count: buyer.orders })],
    [t('players.refunded'), sums('refunded'), ''],
    [t('players.disputes'), String(buyer.disputes.length), ''],
  ] as const;
  return (
    <section className="stats" aria-label={t('players.figures')}>
      {figures.map(([label, value, note]) => (
        <div className="card stat" key={label}>
          <small>{label}</small>
          <b>{value}</b>
          <span className="delta same">{note}</span>
        </div>
      ))}
      <div className="card stat">
        <small>{t('players.since')}</small>
        <b>{buyer.firstPurchaseAt === null ? '–' : <Time at={buyer.firstPurchaseAt} />}</b>
      </div>
    </section>
  );
}

/** The latest orders with the name or the mailbox. */
function Orders({ nickname, email }: { readonly nickname: string | null; readonly email: string | null }) {
  const t = useT();
  const shop = useShop();
  const money = useMoney();
  const filters = nickname === null ? { email } : { nickname };
  const query = useQuery({
    queryKey: shopKey(shop._id, 'orders', 'of', filters),
    queryFn: () =>
      dataOf(
        api.get('/api/v2/orders/{shopId}', { path: { shopId: shop._id }, query: unchecked({ ...filters, limit: 20 }) }),
      ),
  });
  return (
    <section className="card flush">
      <div className="between">
        <h2>{t('players.orders')}</h2>
      </div>
      <Loaded query={query}>
        {(orders) =>
          orders.length === 0 ? (
            <Empty title={t('players.noOrders')} />
          ) : (
            <table className="t">
              <thead>
                <tr>
                  <th scope="col">{t('players.order')}</th>
                  <th scope="col" className="r">
                    {t('players.total')}
                  </th>
                  <th scope="col">{t('players.when')}</th>
                </tr>
              </thead>
              <tbody>
                {orders.map((order) => (
                  <tr key={order.id}>
                    <td>
                      <span className="cell">
                        <span className="two-l">
                          <Link className="go" to={`/${shop.uniqueName}/orders/${order.id}`}>
                            #{order.number}
                          </Link>
                          <small>{order.items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}</small>
                        </span>
                      </span>
                    </td>
                    <td className="r">
                      <b className="b6">{money(order.total, order.currency)}</b>
                    </td>
                    <td className="muted nowrap small">
                      <Time at={order.createdAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </section>
  );
}

function Owns({ nickname }: { readonly nickname: string }) {
  const t = useT();
  const shop = useShop();
  const may = useMay('entitlements:read');
  const query = useQuery({
    queryKey: shopKey(shop._id, 'entitlements', nickname),
    queryFn: () =>
      dataOf(
        api.get('/api/v2/entitlements/{shopId}', {
          path: { shopId: shop._id },
          query: { nickname, state: 'owned', limit: 50 },
        }),
      ),
    enabled: may,
  });
  if (!may) return null;
  return (
    <Card title={t('players.ownsNow')}>
      <Loaded query={query} rows={2}>
        {(owned) =>
          owned.length === 0 ? (
            <p className="muted">{t('players.ownsNothing')}</p>
          ) : (
            <ul className="checks">
              {owned.map(({ id, productName, until, quantity }) => (
                <li className="ok" key={id}>
                  <Icon name="check" />
                  <span className="grow">
                    <b className="b6">
                      {productName ?? t('players.removedProduct')}
                      {quantity > 1 && ` × ${quantity}`}
                    </b>
                    <small>
                      {until === null ? (
                        t('players.forEver')
                      ) : (
                        <>
                          {t('players.until')} <Time at={until} />
                        </>
                      )}
                    </small>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Note({ buyer, mayWrite }: { readonly buyer: Buyer; readonly mayWrite: boolean }) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const form = useForm({ note: buyer.note?.text ?? '' }, async ({ note }) => {
    const body = { note: note.trim() === '' ? null : note };
    await api.put('/api/v2/buyers/{shopId}/{key}/note', { path: { shopId: shop._id, key: buyer.key }, body });
    await refresh(...shopKey(shop._id, 'buyers'));
  });
  return (
    <Card title={t('players.note')} className="fields">
      <FormProblem form={form} />
      <fieldset disabled={!mayWrite}>
        <TextArea
          label={t('players.noteLabel')}
          hint={t('players.noteHint')}
          rows={3}
          value={form.values.note}
          error={form.errors['note']}
          onChange={(note) => form.set('note', note)}
        />
      </fieldset>
      <SaveBar form={form} />
    </Card>
  );
}
