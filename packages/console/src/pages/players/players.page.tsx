import { type Schemas } from '@shop-platform/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, unchecked } from '../../api/client.ts';
import { Link, useSearchState } from '../../app/links.tsx';
import { SearchTools } from '../../app/list-tools.tsx';
import { Pager } from '../../app/pager.tsx';
import { shopKey } from '../../app/queries.ts';
import { useMoney, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Face } from '../../ui/face.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Badge, Head, Time } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';

type Buyer = Schemas['BuyerDto'];

export default function PlayersPage() {
  const t = useT();
  const shop = useShop();
  const [search] = useSearchState();
  const { q, kind, cursor } = search;
  const filters = { q, kind, cursor, limit: 50 };
  const query = useQuery({
    queryKey: shopKey(shop._id, 'buyers', filters),
    queryFn: () => api.page('/api/v2/buyers/{shopId}', { path: { shopId: shop._id }, query: unchecked(filters) }),
    placeholderData: keepPreviousData,
  });
  const base = `/${shop.uniqueName}/players`;
  return (
    <>
      <Head title={t('players.title')}>
        <Link className="btn" to={`${base}/bans`}>
          <Icon name="ban" />
          {t('players.bans')}
        </Link>
      </Head>
      <nav className="tabs" aria-label={t('players.kinds')}>
        <Link to={base} aria-current={kind === undefined ? 'page' : undefined}>
          {t('players.names')}
        </Link>
        <Link to={base} search={{ kind: 'mailbox' }} aria-current={kind === 'mailbox' ? 'page' : undefined}>
          {t('players.mailboxes')}
        </Link>
      </nav>
      <section className="card flush">
        <SearchTools label={t('players.searchHint')} />
        <Loaded query={query}>
          {({ data, total, next }) =>
            data.length === 0 ? (
              <Empty title={t(q === undefined ? 'players.none' : 'players.nothingFound')} />
            ) : (
              <>
                <Buyers buyers={data} />
                <Pager total={total} shown={data.length} next={next} />
              </>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

function Buyers({ buyers }: { readonly buyers: readonly Buyer[] }) {
  const t = useT();
  const shop = useShop();
  const money = useMoney();
  return (
    <table className="t">
      <thead>
        <tr>
          <th scope="col">{t('players.player')}</th>
          <th scope="col" className="r">
            {t('players.spent')}
          </th>
          <th scope="col">{t('players.state')}</th>
          <th scope="col" className="r">
            {t('players.orders')}
          </th>
          <th scope="col">{t('players.lastOrder')}</th>
        </tr>
      </thead>
      <tbody>
        {buyers.map(({ key, nickname, email, totals, isBanned, hasNote, orders, lastOrderAt }) => (
          <tr key={key}>
            <td>
              <span className="cell">
                <Face name={nickname ?? email ?? key} />
                <span className="two-l">
                  <Link className="go" to={`/${shop.uniqueName}/players/${key}`}>
                    {nickname ?? email ?? t('players.nobody')}
                  </Link>
                  {hasNote && <small>{t('players.hasNote')}</small>}
                </span>
              </span>
            </td>
            <td className="r">
              {totals.map(({ currency, total }) => (
                <b className="b6 block" key={currency}>
                  {money(total, currency)}
                </b>
              ))}
            </td>
            <td className="full">
              {isBanned ? (
                <Badge tone="bad">{t('players.banned')}</Badge>
              ) : (
                <span className="dim small">{t('players.good')}</span>
              )}
            </td>
            <td className="r hide-s">{orders}</td>
            <td className="muted nowrap small">{lastOrderAt !== null && <Time at={lastOrderAt} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
