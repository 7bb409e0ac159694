import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Link, usePlace } from '../../app/links.tsx';
import { LIVE_MS, shopKey } from '../../app/queries.ts';
import { useMay, useMoney, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Face } from '../../ui/face.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Alert, Button, Card, Facts, Head, Time } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { type Act, OrderDialog } from './order-dialogs.tsx';
import { Deliveries } from './deliveries-card.tsx';
import { NoteForm } from './note-form.tsx';
import { OrderStates, useServerNames } from './order-table.tsx';
import { type Order } from './order-types.ts';

export default function OrderPage() {
  const t = useT();
  const { orderId = '' } = usePlace();
  const shop = useShop();
  const order = useQuery({
    queryKey: shopKey(shop._id, 'orders', orderId),
    queryFn: () => dataOf(api.get('/api/v2/orders/{shopId}/{orderId}', { path: { shopId: shop._id, orderId } })),
    refetchInterval: LIVE_MS,
  });
  return (
    <Loaded query={order} heading={t('orders.order')}>
      {(data) => <OrderDetail order={data} />}
    </Loaded>
  );
}

/** What the shop has of the money of an order. */
const keptOf = ({ receivedPayments }: Order): number =>
  (receivedPayments ?? []).reduce((sum, { amount, refunded, chargedBack }) => sum + amount - refunded - chargedBack, 0);

function OrderDetail({ order }: { readonly order: Order }) {
  const t = useT();
  const shop = useShop();
  const money = useMoney();
  const [act, setAct] = useState<Act | null>(null);
  const mayRefund = useMay('payments:write');
  const mayWrite = useMay('orders:write');
  const kept = keptOf(order);
  const needsReview = order.paymentStatus === 'needs_review';
  const more = [
    ...(mayWrite && !['delivered', 'revoked'].includes(order.deliveryStatus)
      ? [{ label: t('order.nickname'), icon: 'person' as const, onSelect: () => setAct('nickname') }]
      : []),
    ...(mayWrite && order.paidAt !== null
      ? [{ label: t('order.redeliver'), icon: 'again' as const, onSelect: () => setAct('redeliver') }]
      : []),
    ...(mayWrite && order.status === 'open'
      ? [{ label: t('order.cancel'), icon: 'ban' as const, isDanger: true, onSelect: () => setAct('cancel') }]
      : []),
  ];
  return (
    <>
      <Head
        title={t('order.title', { number: `#${order.number}` })}
        back={
          <Link className="back" to={`/${shop.uniqueName}/orders`}>
            <Icon name="left" />
            {t('orders.title')}
          </Link>
        }
        badges={<OrderStates order={order} />}
      >
        {mayRefund && kept > 0 && (
          <Button icon="refund" onClick={() => setAct('refund')}>
            {t('order.refund')}
          </Button>
        )}
        {more.length > 0 && <Menu button={<Button icon="more" aria-label={t('common.more')} />} entries={more} />}
      </Head>
      <Failures order={order} />
      {needsReview && (
        <section className="card">
          <h2>{t('order.reviewTitle')}</h2>
          {(order.reviewReasons ?? []).map((reason, index) => (
            <Alert key={index} tone="warn" title={t(`order.review.${reason.code}`)}>
              {t('order.arrived', {
                amount: money(reason.amount, reason.currency),
                due: money(order.total, order.currency),
              })}
            </Alert>
          ))}
          {mayWrite && (
            <div className="row wrapx top">
              <Button look="main" onClick={() => setAct('accept')}>
                {t('order.accept')}
              </Button>
              <Button onClick={() => setAct('reject')}>{t('order.reject')}</Button>
            </div>
          )}
        </section>
      )}
      <div className="grid2">
        <div className="stack">
          <Money order={order} kept={kept} />
          <Deliveries order={order} {...(mayWrite ? { onAgain: () => setAct('redeliver') } : {})} />
        </div>
        <aside className="stack">
          <Buyer order={order} />
          <Timeline order={order} mayWrite={mayWrite} />
          <Ids order={order} />
        </aside>
      </div>
      <OrderDialog act={act} order={order} kept={kept} onClose={() => setAct(null)} />
    </>
  );
}

/** What failed, in the words of the game server. */
function Failures({ order }: { readonly order: Order }) {
  const t = useT();
  const failed = order.deliveries.filter(({ state }) => state === 'failed');
  const said = failed[0]?.attempts.at(-1)?.output ?? null;
  if (failed.length === 0) return null;
  return (
    <Alert tone="bad" title={t('order.failedOf', { count: failed.length, all: order.deliveries.length })}>
      {said !== null && said !== '' && t('order.answered', { text: said })}
    </Alert>
  );
}

