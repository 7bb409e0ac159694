import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Code } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Badge, Button, Card } from '../../ui/parts.tsx';
import { Loaded, useErrorText } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { SettingsFrame } from './frame.tsx';
import { type ShopRecord, useShopRecord } from './shop-record.tsx';

const LOOK_AGAIN_MS = 15_000;

export default function DomainPage() {
  const record = useShopRecord();
  return (
    <SettingsFrame>
      <Loaded query={record}>
        {({ data }) => (data.domain ? <Domain domain={data.domain} /> : <NoDomain shop={data} />)}
      </Loaded>
    </SettingsFrame>
  );
}

function NoDomain({ shop: { frontEndUrl } }: { readonly shop: ShopRecord }) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const mayWrite = useMay('shops:write');
  const form = useForm({ hostname: '' }, async (body) => {
    await api.put('/api/v2/shops/{shopId}/domain', { path: { shopId: shop._id }, body });
    await refresh(...shopKey(shop._id));
  });
  return (
    <Card title={t('settings.domain')}>
      <p className="muted">{t('settings.domainNow', { url: frontEndUrl })}</p>
      {mayWrite && (
        <form className="fields top" onSubmit={(event) => void form.submit(event)}>
          <FormProblem form={form} />
          <TextField
            label={t('settings.hostname')}
            hint={t('settings.hostnameHint')}
            required
            value={form.values.hostname}
            error={form.errors['hostname']}
            onChange={(hostname) => form.set('hostname', hostname)}
          />
          <div className="row">
            <Button type="submit" look="main" isBusy={form.isBusy}>
              {t('settings.useDomain')}
            </Button>
          </div>
        </form>
      )}
    </Card>
  );
}

/** What the name servers say now: looked at again by itself, because a change of theirs takes minutes to hours. */
function DnsReport() {
  const t = useT();
  const shop = useShop();
  const report = useQuery({
    queryKey: shopKey(shop._id, 'dns'),
    queryFn: () => dataOf(api.get('/api/v2/shops/{shopId}/domain', { path: { shopId: shop._id } })),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <section aria-label={t('settings.dns')} className="top">
      <div className="between">
        <h3>{t('settings.dns')}</h3>
        <Button icon="again" isBusy={report.isFetching} onClick={() => void report.refetch()}>
          {t('settings.lookAgain')}
        </Button>
      </div>
      <Loaded query={report} rows={3}>
        {({ txtRecord, target, addresses, pointsHere, hasCertificate }) => (
          <ul className="checks top">
            <Fact isTrue={txtRecord.state === 'present' ? true : txtRecord.state === 'unknown' ? null : false}>
              {t(`settings.txt.${txtRecord.state}`)}
            </Fact>
            <Fact isTrue={pointsHere}>
              {pointsHere === true ? t('settings.pointsHere') : t('settings.pointTo', { target })}
              {addresses !== null && addresses.length > 0 && (
                <small className="mono block">{t('settings.leadsTo', { addresses: addresses.join(', ') })}</small>
              )}
            </Fact>
            <Fact isTrue={hasCertificate}>
              {t(
                hasCertificate === null
                  ? 'settings.certificateLater'
                  : hasCertificate
                    ? 'settings.certificate'
                    : 'settings.noCertificate',
              )}
            </Fact>
          </ul>
        )}
      </Loaded>
    </section>
  );
}

/** @param isTrue null: not known yet */
function Fact({ isTrue, children }: { readonly isTrue: boolean | null; readonly children: ReactNode }) {
  return (
    <li className={isTrue === true ? 'ok' : isTrue === false ? 'no' : 'meh'}>
      <Icon name={isTrue === true ? 'check' : isTrue === false ? 'warning' : 'clock'} />
      <span>{children}</span>
    </li>
  );
}

function Domain({ domain: { hostname, status, txtRecord } }: { readonly domain: NonNullable<ShopRecord['domain']> }) {
  const t = useT();
  const shop = useShop();
  const tell = useTell();
  const textOf = useErrorText();
  const refresh = useRefresh();
  const mayWrite = useMay('shops:write');
  const [isRemoving, setRemoving] = useState(false);
  const verify = async (): Promise<void> => {
    await dataOf(api.post('/api/v2/shops/{shopId}/domain/verify', { path: { shopId: shop._id } })).catch(
      (error: unknown) => tell(textOf(error)),
    );
    await refresh(...shopKey(shop._id));
  };
  return (
    <Card
      title={hostname}
      side={<Badge tone={status === 'verified' ? 'good' : 'warn'}>{t(`settings.domain.${status}`)}</Badge>}
    >
      {status !== 'verified' && <p className="muted">{t('settings.txtText')}</p>}
      <div className="fields top">
        <Code text={txtRecord.name} />
        <Code text={txtRecord.value} />
      </div>
      <DnsReport />
      {mayWrite && (
        <div className="row wrapx top">
          {status !== 'verified' && (
            <Button look="main" onClick={() => void verify()}>
              {t('settings.verify')}
            </Button>
          )}
          <Button onClick={() => setRemoving(true)}>{t('settings.removeDomain')}</Button>
        </div>
      )}
      <Confirm
        isOpen={isRemoving}
        title={t('settings.removeDomainTitle', { name: hostname })}
        act={t('settings.removeDomain')}
        keep={t('servers.keepIt')}
        onClose={() => setRemoving(false)}
        onAct={async () => {
          await api.delete('/api/v2/shops/{shopId}/domain', { path: { shopId: shop._id } });
          await refresh(...shopKey(shop._id));
        }}
      >
        {t('settings.removeDomainText')}
      </Confirm>
    </Card>
  );
}
