import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { type Overview } from '../../api/types.ts';
import { Link, useSearchState } from '../../app/links.tsx';
import { LIVE_MS, meQuery, overviewQuery, shopKey } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Badge, Card, Choice, Head, Time } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { OrderTable } from '../orders/order-table.tsx';
import { Figures, type FigurePeriod, Revenue } from './figures.tsx';
import { Needs } from './needs.tsx';
import { Setup } from './setup.tsx';

const LATEST = 5;
const NOON = 12;
const EVENING = 18;

function useGreeting(): string {
  const t = useT();
  const me = useQuery(meQuery).data;
  const hour = new Date().getHours();
  const key = hour < NOON ? 'morning' : hour < EVENING ? 'afternoon' : 'evening';
  return t(`home.${key}`, { name: me?.name.split(' ')[0] ?? '' });
}

export default function HomePage() {
  const t = useT();
  const shop = useShop();
  const overview = useQuery(overviewQuery(shop._id, true));
  return (
    <Loaded query={overview} heading={t('nav.home')}>
      {(data) => <Home overview={data} />}
    </Loaded>
  );
}

/** A new shop sees what is left to set up; everybody else what needs them. */
function Home({ overview }: { readonly overview: Overview }) {
  const t = useT();
  const greeting = useGreeting();
  const [search, change] = useSearchState();
  const mayWrite = useMay('shops:write');
  const mayRead = useMay('stats:read');
  const isNew = mayWrite && overview.checklist.some(({ isDone }) => !isDone) && search['list'] !== 'hidden';
  const period = (search['period'] ?? 'today') as FigurePeriod;
  if (isNew) return <Setup overview={overview} greeting={greeting} />;
  return (
    <>
      <Head title={greeting}>
        {mayRead && (
          <Choice
            label={t('home.period')}
            value={period}
            options={[
              ['today', t('home.today')],
              ['7d', t('home.days', { count: 7 })],
              ['30d', t('home.days', { count: 30 })],
            ]}
            onChange={(next) => change({ period: next === 'today' ? undefined : next })}
          />
        )}
      </Head>
      <Needs needs={overview.needs} />
      {mayRead && <Figures overview={overview} period={period} />}
      <div className="grid2">
        {mayRead && <Revenue />}
        {overview.servers !== null && <Servers overview={overview} />}
      </div>
      {overview.orders !== null && <Latest />}
    </>
  );
}

function Servers({ overview }: { readonly overview: Overview }) {
  const t = useT();
  const shop = useShop();
  const servers = overview.servers ?? [];
  return (
    <Card title={t('home.servers')} side={<Link to={`/${shop.uniqueName}/servers`}>{t('home.all')}</Link>}>
      {servers.length === 0 ? (
        <p className="muted">{t('home.noServers')}</p>
      ) : (
        <ul className="checks">
          {servers.map(({ id, name, status, players, lastSeenAt }) => {
            const queue = overview.deliveries?.find(({ serverId }) => serverId === id);
            const facts = [
              ...(players === null ? [] : [t('home.players', { online: players.online, max: players.max })]),
              ...(queue && queue.waiting > 0 ? [t('home.wait', { count: queue.waiting })] : []),
              ...(queue && queue.failed > 0 ? [t('home.failed', { count: queue.failed })] : []),
            ];
            return (
              <li key={id} className={status === 'online' ? 'ok' : status === 'offline' ? 'no' : 'meh'}>
                <Icon name={status === 'online' ? 'check' : 'warning'} />
                <span className="grow">
                  <b className="b6">{name}</b>
                  <small>{facts.join(' · ')}</small>
                </span>
                <Badge tone={status === 'online' ? 'good' : status === 'offline' ? 'bad' : 'ring'}>
                  {lastSeenAt === null ? t('home.neverSeen') : <Time at={lastSeenAt} />}
                </Badge>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

function Latest() {
  const t = useT();
  const shop = useShop();
  const orders = useQuery({
    queryKey: shopKey(shop._id, 'orders', 'latest'),
    queryFn: () => dataOf(api.get('/api/v2/orders/{shopId}', { path: { shopId: shop._id }, query: { limit: LATEST } })),
    refetchInterval: LIVE_MS,
  });
  return (
    <Card isFlush title={t('home.latest')} side={<Link to={`/${shop.uniqueName}/orders`}>{t('home.allOrders')}</Link>}>
      <Loaded query={orders} rows={LATEST}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t('orders.none')} text={t('orders.noneText')} />
          ) : (
            <OrderTable orders={rows} />
          )
        }
      </Loaded>
    </Card>
  );
}
