import { type Schemas } from '@shop-platform/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, unchecked } from '../../api/client.ts';
import { Link, useSearchState } from '../../app/links.tsx';
import { Pager } from '../../app/pager.tsx';
import { LIVE_MS, shopKey } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { BulkBar, useChosen } from '../../ui/bulk.tsx';
import { Button, Card, Head, Time } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { AgainDialog } from './again.tsx';
import { DeliveryCard } from '../orders/deliveries-card.tsx';
import { type Delivery } from '../orders/order-types.ts';
import { useServerNames } from '../orders/order-table.tsx';

type Failure = Schemas['FailureGroupDto'];

const STATES = ['failed', 'queued', 'leased', 'delivered', 'held'] as const;

export default function DeliveriesPage() {
  const t = useT();
  const shop = useShop();
  const [search, change] = useSearchState();
  const state = search['state'] ?? 'failed';
  const query = { state, serverId: search['serverId'], cursor: search['cursor'], limit: 25 };
  const deliveries = useQuery({
    queryKey: shopKey(shop._id, 'deliveries', query),
    queryFn: () => api.page('/api/v2/deliveries/{shopId}', { path: { shopId: shop._id }, query: unchecked(query) }),
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Head title={t('deliveries.title')} />
      {state === 'failed' && <Failures />}
      <nav className="tabs" aria-label={t('deliveries.states')}>
        {STATES.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={name === state ? 'page' : undefined}
            onClick={() => change({ state: name, cursor: undefined })}
          >
            {t(`order.delivery.${name}`)}
          </button>
        ))}
      </nav>
      <section className="card">
        <Loaded query={deliveries}>
          {({ data, total, next }) =>
            data.length === 0 ? (
              <Empty title={t('deliveries.none')} />
            ) : (
              <>
                <List deliveries={data} />
                <Pager total={total} shown={data.length} next={next} />
              </>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

/** Deliveries; those that failed can be chosen and queued again. */
function List({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const t = useT();
  const shop = useShop();
  const mayWrite = useMay('orders:write');
  const failed = deliveries.filter(({ state }) => state === 'failed').map(({ id }) => id);
  const chosen = useChosen(mayWrite ? failed : []);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {deliveries.map((delivery) => (
        <div className="deliv-row" key={delivery.id}>
          <DeliveryCard
            delivery={delivery}
            name={delivery.nickname}
            before={mayWrite && delivery.state === 'failed' && chosen.box(delivery.id, delivery.nickname)}
          />
          <Link className="small" to={`/${shop.uniqueName}/orders/${delivery.orderId}`}>
            {t('deliveries.toOrder')}
          </Link>
        </div>
      ))}
      <BulkBar chosen={chosen} all={failed.length}>
        <Button icon="again" onClick={() => setOpen(true)}>
          {t('order.redeliver')}
        </Button>
      </BulkBar>
      <AgainDialog
        isOpen={isOpen}
        text={t('deliveries.againText', { count: chosen.ids.length })}
        which={() => Promise.resolve({ deliveryIds: chosen.ids })}
        onClose={() => setOpen(false)}
        onDone={chosen.clear}
      />
    </>
  );
}

/** What failed, by reason: one cause often fails many. */
function Failures() {
  const t = useT();
  const shop = useShop();
  const mayWrite = useMay('orders:write');
  const serverName = useServerNames();
  const [chosen, setChosen] = useState<Failure | null>(null);
  const failures = useQuery({
    queryKey: shopKey(shop._id, 'failures'),
    queryFn: () => dataOf(api.get('/api/v2/deliveries/{shopId}/failures', { path: { shopId: shop._id } })),
    refetchInterval: LIVE_MS,
  });
  return (
    <Loaded query={failures} rows={2}>
      {({ groups }) =>
        groups.length === 0 ? null : (
          <Card isFlush title={t('deliveries.why')}>
            <ul className="todo">
              {groups.map((failure) => (
                <li key={failure.key}>
                  <span className="n bad">{failure.count}</span>
                  <span className="grow">
                    <b className="breaks">{failure.reason ?? t(`deliveries.cause.${failure.cause}`)}</b>
                    <small>
                      {failure.serverIds.map(serverName).join(', ')}
                      {failure.lastAt !== null && (
                        <>
                          {' · '}
                          <Time at={failure.lastAt} />
                        </>
                      )}
                    </small>
                  </span>
                  {mayWrite && (
                    <Button icon="again" onClick={() => setChosen(failure)}>
                      {t('order.redeliver')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            <AgainDialog
              isOpen={chosen !== null}
              text={t('deliveries.againText', { count: chosen?.count ?? 0 })}
              which={() => Promise.resolve({ failure: chosen?.key ?? '' })}
              onClose={() => setChosen(null)}
            />
          </Card>
        )
      }
    </Loaded>
  );
}
