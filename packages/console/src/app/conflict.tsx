import { useEffect, useState } from 'react';
import { useT } from '../lang/language.tsx';
import { type Form, type Values } from '../ui/form.tsx';
import { Alert, Button } from '../ui/parts.tsx';
import { Failed, Loading } from '../ui/states.tsx';

interface Theirs<T> {
  readonly values: T;
  readonly etag: string | null;
}

interface ConflictProps<T extends Values> {
  readonly form: Form<T>;
  /** What the form had when it was opened, or saved the last time. */
  readonly before: T;
  readonly labelOf: (name: string) => string;
  /** Reads what the others have saved. */
  readonly load: () => Promise<Theirs<T>>;
  /** Saves what was typed, on top of their version. */
  readonly onMine: (etag: string | null) => void;
  /** Gives up what was typed. */
  readonly onTheirs: () => void;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Somebody else has saved first: both versions, and which of them stays. */
export function Conflict<T extends Values>({ form, before, labelOf, load, onMine, onTheirs }: ConflictProps<T>) {
  const t = useT();
  const [theirs, setTheirs] = useState<Theirs<T> | null>(null);
  const [error, setError] = useState<unknown>(null);
  const read = (): void => {
    setError(null);
    load().then(setTheirs, setError);
  };
  useEffect(read, []);
  if (error !== null) return <Failed error={error} onAgain={read} />;
  if (theirs === null) return <Loading rows={2} />;
  const say = (value: unknown): string => {
    if (value === true || value === false) return t(value ? 'conflict.yes' : 'conflict.no');
    if (value === '' || value === null || isSame(value, [])) return t('conflict.nothing');
    return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  };
  const names = Object.keys(form.values).filter(
    (name) => !isSame(form.values[name], before[name]) || !isSame(theirs.values[name], before[name]),
  );
  return (
    <section className="card" aria-label={t('conflict.title')}>
      <Alert tone="warn" title={t('conflict.title')}>
        {t('conflict.text', { count: form.changes })}
      </Alert>
      <table className="t top">
        <thead>
          <tr>
            <th scope="col">{t('conflict.field')}</th>
            <th scope="col">{t('conflict.mine')}</th>
            <th scope="col">{t('conflict.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{labelOf(name)}</th>
              {[form.values[name], theirs.values[name]].map((value, index) => (
                <td key={index} className="full breaks">
                  {isSame(value, before[name]) ? <span className="dim">{t('conflict.unchanged')}</span> : say(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row wrapx top">
        <Button look="main" isBusy={form.isBusy} onClick={() => onMine(theirs.etag)}>
          {t('conflict.keepMine')}
        </Button>
        <Button onClick={onTheirs}>{t('conflict.keepTheirs')}</Button>
      </div>
    </section>
  );
}
