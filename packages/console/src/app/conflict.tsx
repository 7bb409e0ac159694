import { type RefObject, useEffect, useState } from 'react';
import { type Answer } from '../api/client.ts';
import { useT } from '../lang/language.tsx';
import { type Form, FormProblem, type Values } from '../ui/form.tsx';
import { Alert, Button } from '../ui/parts.tsx';
import { Failed, Loading } from '../ui/states.tsx';

interface ConflictProps<T extends Values, R> {
  readonly form: Form<T>;
  /** What the form had when it was opened, or saved the last time. */
  readonly before: T;
  readonly labelOf: (name: string) => string;
  /** Reads the record as the others have saved it. */
  readonly read: () => Promise<Answer<R>>;
  readonly valuesOf: (record: R) => T;
  /** The version on top of which the form is saved. */
  readonly version: RefObject<string | null>;
  /** Gives up what was typed. */
  readonly onTheirs: () => void;
}

/** What is wrong above a form of a record with versions: both of them when somebody else was faster, else the error. */
export function FormConflict<T extends Values, R>(props: ConflictProps<T, R>) {
  return (
    <FormProblem form={props.form}>
      <Conflict {...props} />
    </FormProblem>
  );
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Somebody else has saved first: both versions, and which of them stays. */
function Conflict<T extends Values, R>(props: ConflictProps<T, R>) {
  const { form, before, labelOf, read, valuesOf, version, onTheirs } = props;
  const t = useT();
  const [answer, setAnswer] = useState<Answer<R> | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = (): void => {
    setError(null);
    read().then(setAnswer, setError);
  };
  useEffect(load, []);
  if (error !== null) return <Failed error={error} onAgain={load} />;
  if (answer === null) return <Loading rows={2} />;
  const theirs = valuesOf(answer.data);
  const keepMine = (): void => {
    version.current = answer.etag;
    void form.submit();
  };
  const say = (value: unknown): string => {
    if (value === true || value === false) return t(value ? 'conflict.yes' : 'conflict.no');
    if (value === '' || value === null || isSame(value, [])) return t('conflict.nothing');
    return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  };
  const names = Object.keys(form.values).filter(
    (name) => !isSame(form.values[name], before[name]) || !isSame(theirs[name], before[name]),
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
              {[form.values[name], theirs[name]].map((value, index) => (
                <td key={index} className="full breaks">
                  {isSame(value, before[name]) ? <span className="dim">{t('conflict.unchanged')}</span> : say(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row wrapx top">
        <Button look="main" isBusy={form.isBusy} onClick={keepMine}>
          {t('conflict.keepMine')}
        </Button>
        <Button onClick={onTheirs}>{t('conflict.keepTheirs')}</Button>
      </div>
    </section>
  );
}
