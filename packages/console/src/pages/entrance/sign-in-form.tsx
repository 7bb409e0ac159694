import { useState } from 'react';
import { Link, useSearchState } from '../../app/links.tsx';
import { useT } from '../../lang/language.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Button } from '../../ui/parts.tsx';
import { useEntering } from './entering.ts';

/** Signs in: with the password, and with a second step where the account has one. */
export function SignInForm({ onDone }: { readonly onDone: () => void }) {
  const [step, setStep] = useState<{ readonly token: string; readonly email: string } | null>(null);
  if (step !== null) return <CodeForm {...step} onDone={onDone} onBack={() => setStep(null)} />;
  return <PasswordForm onDone={onDone} onStep={(token, email) => setStep({ token, email })} />;
}

function PasswordForm({ onDone, onStep }: { onDone: () => void; onStep: (token: string, email: string) => void }) {
  const t = useT();
  const [search] = useSearchState();
  const entering = useEntering();
  const form = useForm({ email: search['email'] ?? '', password: '' }, async ({ email, password }) => {
    const token = await entering.withPassword(email, password);
    if (token === null) onDone();
    else onStep(token, email);
  });
  return (
    <>
      <form className="card" onSubmit={(event) => void form.submit(event)}>
        <h1>{t('entrance.signIn')}</h1>
        <FormProblem form={form} />
        <TextField
          label={t('entrance.email')}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={form.values.email}
          error={form.errors['email']}
          onChange={(email) => form.set('email', email)}
        />
        <TextField
          label={t('entrance.password')}
          side={
            <Link className="small" to="/forgot-password">
              {t('entrance.forgot')}
            </Link>
          }
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={form.values.password}
          error={form.errors['password']}
          onChange={(password) => form.set('password', password)}
        />
        <Button type="submit" look="main" isBusy={form.isBusy}>
          {t('entrance.signIn')}
        </Button>
      </form>
      <p className="muted small center-text">
        {t('entrance.noAccount')} <Link to="/register">{t('entrance.register')}</Link>
      </p>
    </>
  );
}

function CodeForm(props: {
  readonly token: string;
  readonly email: string;
  readonly onDone: () => void;
  readonly onBack: () => void;
}) {
  const t = useT();
  const entering = useEntering();
  const [isRecovery, setRecovery] = useState(false);
  const form = useForm({ code: '' }, async ({ code }) => {
    await entering.withCode(props.token, code.trim());
    props.onDone();
  });
  return (
    <>
      <form className="card" onSubmit={(event) => void form.submit(event)}>
        <h1>{t('entrance.secondStep')}</h1>
        <p className="muted">{t(isRecovery ? 'entrance.recoveryHint' : 'entrance.codeHint')}</p>
        <FormProblem form={form} />
        <TextField
          key={String(isRecovery)}
          className={isRecovery ? '' : 'code-field num'}
          label={t(isRecovery ? 'entrance.recoveryCode' : 'entrance.code')}
          name="code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoFocus
          required
          value={form.values.code}
          error={form.errors['code']}
          onChange={(code) => form.set('code', code)}
        />
        <Button type="submit" look="main" isBusy={form.isBusy}>
          {t('common.continue')}
        </Button>
        <button type="button" className="linkish small" onClick={() => setRecovery(!isRecovery)}>
          {t(isRecovery ? 'entrance.useApp' : 'entrance.useRecovery')}
        </button>
      </form>
      <p className="muted small center-text">
        {t('entrance.signingInAs', { email: props.email })}{' '}
        <button type="button" className="linkish small" onClick={props.onBack}>
          {t('entrance.notYou')}
        </button>
      </p>
    </>
  );
}
