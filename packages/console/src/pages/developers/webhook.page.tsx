import { type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, unchecked } from '../../api/client.ts';
import { Link, useGo, usePlace, useSearchState } from '../../app/links.tsx';
import { Pager } from '../../app/pager.tsx';
import { LIVE_MS, shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Badge, Button, Card, Choice, Facts, Head, Time } from '../../ui/parts.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { Empty, Loaded, useErrorText } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { type Webhook, WebhookDialog } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

type Delivery = Schemas['WebhookDeliveryDto'];
interface Path {
  readonly shopId: string;
  readonly webhookId: string;
}

const DAY_SECONDS = 86_400;

export default function WebhookPage() {
  const t = useT();
  const shop = useShop();
  const { webhookId = '' } = usePlace();
  const query = useQuery({
    queryKey: shopKey(shop._id, 'webhooks', webhookId),
    queryFn: () => dataOf(api.get('/api/v2/webhooks/{shopId}/{webhookId}', { path: { shopId: shop._id, webhookId } })),
  });
  return (
    <Loaded query={query} heading={t('developers.webhook')}>
      {(webhook) => <Details webhook={webhook} />}
    </Loaded>
  );
}

function Details({ webhook }: { readonly webhook: Webhook }) {
  const t = useT();
  const shop = useShop();
  const tell = useTell();
  const textOf = useErrorText();
  const refresh = useRefresh();
  const mayWrite = useMay('webhooks:write');
  const path = { shopId: shop._id, webhookId: webhook.id };
  const [isEditing, setEditing] = useState(false);
  const test = async (): Promise<void> => {
    try {
      await api.post('/api/v2/webhooks/{shopId}/{webhookId}/test', { path });
      tell(t('developers.testSent'));
    } catch (error) {
      tell(textOf(error));
    }
    await refresh(...shopKey(shop._id, 'webhooks'));
  };
  return (
    <>
      <Head
        title={webhook.description ?? t('developers.webhook')}
        badges={<WebhookState webhook={webhook} />}
        back={
          <Link className="back" to={`/${shop.uniqueName}/developers/webhooks`}>
            <Icon name="left" />
            {t('developers.webhooks')}
          </Link>
        }
      >
        {mayWrite && (
          <>
            <Button onClick={() => void test()}>{t('developers.sendTest')}</Button>
            <Button onClick={() => setEditing(true)}>{t('developers.settings')}</Button>
          </>
        )}
      </Head>
      <div className="grid2">
        <Log path={path} />
        <aside className="stack" aria-label={t('developers.settings')}>
          <Card title={t('developers.settings')}>
            <Facts
              facts={[
                [t('developers.address'), <span className="mono">{webhook.url ?? t('developers.hidden')}</span>],
                [t('developers.format'), t(`developers.format.${webhook.format}`)],
                [t('developers.events'), webhook.events.join(', ')],
                [t('developers.made'), <Time at={webhook.createdAt} />],
              ]}
            />
          </Card>
          {mayWrite && <Danger webhook={webhook} path={path} />}
        </aside>
      </div>
      {isEditing && (
        <WebhookDialog webhook={webhook} onSaved={() => setEditing(false)} onClose={() => setEditing(false)} />
      )}
    </>
  );
}

function Danger({ webhook, path }: { readonly webhook: Webhook; readonly path: Path }) {
  const t = useT();
  const shop = useShop();
  const go = useGo();
  const refresh = useRefresh();
  const [asked, setAsked] = useState<'rotateSecret' | 'remove' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const perform = async (): Promise<void> => {
    if (asked === 'remove') {
      await api.delete('/api/v2/webhooks/{shopId}/{webhookId}', { path });
      go(`/${shop.uniqueName}/developers/webhooks`);
    } else {
      const body = { graceSeconds: DAY_SECONDS };
      const call = api.post('/api/v2/webhooks/{shopId}/{webhookId}/rotate-secret', { path, body });
      setSecret((await dataOf(call)).secret);
    }
    await refresh(...shopKey(shop._id, 'webhooks'));
  };
  return (
    <Card title={t('developers.secret')} className="fields">
      {webhook.format === 'standard' && (
        <Button onClick={() => setAsked('rotateSecret')}>{t('developers.act.rotateSecret')}</Button>
      )}
      <Button onClick={() => setAsked('remove')}>{t('developers.act.remove')}</Button>
      {asked !== null && (
        <Confirm
          isOpen
          title={t(`developers.title.${asked}`, { name: webhook.description ?? t('developers.webhook') })}
          act={t(`developers.act.${asked}`)}
          keep={t('developers.keepIt')}
          onAct={perform}
          onClose={() => setAsked(null)}
        >
          <p>{t(`developers.text.${asked}`)}</p>
        </Confirm>
      )}
      <SecretDialog
        title={t('developers.copySecret')}
        text={t('developers.shownOnce')}
        secret={secret}
        onStored={() => setSecret(null)}
      />
    </Card>
  );
}

