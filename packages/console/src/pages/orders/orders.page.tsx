import { type Schemas } from '@shop-platform/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, apiUrl, dataOf, unchecked } from '../../api/client.ts';
import { Link, type Search, useSearchState } from '../../app/links.tsx';
import { Pager } from '../../app/pager.tsx';
import { LIVE_MS, overviewQuery, shopKey } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { BulkBar, useChosen } from '../../ui/bulk.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Head } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { AgainDialog } from '../deliveries/again.tsx';
import { OrderTable } from './order-table.tsx';
import { filtersOf, useSavedViews, ViewButtons } from './saved-views.tsx';
import { DELIVERY_STATES, type OrderRow, PAYMENT_STATES } from './order-types.ts';

type Counts = Schemas['OrderCountsDto'];

/** The views that everybody has: each is a set of filters, with the number of its orders. */
const VIEWS: readonly (readonly [name: string, filters: Search, count?: keyof Counts])[] = [
  ['all', {}],
  ['review', { paymentStatus: 'needs_review' }, 'needsReview'],
  ['failed', { deliveryStatus: 'failed' }, 'failed'],
  ['waiting', { deliveryStatus: 'queued' }, 'waits'],
  ['disputed', { paymentStatus: 'disputed' }, 'disputed'],
  ['unpaid', { paymentStatus: 'pending', status: 'open' }, 'unpaid'],
];
const MAX_COUNTED = 1_000;
const shownCount = (count: number): string => (count < MAX_COUNTED ? String(count) : `${count}+`);
const FILTERS = [
  'q',
  'status',
  'paymentStatus',
  'deliveryStatus',
  'serverId',
  'origin',
  'from',
  'to',
  'nickname',
] as const;

