import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useRefresh } from '../../app/queries.ts';
import { useT } from '../../lang/language.tsx';
import { Code } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Badge, Button, Card } from '../../ui/parts.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { Loaded } from '../../ui/states.tsx';

interface Secret {
  readonly secret: string;
  readonly emailCodeSent: boolean;
}

/** The second step of signing in: its secret and its recovery codes are shown once. */
export function SecondFactor() {
  const t = useT();
  const refresh = useRefresh();
  const state = useQuery({ queryKey: ['second-factor'], queryFn: () => dataOf(api.get('/api/v2/auth/second-factor')) });
  const [isOpen, setOpen] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Card title={t('entrance.secondStep')}>
      <Loaded query={state} rows={1}>
        {({ enabled, recoveryCodesLeft }) => (
          <>
            <div className="between wrapx">
              <span>
                <Badge tone={enabled ? 'good' : 'ring'}>{t(enabled ? 'account.on' : 'account.off')}</Badge>{' '}
                {enabled && <span className="muted">{t('account.codesLeft', { count: recoveryCodesLeft })}</span>}
              </span>
              <Button onClick={() => setOpen(true)}>{t(enabled ? 'account.switchOff' : 'account.switchOn')}</Button>
            </div>
            <Dialog isOpen={isOpen} title={t('entrance.secondStep')} onClose={() => setOpen(false)}>
              {isOpen && (
                <Change
                  isEnabled={enabled}
                  onDone={(made) => {
                    setOpen(false);
                    setCodes(made);
                    void refresh('second-factor');
                  }}
                />
              )}
            </Dialog>
          </>
        )}
      </Loaded>
      <SecretDialog
        title={t('account.codes')}
        text={t('account.codesText')}
        secret={codes?.join(' ') ?? null}
        onStored={() => setCodes(null)}
      />
    </Card>
  );
}

function Change({
  isEnabled,
  onDone,
}: {
  readonly isEnabled: boolean;
  readonly onDone: (codes: readonly string[] | null) => void;
}) {
  const t = useT();
  const [secret, setSecret] = useState<Secret | null>(null);
  const form = useForm({ password: '', code: '', emailCode: '' }, async ({ password, code, emailCode }) => {
    if (isEnabled) {
      await api.post('/api/v2/auth/second-factor/disable', { body: { password, code } });
      onDone(null);
    } else if (secret === null) {
      setSecret(await dataOf(api.post('/api/v2/auth/second-factor/setup', { body: { password } })));
    } else {
      const body = { code, ...(secret.emailCodeSent ? { emailCode } : {}) };
      onDone((await dataOf(api.post('/api/v2/auth/second-factor/confirm', { body }))).recoveryCodes);
    }
  });
  const asksCode = isEnabled || secret !== null;
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <FormProblem form={form} />
      {secret === null ? (
        <TextField
          label={t('account.currentPassword')}
          type="password"
          autoComplete="current-password"
          required
          data-autofocus
          value={form.values.password}
          error={form.errors['password']}
          onChange={(value) => form.set('password', value)}
        />
      ) : (
        <>
          <p>{t('account.secretText')}</p>
          <Code text={secret.secret} />
          {secret.emailCodeSent && (
            <TextField
              label={t('account.emailCode')}
              required
              value={form.values.emailCode}
              error={form.errors['emailCode']}
              onChange={(value) => form.set('emailCode', value)}
            />
          )}
        </>
      )}
      {asksCode && (
        <TextField
          label={t('entrance.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={form.values.code}
          error={form.errors['code']}
          onChange={(value) => form.set('code', value)}
        />
      )}
      <div className="end">
        <Button type="submit" look={isEnabled ? 'danger' : 'main'} isBusy={form.isBusy}>
          {t(isEnabled ? 'account.switchOff' : 'common.continue')}
        </Button>
      </div>
    </form>
  );
}
