import { useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useMoney, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Button, Choice } from '../../ui/parts.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { type Order } from './order-types.ts';

export type Act = 'refund' | 'nickname' | 'redeliver' | 'cancel' | 'accept' | 'reject';

interface OrderPath {
  readonly shopId: string;
  readonly orderId: string;
}
interface ActProps {
  readonly order: Order;
  readonly kept: number;
  readonly onClose: () => void;
}

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

/** Sends an act, closes the dialog, and reads the order again. */
function useAct({ order, onClose }: ActProps) {
  const t = useT();
  const shop = useShop();
  const tell = useTell();
  const refresh = useRefresh();
  const path = { shopId: shop._id, orderId: order.id };
  return async (call: (path: OrderPath) => Promise<unknown>, done: string): Promise<void> => {
    await call(path);
    onClose();
    tell(t(done));
    await Promise.all([refresh(...shopKey(shop._id, 'orders')), refresh(...shopKey(shop._id, 'overview'))]);
  };
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

function Refund(props: ActProps) {
  const t = useT();
  const money = useMoney();
  const run = useAct(props);
  const { order, kept } = props;
  const [mode, setMode] = useState<'all' | 'part'>('all');
  // One dialog, one refund: a second click, or a lost answer, does not pay back twice.
  const key = useRef(crypto.randomUUID());
  const form = useForm({ amount: String(kept), reason: '' }, ({ amount, reason }) => {
    const body = mode === 'all' ? { reason } : { reason, amount: Number(amount.replace(',', '.')) };
    const idempotencyKey = key.current;
    return run(
      (path) => api.post('/api/v2/payments/{shopId}/{orderId}/refund', { path, body, idempotencyKey }),
      'order.done.refund',
    );
  });
  const amount = mode === 'all' ? kept : Number(form.values.amount.replace(',', '.'));
  const shown = Number.isFinite(amount) ? money(amount, order.currency) : form.values.amount;
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <p className="muted">{t('order.text.refund', { amount: money(kept, order.currency) })}</p>
      <FormProblem form={form} />
      <Choice
        label={t('order.howMuch')}
        value={mode}
        options={[
          ['all', t('order.all', { amount: money(kept, order.currency) })],
          ['part', t('order.part')],
        ]}
        onChange={setMode}
      />
      {mode === 'part' && (
        <TextField
          label={t('order.amount', { currency: order.currency })}
          hint={t('order.amountHint')}
          inputMode="decimal"
          className="num"
          value={form.values.amount}
          error={form.errors['amount']}
          onChange={(value) => {
            form.set('amount', value);
            key.current = crypto.randomUUID();
          }}
        />
      )}
      <TextField
        label={t('order.reason')}
        hint={t('order.refundReasonHint')}
        required
        maxLength={200}
        data-autofocus
        value={form.values.reason}
        error={form.errors['reason']}
        onChange={(reason) => {
          form.set('reason', reason);
          key.current = crypto.randomUUID();
        }}
      />
      <div className="end">
        <Button onClick={props.onClose}>{t('order.keepMoney')}</Button>
        <Button type="submit" look="danger" isBusy={form.isBusy}>
          {t('order.button.refund', { amount: shown })}
        </Button>
      </div>
    </form>
  );
}
