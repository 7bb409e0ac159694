import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Link } from '../../app/links.tsx';
import { useT } from '../../lang/language.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Alert, Button } from '../../ui/parts.tsx';

/** Asks for the email whose link sets a new password. The answer is the same for every address. */
export default function ForgotPasswordPage() {
  const t = useT();
  const [isSent, setSent] = useState(false);
  const form = useForm({ email: '' }, async ({ email }) => {
    await api.post('/api/v2/auth/password/forgot', { body: { email } });
    setSent(true);
  });
  return (
    <>
      <form className="card" onSubmit={(event) => void form.submit(event)}>
        <h1>{t('entrance.forgotTitle')}</h1>
        {isSent ? (
          <Alert tone="good" title={t('entrance.forgotSent')}>
            {t('entrance.forgotSentText')}
          </Alert>
        ) : (
          <>
            <p className="muted">{t('entrance.forgotText')}</p>
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
            <Button type="submit" look="main" isBusy={form.isBusy}>
              {t('entrance.sendLink')}
            </Button>
          </>
        )}
      </form>
      <p className="muted small center-text">
        <Link to="/sign-in">{t('entrance.backToSignIn')}</Link>
      </p>
    </>
  );
}
