import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, apiUrl, unchecked } from '../../api/client.ts';
import { Link, type Search, useSearchState } from '../../app/links.tsx';
import { Pager } from '../../app/pager.tsx';
import { LIVE_MS, overviewQuery, shopKey } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Head } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { OrderTable } from './order-table.tsx';
import { DELIVERY_STATES, PAYMENT_STATES } from './order-types.ts';

/** The views that everybody has: each is a set of filters. */
const VIEWS: readonly (readonly [name: string, filters: Search])[] = [
  ['all', {}],
  ['review', { paymentStatus: 'needs_review' }],
  ['failed', { deliveryStatus: 'failed' }],
  ['waiting', { deliveryStatus: 'queued' }],
  ['disputed', { paymentStatus: 'disputed' }],
  ['unpaid', { paymentStatus: 'pending', status: 'open' }],
];
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
  const [search, change] = useSearchState();
  const filters = Object.fromEntries(FILTERS.map((name) => [name, search[name]]));
  const query = { ...filters, cursor: search['cursor'], limit: 25 };
  const orders = useQuery({
    queryKey: shopKey(shop._id, 'orders', query),
    queryFn: () => api.page('/api/v2/orders/{shopId}', { path: { shopId: shop._id }, query: unchecked(query) }),
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
  });
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
        {VIEWS.map(([name, view]) => {
          const isCurrent = ['status', 'paymentStatus', 'deliveryStatus'].every((key) => search[key] === view[key]);
          return (
            <button
              key={name}
              type="button"
              aria-current={isCurrent ? 'page' : undefined}
              onClick={() => change({ ...none, ...view })}
            >
              {t(`orders.view.${name}`)}
            </button>
          );
        })}
      </nav>
      <section className="card flush">
        <Filters search={search} change={(changes) => change({ ...changes, cursor: undefined })} />
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
                <OrderTable orders={data} />
                <Pager total={total} shown={data.length} next={next} />
              </>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

function Filters({ search, change }: { readonly search: Search; readonly change: (changes: Search) => void }) {
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
    </form>
  );
}