function Money({ order, kept }: { readonly order: Order; readonly kept: number }) {
  const t = useT();
  const money = useMoney();
  const of = (amount: number): string => money(amount, order.currency);
  const sums = [
    ...(order.discountAmount > 0
      ? [
          [t('order.subtotal'), of(order.subtotal)],
          [
            order.discountCode === null ? t('order.discount') : t('order.code', { code: order.discountCode }),
            of(-order.discountAmount),
          ],
        ]
      : []),
    [t('orders.total'), of(order.total)],
    ...(order.receivedPayments ?? []).flatMap(({ provider, amount, refunded, chargedBack, currency }) => [
      [t('order.paidWith', { provider }), money(amount, currency)],
      ...(refunded > 0 ? [[t('order.refunded'), money(-refunded, currency)]] : []),
      ...(chargedBack > 0 ? [[t('order.chargedBack'), money(-chargedBack, currency)]] : []),
    ]),
  ];
  return (
    <Card title={t('order.products')}>
      <ul className="lines">
        {order.items.map((item, index) => (
          <li key={index}>
            <span className="grow">
              <b className="b6">{item.name}</b>
              <br />
              <span className="muted small">
                {item.quantity} × {of(item.unitPrice)}
              </span>
            </span>
            <b className="b6 num">{of(item.total)}</b>
          </li>
        ))}
      </ul>
      <dl className="kv right sums">
        {sums.map(([name, value], index) => (
          <div className="contents" key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {order.receivedPayments !== null && order.receivedPayments.length > 0 && (
          <div className="contents">
            <dt className="sum">{t('order.kept')}</dt>
            <dd className="sum">{of(kept)}</dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

function Buyer({ order }: { readonly order: Order }) {
  const t = useT();
  const shop = useShop();
  const serverName = useServerNames();
  return (
    <Card
      title={t('order.player')}
      side={
        <Link to={`/${shop.uniqueName}/orders`} search={{ nickname: order.nickname }}>
          {t('order.allOrders')}
        </Link>
      }
    >
      <div className="row">
        <Face name={order.nickname} size={40} />
        <b className="b6 grow breaks">{order.nickname}</b>
      </div>
      <Facts
        className="top"
        facts={[
          ...(order.email === null ? [] : [[t('order.email'), order.email] as const]),
          [t('orders.server'), serverName(order.serverId)],
          ...(order.origin === 'checkout' ? [] : [[t('order.origin'), t(`order.origin.${order.origin}`)] as const]),
        ]}
      />
    </Card>
  );
}

const TONES: Readonly<Record<string, string>> = {
  'payment.succeeded': 'good',
  delivered: 'good',
  delivery_failed: 'bad',
};

function Timeline({ order, mayWrite }: { readonly order: Order; readonly mayWrite: boolean }) {
  const t = useT();
  const nameOf = (actor: string, name: string | null): string => {
    if (name !== null) return name;
    const [kind = '', rest = ''] = actor.split(':');
    const key = `order.actor.${kind}`;
    return t(key, { name: rest });
  };
  const sentence = (action: string): string => {
    const key = `order.did.${action}`;
    const text = t(key);
    return text === key ? action.replaceAll(/[._]/g, ' ') : text;
  };
  return (
    <Card title={t('order.timeline')}>
      {mayWrite && <NoteForm order={order} />}
      <ol className="tl">
        {[...(order.history ?? [])].reverse().map(({ at, actor, actorName, action, detail }, index) => (
          <li key={index} className={TONES[action] ?? ''}>
            <b className="b6">{sentence(action)}</b> <span className="muted">{nameOf(actor, actorName)}</span>
            {detail !== null && detail !== '' && <p className="note">{detail}</p>}
            <Time at={at} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Ids({ order }: { readonly order: Order }) {
  const t = useT();
  const ids = [
    [t('orders.order'), order.id],
    ...(order.receivedPayments ?? []).map(({ paymentId }) => [t('order.payment'), paymentId]),
  ];
  return (
    <Card title={t('order.ids')}>
      <Facts
        className="small"
        facts={ids.map(([name, id = '']) => [
          name,
          <span className="row" key={id}>
            <span className="mono grow">{id}</span>
            <CopyButton text={id} />
          </span>,
        ])}
      />
      <details className="top">
        <summary className="small">{t('order.json')}</summary>
        <pre className="code">{JSON.stringify(order, null, 2)}</pre>
      </details>
    </Card>
  );
}
