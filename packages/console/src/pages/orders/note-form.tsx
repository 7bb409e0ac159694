import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useT } from '../../lang/language.tsx';
import { FormProblem, TextArea, useForm } from '../../ui/form.tsx';
import { Button } from '../../ui/parts.tsx';
import { useAct } from './order-acts.ts';
import { type Order } from './order-types.ts';

/** Opens a field for a note that only the team sees. */
export function NoteForm({ order }: { readonly order: Order }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const run = useAct({ order, onClose: () => setOpen(false) });
  const form = useForm({ text: '' }, async (body) => {
    await run((path) => api.post('/api/v2/orders/{shopId}/{orderId}/notes', { path, body }), 'order.done.note');
    form.reset({ text: '' });
  });
  if (!isOpen) {
    return (
      <Button icon="plus" onClick={() => setOpen(true)}>
        {t('order.addNote')}
      </Button>
    );
  }
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <FormProblem form={form} />
      <TextArea
        label={t('order.note')}
        hint={t('order.noteHint')}
        maxLength={1000}
        value={form.values.text}
        error={form.errors['text']}
        onChange={(text) => form.set('text', text)}
      />
      <div className="end">
        <Button onClick={() => setOpen(false)}>{t('order.noNote')}</Button>
        <Button type="submit" look="main" isBusy={form.isBusy} disabled={form.values.text.trim() === ''}>
          {t('order.saveNote')}
        </Button>
      </div>
    </form>
  );
}
