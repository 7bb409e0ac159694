import { type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, unchecked } from '../../api/client.ts';
import { useSearchState } from '../../app/links.tsx';
import { Pager } from '../../app/pager.tsx';
import { meQuery, shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Badge, Button, Head, Time } from '../../ui/parts.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { NewKeyDialog } from './new-key.tsx';
import { Sections } from './sections.tsx';

/** Those who manage the team see every key with its details; others see their own keys. */
type Key = Schemas['ApiKeyDto'] & Partial<Schemas['ApiKeyDetailsDto']>;
type Act = { readonly key: Key; readonly kind: 'rotate' | 'revoke' };

const DAY_SECONDS = 86_400;

export default function KeysPage() {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const seesAll = useMay('team:write');
  const [search] = useSearchState();
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [act, setAct] = useState<Act | null>(null);
  const filters = { cursor: search['cursor'], limit: 50 };
  const query = useQuery({
    queryKey: shopKey(shop._id, 'keys', filters),
    queryFn: () =>
      seesAll
        ? api.page('/api/v2/shops/{shopId}/api-keys', { path: { shopId: shop._id }, query: unchecked(filters) })
        : api.page('/api/v2/api-keys', { query: unchecked({ ...filters, shopId: shop._id }) }),
  });
  const show = async (key: string): Promise<void> => {
    setMaking(false);
    setSecret(key);
    await refresh(...shopKey(shop._id, 'keys'));
  };
  const perform = async ({ key, kind }: Act): Promise<void> => {
    if (kind === 'rotate') {
      const body = { graceSeconds: DAY_SECONDS };
      const made = await dataOf(api.post('/api/v2/api-keys/{keyId}/rotate', { path: { keyId: key.id }, body }));
      await show(made.key);
    } else {
      const keyId = key.id;
      await (seesAll
        ? api.delete('/api/v2/shops/{shopId}/api-keys/{keyId}', { path: { shopId: shop._id, keyId } })
        : api.delete('/api/v2/api-keys/{keyId}', { path: { keyId } }));
      await refresh(...shopKey(shop._id, 'keys'));
    }
  };
  return (
    <>
      <Head title={t('developers.title')}>
        <Button look="main" icon="plus" onClick={() => setMaking(true)}>
          {t('developers.newKey')}
        </Button>
      </Head>
      <Sections current="keys" />
      <section className="card flush">
        <Loaded query={query}>
          {({ data, total, next }) =>
            data.length === 0 ? (
              <Empty title={t('developers.noKeys')} text={t('developers.noKeysText')} />
            ) : (
              <>
                <Keys keys={data} onAct={setAct} />
                <Pager total={total} shown={data.length} next={next} />
              </>
            )
          }
        </Loaded>
      </section>
      {isMaking && <NewKeyDialog onMade={(key) => void show(key)} onClose={() => setMaking(false)} />}
      <SecretDialog
        title={t('developers.copyKey')}
        text={t('developers.shownOnce')}
        secret={secret}
        onStored={() => setSecret(null)}
      />
      {act !== null && (
        <Confirm
          isOpen
          title={t(`developers.title.${act.kind}`, { name: act.key.name })}
          act={t(`developers.act.${act.kind}`)}
          keep={t('developers.keepKey')}
          onAct={() => perform(act)}
          onClose={() => setAct(null)}
        >
          <p>{t(`developers.text.${act.kind}`)}</p>
        </Confirm>
      )}
    </>
  );
}

function Keys({ keys, onAct }: { readonly keys: readonly Key[]; readonly onAct: (act: Act) => void }) {
  const t = useT();
  const me = useQuery(meQuery).data;
  const isMine = (key: Key): boolean => key.createdBy === undefined || key.createdBy === me?.id;
  return (
    <table className="t">
      <thead>
        <tr>
          <th scope="col">{t('developers.key')}</th>
          <th scope="col">{t('developers.kind')}</th>
          <th scope="col">{t('developers.may')}</th>
          <th scope="col">{t('developers.lastUsed')}</th>
          <th scope="col">{t('developers.ends')}</th>
          <th scope="col">
            <span className="sr">{t('developers.acts')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td>
              <span className="cell">
                <span className="two-l">
                  <b className="b6">{key.name}</b>
                  <small className="mono">{key.keyPreview}</small>
                </span>
              </span>
            </td>
            <td>
              <Badge>{key.type}</Badge>
            </td>
            <td className="muted full">{(key.scopes ?? key.permissions).join(', ')}</td>
            <td className="muted nowrap small">
              {key.lastUsedAt == null ? t('developers.unknown') : <Time at={key.lastUsedAt} />}
            </td>
            <td className="nowrap hide-s">
              {!key.isActive ? (
                <Badge tone="ring">{t('developers.over')}</Badge>
              ) : key.expiresAt == null ? (
                <span className="dim">{t('developers.never')}</span>
              ) : (
                <Time at={key.expiresAt} />
              )}
            </td>
            <td className="r">
              {key.isActive && (
                <span className="row inline-end">
                  {isMine(key) && (
                    <Button
                      look="plain"
                      aria-label={t('developers.rotateOne', { name: key.name })}
                      onClick={() => onAct({ key, kind: 'rotate' })}
                    >
                      {t('developers.rotate')}
                    </Button>
                  )}
                  <Button
                    look="plain"
                    aria-label={t('developers.revokeOne', { name: key.name })}
                    onClick={() => onAct({ key, kind: 'revoke' })}
                  >
                    {t('developers.revoke')}
                  </Button>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
