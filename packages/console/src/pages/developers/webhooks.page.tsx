import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unchecked } from '../../api/client.ts';
import { Link, useSearchState } from '../../app/links.tsx';
import { Pager } from '../../app/pager.tsx';
import { shopKey } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Button, Head, Time } from '../../ui/parts.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Sections } from './sections.tsx';
import { WebhookDialog } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

const FEW = 3;

export default function WebhooksPage() {
  const t = useT();
  const shop = useShop();
  const mayWrite = useMay('webhooks:write');
  const [search] = useSearchState();
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const filters = { cursor: search['cursor'], limit: 50 };
  const query = useQuery({
    queryKey: shopKey(shop._id, 'webhooks', filters),
    queryFn: () => api.page('/api/v2/webhooks/{shopId}', { path: { shopId: shop._id }, query: unchecked(filters) }),
  });
  return (
    <>
      <Head title={t('developers.title')}>
        {mayWrite && (
          <Button look="main" icon="plus" onClick={() => setMaking(true)}>
            {t('developers.newWebhook')}
          </Button>
        )}
      </Head>
      <Sections current="webhooks" />
      <section className="card flush">
        <Loaded query={query}>
          {({ data, total, next }) =>
            data.length === 0 ? (
              <Empty title={t('developers.noWebhooks')} text={t('developers.noWebhooksText')} />
            ) : (
              <>
                <table className="t">
                  <thead>
                    <tr>
                      <th scope="col">{t('developers.address')}</th>
                      <th scope="col">{t('developers.events')}</th>
                      <th scope="col">{t('developers.stateTitle')}</th>
                      <th scope="col">{t('developers.since')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.map((webhook) => (
                      <tr key={webhook.id}>
                        <td className="full">
                          <Link className="go mono" to={`/${shop.uniqueName}/developers/webhooks/${webhook.id}`}>
                            {webhook.url ?? webhook.id}
                          </Link>
                          {webhook.description !== null && <small className="muted block">{webhook.description}</small>}
                        </td>
                        <td className="muted">
                          {webhook.events.slice(0, FEW).join(', ')}
                          {webhook.events.length > FEW && ` + ${webhook.events.length - FEW}`}
                        </td>
                        <td>
                          <WebhookState webhook={webhook} />
                        </td>
                        <td className="muted nowrap small hide-s">
                          <Time at={webhook.failingSince ?? webhook.createdAt} />
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
      {isMaking && (
        <WebhookDialog
          webhook={null}
          onSaved={(revealed) => {
            setMaking(false);
            setSecret(revealed);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      <SecretDialog
        title={t('developers.copySecret')}
        text={t('developers.shownOnce')}
        secret={secret}
        onStored={() => setSecret(null)}
      />
    </>
  );
}
