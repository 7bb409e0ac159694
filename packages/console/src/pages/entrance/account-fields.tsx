import { useT } from '../../lang/language.tsx';
import { type Form, TextField, useForm } from '../../ui/form.tsx';

type Account = { readonly name: string; readonly email: string; readonly password: string };

export const useAccountForm = (send: (account: Account) => Promise<void>): Form<Account> =>
  useForm<Account>({ name: '', email: '', password: '' }, send);

/** What a new account needs. */
export function AccountFields({ form }: { readonly form: Form<Account> }) {
  const t = useT();
  return (
    <>
      <TextField
        label={t('entrance.name')}
        name="name"
        autoComplete="name"
        required
        value={form.values.name}
        error={form.errors['name']}
        onChange={(name) => form.set('name', name)}
      />
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
        hint={t('entrance.passwordHint')}
        type="password"
        name="password"
        autoComplete="new-password"
        required
        value={form.values.password}
        error={form.errors['password']}
        onChange={(password) => form.set('password', password)}
      />
    </>
  );
}
