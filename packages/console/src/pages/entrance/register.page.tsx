import { Link, useGo } from '../../app/links.tsx';
import { useT } from '../../lang/language.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { Button } from '../../ui/parts.tsx';
import { AccountFields, useAccountForm } from './account-fields.tsx';
import { useEntering } from './entering.ts';

export default function RegisterPage() {
  const t = useT();
  const go = useGo();
  const entering = useEntering();
  const form = useAccountForm(async (account) => {
    await entering.withNewAccount(account);
    go('/', {}, true);
  });
  return (
    <>
      <form className="card" onSubmit={(event) => void form.submit(event)}>
        <h1>{t('entrance.registerTitle')}</h1>
        <FormProblem form={form} />
        <AccountFields form={form} />
        <Button type="submit" look="main" isBusy={form.isBusy}>
          {t('entrance.registerTitle')}
        </Button>
      </form>
      <p className="muted small center-text">
        {t('entrance.haveAccount')} <Link to="/sign-in">{t('entrance.signIn')}</Link>
      </p>
    </>
  );
}