export default function OrdersPage() {
  const t = useT();
  const shop = useShop();
  const mayGrant = useMay('orders:grant');
  const mayWrite = useMay('orders:write');
  const { views } = useSavedViews();
  const [search, change] = useSearchState();
  const filters = Object.fromEntries(FILTERS.map((name) => [name, search[name]]));
  const query = { ...filters, cursor: search['cursor'], limit: 25 };
  const orders = useQuery({
    queryKey: shopKey(shop._id, 'orders', query),
    queryFn: () => api.page('/api/v2/orders/{shopId}', { path: { shopId: shop._id }, query: unchecked(query) }),
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
  });
  const counts = useQuery({
    queryKey: shopKey(shop._id, 'orders', 'counts'),
    queryFn: () => dataOf(api.get('/api/v2/orders/{shopId}/counts', { path: { shopId: shop._id } })),
    refetchInterval: LIVE_MS,
  }).data;
  const isFiltered = FILTERS.some((name) => search[name] !== undefined);
  const none = Object.fromEntries([...FILTERS, 'cursor'].map((name) => [name, undefined]));
  return (
    <>
      <Head title={t('orders.title')}>
        {mayGrant && (
          <Link className="btn" to={`/${shop.uniqueName}/orders/new`}>
            <Icon name="gift" />
            {t('orders.give')}
          </Link>
        )}
        <a className="btn" href={apiUrl(`/orders/${shop._id}/export`, { ...filters, separator: 'comma' })} download>
          <Icon name="download" />
          {t('orders.export')}
        </a>
      </Head>
      <nav className="tabs" aria-label={t('orders.views')}>
        {VIEWS.map(([name, view, countOf]) => {
          const count = countOf === undefined ? 0 : (counts?.[countOf] ?? 0);
          const isCurrent = filtersOf(search) === filtersOf(view);
          return (
            <button
              key={name}
              type="button"
              aria-current={isCurrent ? 'page' : undefined}
              onClick={() => change({ ...none, ...view })}
            >
              {t(`orders.view.${name}`)}
              {count > 0 && <span className="n">{shownCount(count)}</span>}
            </button>
          );
        })}
        {views.map((view) => (
          <button
            key={view.name}
            type="button"
            aria-current={filtersOf(search) === view.filters ? 'page' : undefined}
            onClick={() => change({ ...none, ...Object.fromEntries(new URLSearchParams(view.filters)) })}
          >
            {view.name}
          </button>
        ))}
      </nav>
      <section className="card flush">
        <Filters
          search={search}
          isBuiltIn={VIEWS.some(([, view]) => filtersOf(view) === filtersOf(search))}
          change={(changes) => change({ ...changes, cursor: undefined })}
        />
        <Loaded query={orders} rows={8}>
          {({ data, total, next }) =>
            data.length === 0 ? (
              isFiltered ? (
                <Empty title={t('orders.nothingFound')} text={t('orders.nothingFoundText')}>
                  <Button onClick={() => change(none)}>{t('list.clear')}</Button>
                </Empty>
              ) : (
                <Empty title={t('orders.none')} text={t('orders.noneText')} />
              )
            ) : (
              <>
                {mayWrite ? <Choosable orders={data} /> : <OrderTable orders={data} />}
                <Pager total={total} shown={data.length} next={next} />
              </>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

/** Orders whose failed deliveries can be queued again together. */
function Choosable({ orders }: { readonly orders: readonly OrderRow[] }) {
  const t = useT();
  const shop = useShop();
  const chosen = useChosen(orders.map(({ id }) => id));
  const [isOpen, setOpen] = useState(false);
  /** Only what failed: delivered goods never run twice by an act on many. */
  const failedOf = async (): Promise<{ readonly deliveryIds: readonly string[] }> => {
    const deliveryIds: string[] = [];
    for (const orderId of chosen.ids) {
      const query = { orderId, state: 'failed' as const, limit: 100 };
      const { data } = await api.page('/api/v2/deliveries/{shopId}', { path: { shopId: shop._id }, query });
      deliveryIds.push(...data.map(({ id }) => id));
    }
    return { deliveryIds };
  };
  const failed = orders.filter(({ id, deliveryStatus }) => chosen.ids.includes(id) && deliveryStatus === 'failed');
  return (
    <>
      <OrderTable
        orders={orders}
        before={({ id, number }) => chosen.box(id, `#${number}`)}
        beforeHead={chosen.boxOfAll}
        isChosen={({ id }) => chosen.ids.includes(id)}
      />
      <BulkBar chosen={chosen} all={orders.length}>
        <Button icon="again" disabled={failed.length === 0} onClick={() => setOpen(true)}>
          {t('order.redeliver')}
        </Button>
      </BulkBar>
      <AgainDialog
        isOpen={isOpen}
        text={t('deliveries.againOrders', { count: failed.length })}
        which={failedOf}
        onClose={() => setOpen(false)}
        onDone={chosen.clear}
      />
    </>
  );
}

function Filters({
  search,
  isBuiltIn,
  change,
}: {
  readonly search: Search;
  /** Whether everybody has a view with these filters. */
  readonly isBuiltIn: boolean;
  readonly change: (changes: Search) => void;
}) {
  const t = useT();
  const shop = useShop();
  const servers = useQuery(overviewQuery(shop._id)).data?.servers ?? [];
  const [text, setText] = useState(search['q'] ?? '');
  const find = (event: FormEvent): void => {
    event.preventDefault();
    change({ q: text.trim() });
  };
  const select = (name: string, options: readonly (readonly [value: string, label: string])[]) => (
    <select
      name={name}
      className={`chip ${search[name] === undefined ? '' : 'on'}`}
      aria-label={t(`orders.filter.${name}`)}
      value={search[name] ?? ''}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    >
      <option value="">{t(`orders.filter.${name}`)}</option>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
  return (
    <form className="tools" role="search" onSubmit={find}>
      <input
        className="input"
        type="search"
        name="q"
        aria-label={t('orders.search')}
        placeholder={t('orders.search')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => text.trim() !== (search['q'] ?? '') && change({ q: text.trim() })}
      />
      {select(
        'paymentStatus',
        PAYMENT_STATES.map((state) => [state, t(`order.payment.${state}`)] as const),
      )}
      {select(
        'deliveryStatus',
        DELIVERY_STATES.map((state) => [state, t(`order.delivery.${state}`)] as const),
      )}
      {select(
        'serverId',
        servers.map(({ id, name }) => [id, name] as const),
      )}
      {!isBuiltIn && <ViewButtons search={search} />}
    </form>
  );
}
