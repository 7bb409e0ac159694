import { api } from '../../api/client.ts';
import { useT } from '../../lang/language.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Button } from '../../ui/parts.tsx';
import { type ActProps, useAct } from './order-acts.ts';
import { Refund } from './refund-form.tsx';

export type Act = 'refund' | 'nickname' | 'redeliver' | 'cancel' | 'accept' | 'reject';

/** What staff do with an order: each act has a reason, which the team sees in the timeline. */
export function OrderDialog({ act, ...props }: ActProps & { readonly act: Act | null }) {
  const t = useT();
  return (
    <Dialog
      isOpen={act !== null}
      title={act === null ? '' : t(`order.act.${act}`, { number: `#${props.order.number}` })}
      onClose={props.onClose}
    >
      {act === 'refund' ? (
        <Refund {...props} />
      ) : act === 'nickname' ? (
        <Nickname {...props} />
      ) : (
        act && <Reasoned act={act} {...props} />
      )}
    </Dialog>
  );
}

function Reasoned({ act, ...props }: ActProps & { readonly act: 'redeliver' | 'cancel' | 'accept' | 'reject' }) {
  const t = useT();
  const run = useAct(props);
  const form = useForm({ reason: '' }, ({ reason }) =>
    run((path) => {
      if (act === 'redeliver')
        return api.post('/api/v2/orders/{shopId}/{orderId}/redeliver', { path, body: { reason } });
      if (act === 'cancel') return api.post('/api/v2/orders/{shopId}/{orderId}/cancel', { path, body: { reason } });
      return api.post('/api/v2/orders/{shopId}/{orderId}/resolve', { path, body: { decision: act, reason } });
    }, `order.done.${act}`),
  );
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <p className="muted">{t(`order.text.${act}`)}</p>
      <FormProblem form={form} />
      <TextField
        label={t('order.reason')}
        hint={t('order.reasonHint')}
        required
        maxLength={200}
        data-autofocus
        value={form.values.reason}
        error={form.errors['reason']}
        onChange={(reason) => form.set('reason', reason)}
      />
      <div className="end">
        <Button onClick={props.onClose}>{t('order.keep')}</Button>
        <Button type="submit" look={act === 'cancel' || act === 'reject' ? 'danger' : 'main'} isBusy={form.isBusy}>
          {t(`order.button.${act}`)}
        </Button>
      </div>
    </form>
  );
}

function Nickname(props: ActProps) {
  const t = useT();
  const run = useAct(props);
  const form = useForm({ newNickname: props.order.nickname, reason: '' }, (values) =>
    run(
      (path) => api.post('/api/v2/orders/{shopId}/{orderId}/nickname', { path, body: values }),
      'order.done.nickname',
    ),
  );
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <FormProblem form={form} />
      <TextField
        label={t('order.newNickname')}
        required
        data-autofocus
        value={form.values.newNickname}
        error={form.errors['newNickname']}
        onChange={(nickname) => form.set('newNickname', nickname)}
      />
      <TextField
        label={t('order.reason')}
        hint={t('order.reasonHint')}
        required
        maxLength={200}
        value={form.values.reason}
        error={form.errors['reason']}
        onChange={(reason) => form.set('reason', reason)}
      />
      <div className="end">
        <Button onClick={props.onClose}>{t('order.keep')}</Button>
        <Button type="submit" look="main" isBusy={form.isBusy}>
          {t('order.button.nickname')}
        </Button>
      </div>
    </form>
  );
}
