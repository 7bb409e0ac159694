import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useGo } from '../../app/links.tsx';
import { meQuery } from '../../app/queries.ts';
import { useT } from '../../lang/language.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Button, Choice } from '../../ui/parts.tsx';
import { AccountFields, useAccountForm } from './account-fields.tsx';
import { useEntering } from './entering.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The token stands behind the `#`, so that it is in no log of a server. */
const tokenOf = (hash: string): string => new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';

/** An invitation to a team. It ends signed in. */
export default function InvitationPage() {
  const t = useT();
  const me = useQuery(meQuery);
  const [token, setToken] = useState(() => tokenOf(window.location.hash));
  const [isNew, setNew] = useState<'new' | 'known'>('new');
  return (
    <>
      <div className="card">
        <h1>{t('entrance.invitation')}</h1>
        <p className="muted">{t('entrance.invitationText')}</p>
        {tokenOf(window.location.hash) === '' && (
          <TextField
            label={t('entrance.invitationCode')}
            hint={t('entrance.invitationCodeHint')}
            value={token}
            onChange={setToken}
          />
        )}
        {me.data ? (
          <Accept token={token} name={me.data.name} />
        ) : (
          <>
            <Choice
              label={t('entrance.invitation')}
              value={isNew}
              options={[
                ['new', t('entrance.iAmNew')],
                ['known', t('entrance.iHaveAccount')],
              ]}
              onChange={setNew}
            />
            {isNew === 'new' && <AcceptAsNew token={token} />}
          </>
        )}
      </div>
      {!me.data && isNew === 'known' && <SignInForm onDone={() => undefined} />}
    </>
  );
}

/** Takes the invitation, and opens the console with the new shop in it. */
function useAccepting(token: string): () => Promise<void> {
  const client = useQueryClient();
  const go = useGo();
  return async () => {
    await api.post('/api/v2/team/invitations/accept', { body: { token } });
    await client.invalidateQueries({ queryKey: ['shops'] });
    go('/', {}, true);
  };
}

function Accept({ token, name }: { readonly token: string; readonly name: string }) {
  const t = useT();
  const accept = useAccepting(token);
  const form = useForm({ token }, accept);
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <FormProblem form={form} />
      <p>{t('entrance.acceptAs', { name })}</p>
      <Button type="submit" look="main" isBusy={form.isBusy}>
        {t('entrance.accept')}
      </Button>
    </form>
  );
}

function AcceptAsNew({ token }: { readonly token: string }) {
  const t = useT();
  const entering = useEntering();
  const accept = useAccepting(token);
  const form = useAccountForm(async (account) => {
    await entering.withNewAccount({ ...account, invitationToken: token });
    await accept();
  });
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <FormProblem form={form} />
      <AccountFields form={form} />
      <Button type="submit" look="main" isBusy={form.isBusy}>
        {t('entrance.accept')}
      </Button>
    </form>
  );
}
