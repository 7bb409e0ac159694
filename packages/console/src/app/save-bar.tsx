import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useT } from '../lang/language.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type Form, type Values } from '../ui/form.tsx';
import { Button } from '../ui/parts.tsx';

/** Appears with the first change of a form, saves with Ctrl+S, and asks before the page is left with changes. */
export function SaveBar<T extends Values>({ form }: { readonly form: Form<T> }) {
  const t = useT();
  const isChanged = form.changes > 0;
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged && !form.isBusy,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  useEffect(() => {
    if (!isChanged) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      void form.submit();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [isChanged, form]);
  return (
    <>
      {isChanged && (
        <div className="savebar" role="region" aria-label={t('common.unsaved')}>
          <b>{t('common.changes', { count: form.changes })}</b>
          <Button onClick={() => form.reset()}>{t('common.discard')}</Button>
          <Button look="main" isBusy={form.isBusy} onClick={() => void form.submit()}>
            {t('common.save')}
          </Button>
        </div>
      )}
      <Dialog isOpen={blocker.status === 'blocked'} title={t('common.leaveTitle')} onClose={() => blocker.reset?.()}>
        <p>{t('common.leaveText')}</p>
        <div className="end">
          <Button onClick={() => blocker.reset?.()}>{t('common.stay')}</Button>
          <Button look="danger" onClick={() => blocker.proceed?.()}>
            {t('common.leave')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
