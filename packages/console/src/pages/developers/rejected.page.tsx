import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { LIVE_MS, shopKey } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Badge, Head, Time } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Sections } from './sections.tsx';

/** The requests of the last day that were rejected. */
export default function RejectedPage() {
  const t = useT();
  const shop = useShop();
  const query = useQuery({
    queryKey: shopKey(shop._id, 'rejected'),
    queryFn: () => dataOf(api.get('/api/v2/shops/{shopId}/rejected-requests', { path: { shopId: shop._id } })),
    refetchInterval: LIVE_MS,
  });
  return (
    <>
      <Head title={t('developers.title')} />
      <Sections current="rejected" />
      <section className="card flush">
        <Loaded query={query}>
          {(requests) =>
            requests.length === 0 ? (
              <Empty title={t('developers.noRejected')} text={t('developers.noRejectedText')} />
            ) : (
              <table className="t">
                <thead>
                  <tr>
                    <th scope="col">{t('developers.request')}</th>
                    <th scope="col">{t('developers.answer')}</th>
                    <th scope="col">{t('developers.when')}</th>
                    <th scope="col">{t('developers.number')}</th>
                  </tr>
                </thead>
                <tbody>
                  {requests.map(({ requestId, method, route, status, code, at }) => (
                    <tr key={`${requestId} ${at}`}>
                      <td className="mono full">
                        {method} {route}
                      </td>
                      <td>
                        <Badge tone={status >= 500 ? 'bad' : 'warn'}>
                          {status} {code}
                        </Badge>
                      </td>
                      <td className="muted nowrap small">
                        <Time at={at} />
                      </td>
                      <td className="hide-s">
                        <CopyButton text={requestId} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Loaded>
      </section>
    </>
  );
}
