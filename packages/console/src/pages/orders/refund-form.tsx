import { useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { useMoney } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { CheckList } from '../../ui/extra-fields.tsx';
import { FormProblem, Switch, TextField, useForm } from '../../ui/form.tsx';
import { Button, Choice } from '../../ui/parts.tsx';
import { type ActProps, useAct } from './order-acts.ts';

/** Gives back all that the shop has of an order, what some products of it cost, or an amount. */
export function Refund(props: ActProps) {
  const t = useT();
  const money = useMoney();
  const run = useAct(props);
  const { order, kept } = props;
  const [mode, setMode] = useState<'all' | 'items' | 'part'>('all');
  // One dialog, one refund: a second click, or a lost answer, does not pay back twice.
  const key = useRef(crypto.randomUUID());
  const first = { amount: String(kept), reason: '', items: [] as readonly string[], takeBack: true };
  const form = useForm(first, ({ amount, reason, items, takeBack }) => {
    const about = {
      ...{ all: {}, items: { items: [...items], takeBack }, part: { amount: Number(amount.replace(',', '.')) } }[mode],
    };
    const body = { reason, ...about };
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
          ...(order.items.length > 1 ? [['items', t('order.someProducts')] as const] : []),
          ['part', t('order.part')],
        ]}
        onChange={(chosen) => {
          setMode(chosen);
          key.current = crypto.randomUUID();
        }}
      />
      {mode === 'items' && (
        <>
          <CheckList
            label={t('order.products')}
            hint={t('order.itemsHint')}
            options={order.items.map(({ productId, name, quantity }) => [productId, `${quantity} × ${name}`] as const)}
            values={form.values.items}
            onChange={(items) => {
              form.set('items', items);
              key.current = crypto.randomUUID();
            }}
          />
          <Switch
            label={t('order.takeBack')}
            hint={t('order.takeBackHint')}
            isOn={form.values.takeBack}
            onChange={(takeBack) => {
              form.set('takeBack', takeBack);
              key.current = crypto.randomUUID();
            }}
          />
        </>
      )}
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
        <Button
          type="submit"
          look="danger"
          isBusy={form.isBusy}
          disabled={mode === 'items' && form.values.items.length === 0}
        >
          {mode === 'items' ? t('order.button.refundItems') : t('order.button.refund', { amount: shown })}
        </Button>
      </div>
    </form>
  );
}
