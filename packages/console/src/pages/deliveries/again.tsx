import { type Body } from '@shop-platform/client';
import { api } from '../../api/client.ts';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Button } from '../../ui/parts.tsx';
import { useTell } from '../../ui/toasts.tsx';

type Which = Pick<Body<'post', '/api/v2/deliveries/{shopId}/redeliver'>, 'failure'> & {
  readonly deliveryIds?: readonly string[];
};

interface AgainProps {
  /** How many of what is said before: deliveries, or orders whose failed deliveries are meant. */
  readonly text: string;
  readonly which: () => Promise<Which>;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Queues many failed deliveries again, with one reason. What was delivered never runs twice. */
export function AgainDialog({ isOpen, ...props }: AgainProps & { readonly isOpen: boolean }) {
  const t = useT();
  return (
    <Dialog isOpen={isOpen} title={t('deliveries.againTitle')} onClose={props.onClose}>
      <Again {...props} />
    </Dialog>
  );
}

function Again({ text, which, onClose, onDone }: AgainProps) {
  const t = useT();
  const shop = useShop();
  const tell = useTell();
  const refresh = useRefresh();
  const form = useForm({ reason: '' }, async ({ reason }) => {
    const { data } = await api.post('/api/v2/deliveries/{shopId}/redeliver', {
      path: { shopId: shop._id },
      body: { ...(await which()), reason },
    });
    onClose();
    onDone?.();
    tell(t('deliveries.queued', { count: data.queued, left: data.left.length }));
    await refresh(...shopKey(shop._id));
  });
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <p className="muted">{text}</p>
      <FormProblem form={form} />
      <TextField
        label={t('order.reason')}
        hint={t('order.reasonHint')}
        required
        data-autofocus
        value={form.values.reason}
        error={form.errors['reason']}
        onChange={(reason) => form.set('reason', reason)}
      />
      <div className="end">
        <Button onClick={onClose}>{t('order.keep')}</Button>
        <Button type="submit" look="main" isBusy={form.isBusy}>
          {t('order.button.redeliver')}
        </Button>
      </div>
    </form>
  );
}
