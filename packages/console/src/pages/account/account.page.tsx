import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { type Preferences, type User } from '../../api/types.ts';
import { Link } from '../../app/links.tsx';
import { type LookChoice, LOOKS } from '../../app/look.tsx';
import { meQuery, preferencesQuery, useRefresh } from '../../app/queries.ts';
import { LANGUAGES, useT } from '../../lang/language.tsx';
import { FormProblem, SelectField, Switch, TextField, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Badge, Button, Card, Head, Time } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { SecondFactor } from './second-factor.tsx';

export default function AccountPage() {
  const t = useT();
  const me = useQuery(meQuery).data;
  const preferences = useQuery(preferencesQuery);
  return (
    <main className="page account">
      <Head
        title={t('account.title')}
        back={
          <Link className="back" to="/">
            <Icon name="left" />
            {t('account.back')}
          </Link>
        }
      />
      {me && <Name user={me} />}
      <Loaded query={preferences}>{(data) => <Choices preferences={data} />}</Loaded>
      <Password />
      <SecondFactor />
      <Sessions />
    </main>
  );
}

function Name({ user }: { readonly user: User }) {
  const t = useT();
  const tell = useTell();
  const refresh = useRefresh();
  const form = useForm({ name: user.name }, async (body) => {
    await api.patch('/api/v2/auth/me', { body });
    await refresh('me');
    tell(t('account.saved'));
  });
  return (
    <Card title={user.email}>
      <form className="fields" onSubmit={(event) => void form.submit(event)}>
        <FormProblem form={form} />
        <TextField
          label={t('entrance.name')}
          name="name"
          autoComplete="name"
          required
          value={form.values.name}
          error={form.errors['name']}
          onChange={(name) => form.set('name', name)}
        />
        <div className="row">
          <Button type="submit" isBusy={form.isBusy}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Language, look and shortcuts: a change counts at once. */
function Choices({ preferences }: { readonly preferences: Preferences }) {
  const t = useT();
  const client = useQueryClient();
  const change = async (changes: Partial<Preferences>): Promise<void> => {
    const body = { ...preferences, ...changes };
    client.setQueryData(preferencesQuery.queryKey, body);
    await api.put('/api/v2/auth/preferences', { body });
  };
  return (
    <Card title={t('account.choices')}>
      <div className="fields">
        <SelectField
          label={t('account.language')}
          value={preferences.language ?? ''}
          options={[['', t('account.ofBrowser')], ...(Object.entries(LANGUAGES) as ['en' | 'de', string][])]}
          onChange={(language) => void change({ language: language === '' ? null : language })}
        />
        <SelectField
          label={t('account.look')}
          value={preferences.look}
          options={LOOKS.map((look): [LookChoice, string] => [look, t(`account.look.${look}`)])}
          onChange={(look) => void change({ look })}
        />
        <Switch
          label={t('account.shortcuts')}
          hint={t('account.shortcutsHint')}
          isOn={preferences.shortcuts}
          onChange={(shortcuts) => void change({ shortcuts })}
        />
      </div>
    </Card>
  );
}

function Password() {
  const t = useT();
  const tell = useTell();
  const refresh = useRefresh();
  const form = useForm({ currentPassword: '', newPassword: '' }, async (body) => {
    await api.post('/api/v2/auth/password/change', { body });
    form.reset({ currentPassword: '', newPassword: '' });
    tell(t('account.passwordChanged'));
    await refresh('sessions');
  });
  return (
    <Card title={t('entrance.password')}>
      <form className="fields" onSubmit={(event) => void form.submit(event)}>
        <FormProblem form={form} />
        <TextField
          label={t('account.currentPassword')}
          type="password"
          autoComplete="current-password"
          required
          value={form.values.currentPassword}
          error={form.errors['currentPassword']}
          onChange={(value) => form.set('currentPassword', value)}
        />
        <TextField
          label={t('account.newPassword')}
          hint={t('entrance.passwordHint')}
          type="password"
          autoComplete="new-password"
          required
          value={form.values.newPassword}
          error={form.errors['newPassword']}
          onChange={(value) => form.set('newPassword', value)}
        />
        <div className="row">
          <Button type="submit" isBusy={form.isBusy}>
            {t('account.changePassword')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Sessions() {
  const t = useT();
  const refresh = useRefresh();
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: () => dataOf(api.get('/api/v2/auth/sessions', { query: { limit: 100 } })),
  });
  const end = async (id: string): Promise<void> => {
    await api.delete('/api/v2/auth/sessions/{sessionId}', { path: { sessionId: id } });
    await refresh('sessions');
  };
  return (
    <Card isFlush title={t('account.sessions')}>
      <Loaded query={sessions}>
        {(all) => (
          <ul className="todo">
            {all.map(({ id, device, current, lastUsedAt }) => (
              <li key={id}>
                <span className="grow">
                  <b>{device ?? t('account.unknownDevice')}</b>
                  <small>
                    <Time at={lastUsedAt} />
                  </small>
                </span>
                {current ? (
                  <Badge tone="good">{t('account.thisOne')}</Badge>
                ) : (
                  <Button onClick={() => void end(id)}>{t('account.end')}</Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
