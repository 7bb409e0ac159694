import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { useT } from '../lang/language.tsx';

const SHOWN_MS = 8_000;

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: (() => void) | undefined;
}

/** Says for some seconds what happened, with a way back where there is one. */
export type Tell = (text: string, undo?: () => void) => void;

const Context = createContext<Tell>(() => undefined);
export const useTell = (): Tell => useContext(Context);

export function Toasts({ children }: { readonly children: ReactNode }) {
  const t = useT();
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const last = useRef(0);
  const remove = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), []);
  const tell = useCallback<Tell>(
    (text, undo) => {
      last.current += 1;
      const id = last.current;
      setToasts((shown) => [...shown.slice(-2), { id, text, undo }]);
      setTimeout(() => remove(id), SHOWN_MS);
    },
    [remove],
  );
  const value = useMemo(() => tell, [tell]);
  return (
    <Context value={value}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, undo }) => (
          <div className="toast" key={id}>
            <span className="grow">{text}</span>
            {undo && (
              <button
                type="button"
                onClick={() => {
                  undo();
                  remove(id);
                }}
              >
                {t('common.undo')}
              </button>
            )}
            <button type="button" onClick={() => remove(id)} aria-label={t('common.close')}>
              ×
            </button>
          </div>
        ))}
      </div>
    </Context>
  );
}