const STATES = ['all', 'failed', 'waiting', 'delivered'] as const;

function Log({ path }: { readonly path: Path }) {
  const t = useT();
  const shop = useShop();
  const [search, change] = useSearchState();
  const state = search['state'];
  const filters = { state, cursor: search['cursor'], limit: 25 };
  const query = useQuery({
    queryKey: shopKey(shop._id, 'webhooks', path.webhookId, 'log', filters),
    queryFn: () => api.page('/api/v2/webhooks/{shopId}/{webhookId}/deliveries', { path, query: unchecked(filters) }),
    refetchInterval: LIVE_MS,
  });
  return (
    <section className="card flush" aria-label={t('developers.log')}>
      <div className="tools">
        <Choice
          label={t('developers.stateTitle')}
          value={STATES.find((each) => each === state) ?? 'all'}
          options={STATES.map((each) => [each, t(`developers.delivery.${each}`)] as const)}
          onChange={(next) => change({ state: next === 'all' ? '' : next, cursor: '' })}
        />
      </div>
      <Loaded query={query}>
        {({ data, total, next }) =>
          data.length === 0 ? (
            <Empty title={t('developers.noDeliveries')} />
          ) : (
            <>
              <ul>
                {data.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} path={path} />
                ))}
              </ul>
              <Pager total={total} shown={data.length} next={next} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function DeliveryRow({ delivery, path }: { readonly delivery: Delivery; readonly path: Path }) {
  const t = useT();
  const shop = useShop();
  const tell = useTell();
  const textOf = useErrorText();
  const refresh = useRefresh();
  const mayWrite = useMay('webhooks:write');
  const last = delivery.attempts.at(-1);
  const again = async (): Promise<void> => {
    try {
      await api.post('/api/v2/webhooks/{shopId}/{webhookId}/deliveries/{deliveryId}/replay', {
        path: { ...path, deliveryId: delivery.id },
      });
      tell(t('developers.queued'));
    } catch (error) {
      tell(textOf(error));
    }
    await refresh(...shopKey(shop._id, 'webhooks'));
  };
  const tone = delivery.state === 'delivered' ? 'good' : delivery.state === 'failed' ? 'bad' : 'info';
  return (
    <li className="delivery">
      <div className="row wrapx">
        <b className="b6 mono">{delivery.type}</b>
        <Badge tone={tone}>{t(`developers.delivery.${delivery.state}`)}</Badge>
        <span className="muted small grow">
          {last?.status ?? last?.error ?? ''} <Time at={delivery.createdAt} />
        </span>
        {mayWrite && delivery.state !== 'waiting' && (
          <Button aria-label={t('developers.againOne', { name: delivery.type })} onClick={() => void again()}>
            {t('developers.again')}
          </Button>
        )}
      </div>
      {delivery.attempts.length > 0 && (
        <details>
          <summary className="small">{t('developers.attempts', { count: delivery.attempts.length })}</summary>
          {delivery.attempts.map((attempt) => (
            <div className="code" key={attempt.at}>
              <span className="c">
                <Time at={attempt.at} /> · {attempt.status ?? attempt.error} · {attempt.durationMs} ms
              </span>
              <br />
              {attempt.response ?? ''}
            </div>
          ))}
        </details>
      )}
    </li>
  );
}
