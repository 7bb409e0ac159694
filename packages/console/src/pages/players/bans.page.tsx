import { type Schemas } from '@shop-platform/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unchecked } from '../../api/client.ts';
import { Link, useSearchState } from '../../app/links.tsx';
import { Filter, SearchTools } from '../../app/list-tools.tsx';
import { Pager } from '../../app/pager.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Head, Time } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { BanDialog } from './ban-dialog.tsx';

type Ban = Schemas['BanDto'];

export default function BansPage() {
  const t = useT();
  const shop = useShop();
  const tell = useTell();
  const refresh = useRefresh();
  const mayWrite = useMay('orders:write');
  const [search] = useSearchState();
  const [isBanning, setBanning] = useState(false);
  const { q, hasEnded, cursor } = search;
  const filters = { q, hasEnded, cursor, limit: 50 };
  const query = useQuery({
    queryKey: shopKey(shop._id, 'bans', filters),
    queryFn: () => api.page('/api/v2/bans/{shopId}', { path: { shopId: shop._id }, query: unchecked(filters) }),
    placeholderData: keepPreviousData,
  });
  const lift = async (ban: Ban): Promise<void> => {
    await api.delete('/api/v2/bans/{shopId}/{banId}', { path: { shopId: shop._id, banId: ban.id } });
    await refresh(...shopKey(shop._id, 'bans'));
    tell(t('players.lifted', { name: ban.nickname ?? ban.email ?? '' }));
  };
  return (
    <>
      <Head
        title={t('players.bans')}
        back={
          <Link className="back" to={`/${shop.uniqueName}/players`}>
            <Icon name="left" />
            {t('players.title')}
          </Link>
        }
      >
        {mayWrite && (
          <Button look="main" icon="ban" onClick={() => setBanning(true)}>
            {t('players.banSomebody')}
          </Button>
        )}
      </Head>
      <section className="card flush">
        <SearchTools label={t('players.banSearchHint')}>
          <Filter
            label={t('players.state')}
            name="hasEnded"
            options={[
              ['false', t('players.banned')],
              ['true', t('players.over')],
            ]}
          />
        </SearchTools>
        <Loaded query={query}>
          {({ data, total, next }) =>
            data.length === 0 ? (
              <Empty title={t('players.noBans')} />
            ) : (
              <>
                <table className="t">
                  <thead>
                    <tr>
                      <th scope="col">{t('players.player')}</th>
                      <th scope="col">{t('players.reason')}</th>
                      <th scope="col">{t('players.until')}</th>
                      <th scope="col">
                        <span className="sr">{t('players.acts')}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.map((ban) => (
                      <tr key={ban.id}>
                        <td>
                          <b className="b6">{[ban.nickname, ban.email].filter(Boolean).join(', ')}</b>
                        </td>
                        <td className="muted full">{ban.reason}</td>
                        <td className="muted nowrap small">
                          {ban.until === null ? t('players.forEver') : <Time at={ban.until} />}
                        </td>
                        <td className="r">
                          {mayWrite && (
                            <Button look="plain" onClick={() => void lift(ban)}>
                              {t('players.lift')}
                            </Button>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                <Pager total={total} shown={data.length} next={next} />
              </>
            )
          }
        </Loaded>
      </section>
      {isBanning && <BanDialog nickname="" email="" onClose={() => setBanning(false)} />}
    </>
  );
}
