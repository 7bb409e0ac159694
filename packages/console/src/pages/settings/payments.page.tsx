import { type Args, type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, unchecked } from '../../api/client.ts';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Code } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormProblem, Switch, TextField, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Badge, Button, Card } from '../../ui/parts.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { Loaded } from '../../ui/states.tsx';
import { SettingsFrame } from './frame.tsx';

type Kind = Schemas['ProviderMetaDto'];
type Provider = Schemas['PaymentProviderDto'];
type Configured = Schemas['RevealedPaymentProviderDto'];
/** The document names those of its version; the service knows its own. */
type ProviderName = Args<'put', '/api/v2/payments/{shopId}/providers/{provider}'>[0]['path']['provider'];
type Check = Schemas['ProviderCheckReportDto'];

export default function PaymentsPage() {
  const t = useT();
  const shop = useShop();
  const kinds = useQuery({
    queryKey: ['meta'],
    queryFn: () => dataOf(api.get('/api/v2/meta')),
    staleTime: Infinity,
  });
  const providers = useQuery({
    queryKey: shopKey(shop._id, 'providers'),
    queryFn: () => dataOf(api.get('/api/v2/payments/{shopId}/providers', { path: { shopId: shop._id } })),
  });
  const [chosen, setChosen] = useState<Kind | null>(null);
  const [made, setMade] = useState<Configured | null>(null);
  const mayWrite = useMay('payments:write');
  return (
    <SettingsFrame>
      <Loaded query={kinds}>
        {(meta) => (
          <Loaded query={providers}>
            {(all) => (
              <Card isFlush title={t('settings.payments')}>
                <ul className="todo">
                  {meta.providers.map((kind) => {
                    const provider = all.find(({ provider: name }) => name === kind.name);
                    return (
                      <ProviderRow
                        key={kind.name}
                        kind={kind}
                        provider={provider}
                        {...(mayWrite ? { onChange: () => setChosen(kind) } : {})}
                      />
                    );
                  })}
                </ul>
              </Card>
            )}
          </Loaded>
        )}
      </Loaded>
      <Dialog isOpen={chosen !== null} title={chosen?.title ?? ''} onClose={() => setChosen(null)}>
        {chosen && (
          <ProviderForm
            kind={chosen}
            provider={providers.data?.find(({ provider }) => provider === chosen.name)}
            onDone={(configured) => {
              setChosen(null);
              if (configured.webhookUrl !== null) setMade(configured);
            }}
          />
        )}
      </Dialog>
      <Dialog
        isOpen={made !== null && made.signingSecret === null}
        title={t('settings.webhookTitle')}
        onClose={() => setMade(null)}
      >
        <p>{t('settings.webhookText')}</p>
        <Code text={made?.webhookUrl ?? ''} />
      </Dialog>
      <SecretDialog
        title={t('settings.secretTitle')}
        text={t('settings.secretText', { url: made?.webhookUrl ?? '' })}
        secret={made?.signingSecret ?? null}
        onStored={() => setMade(null)}
      />
    </SettingsFrame>
  );
}

function ProviderRow(props: {
  readonly kind: Kind;
  readonly provider: Provider | undefined;
  readonly onChange?: () => void;
}) {
  const t = useT();
  const shop = useShop();
  const { kind, provider, onChange } = props;
  const [check, setCheck] = useState<Check | null>(null);
  const run = async (): Promise<void> =>
    setCheck(
      await dataOf(
        api.post('/api/v2/payments/{shopId}/providers/{provider}/check', {
          path: { shopId: shop._id, provider: kind.name as ProviderName },
        }),
      ),
    );
  const state =
    provider?.enabled !== true
      ? 'off'
      : provider.failingSince !== null
        ? 'failing'
        : provider.canStartPayments
          ? 'on'
          : 'missing';
  return (
    <li>
      <span className="grow">
        <b>{kind.title}</b>
        {provider?.lastError && <small>{provider.lastError}</small>}
        {check && (
          <ul className="checks top">
            {check.checks.map(({ name, ok, message }) => (
              <li key={name} className={ok === true ? 'ok' : ok === false ? 'no' : 'meh'}>
                <Icon name={ok === true ? 'check' : ok === false ? 'warning' : 'clock'} />
                <span>{message}</span>
              </li>
            ))}
          </ul>
        )}
      </span>
      <Badge tone={state === 'on' ? 'good' : state === 'failing' ? 'bad' : state === 'missing' ? 'warn' : 'ring'}>
        {t(`settings.provider.${state}`)}
      </Badge>
      {onChange && provider && <Button onClick={() => void run()}>{t('settings.check')}</Button>}
      {onChange && <Button onClick={onChange}>{t(provider ? 'settings.change' : 'settings.setUp')}</Button>}
    </li>
  );
}

/** Credentials are written and never read: a field that stays empty keeps what is stored. */
function ProviderForm(props: {
  readonly kind: Kind;
  readonly provider: Provider | undefined;
  readonly onDone: (configured: Configured) => void;
}) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const { kind, provider, onDone } = props;
  const fields = kind.fields.filter(({ generated }) => !generated);
  const start: Readonly<Record<string, unknown>> = {
    enabled: provider?.enabled ?? true,
    ...Object.fromEntries(fields.map(({ name }) => [name, ''])),
  };
  const form = useForm(start, async ({ enabled, ...credentials }) => {
    const written = Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== ''));
    const hasNew = Object.keys(written).length > 0 || provider === undefined;
    const body = { enabled, ...(hasNew ? { credentials: written } : {}) };
    const configured = await dataOf(
      api.put('/api/v2/payments/{shopId}/providers/{provider}', {
        path: { shopId: shop._id, provider: kind.name as ProviderName },
        body: unchecked(body),
      }),
    );
    await Promise.all([refresh(...shopKey(shop._id, 'providers')), refresh(...shopKey(shop._id, 'overview'))]);
    onDone(configured);
  });
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <FormProblem form={form} />
      {fields.map(({ name, description, required }) => (
        <TextField
          key={name}
          label={name}
          hint={provider?.credentials.includes(name) === true ? t('settings.kept') : description}
          autoComplete="off"
          spellCheck={false}
          required={required && provider?.credentials.includes(name) !== true}
          value={String(form.values[name])}
          error={form.errors[`credentials.${name}`]}
          onChange={(value) => form.set(name, value)}
        />
      ))}
      <Switch
        label={t('settings.enabled')}
        isOn={form.values['enabled'] === true}
        onChange={(isOn) => form.set('enabled', isOn)}
      />
      <div className="end">
        <Button type="submit" look="main" isBusy={form.isBusy}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}
