import { api } from '../../api/client.ts';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TimeField } from '../../ui/extra-fields.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Button } from '../../ui/parts.tsx';

/** Bans a name in game or a mailbox from buying: one of the two. */
export function BanDialog(props: { readonly nickname: string; readonly email: string; readonly onClose: () => void }) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const { nickname, email, onClose } = props;
  const initial = { nickname, email, reason: '', until: null as string | null };
  const form = useForm(initial, async (values) => {
    const body = {
      reason: values.reason,
      ...(values.nickname === '' ? {} : { nickname: values.nickname }),
      ...(values.email === '' ? {} : { email: values.email }),
      ...(values.until === null ? {} : { until: values.until }),
    };
    await api.post('/api/v2/bans/{shopId}', { path: { shopId: shop._id }, body });
    await refresh(...shopKey(shop._id, 'buyers'));
    await refresh(...shopKey(shop._id, 'bans'));
    onClose();
  });
  const { values, errors, set } = form;
  return (
    <Dialog isOpen title={t('players.banTitle')} onClose={onClose}>
      <form className="fields" onSubmit={(event) => void form.submit(event)}>
        <FormProblem form={form} />
        <TextField
          label={t('players.nickname')}
          value={values.nickname}
          error={errors['nickname']}
          onChange={(name) => set('nickname', name)}
        />
        <TextField
          label={t('players.email')}
          hint={t('players.oneOfTwo')}
          type="email"
          value={values.email}
          error={errors['email']}
          onChange={(address) => set('email', address)}
        />
        <TextField
          label={t('players.reason')}
          hint={t('players.reasonHint')}
          required
          value={values.reason}
          error={errors['reason']}
          onChange={(reason) => set('reason', reason)}
        />
        <TimeField
          label={t('players.until')}
          hint={t('players.untilHint')}
          value={values.until}
          error={errors['until']}
          onChange={(until) => set('until', until)}
        />
        <div className="end">
          <Button onClick={onClose}>{t('players.cancel')}</Button>
          <Button type="submit" look="danger" isBusy={form.isBusy}>
            {t('players.ban')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
