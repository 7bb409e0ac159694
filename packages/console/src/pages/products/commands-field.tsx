import { useRef } from 'react';
import { useT } from '../../lang/language.tsx';
import { Field } from '../../ui/form.tsx';
import { exampleOf, PLACEHOLDERS, problemsOf, withoutSlashes } from './command-rules.ts';

/** Commands, one a line, with what is probably wrong and the placeholders to insert. */
export function CommandsField(props: {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly rows: number;
  readonly onChange: (value: string) => void;
}) {
  const t = useT();
  const area = useRef<HTMLTextAreaElement>(null);
  const { value, onChange } = props;
  const problems = problemsOf(value);
  const insert = (name: string): void => {
    const [from, to] = [area.current?.selectionStart ?? value.length, area.current?.selectionEnd ?? value.length];
    onChange(`${value.slice(0, from)}{${name}}${value.slice(to)}`);
    area.current?.focus();
  };
  const [first] = problems;
  const warning = first && t(`products.command.${first.kind}`, { line: first.line, name: `{${first.name}}` });
  return (
    <>
      <Field
        label={props.label}
        error={props.error ?? warning}
        hint={
          <>
            {problems.some(({ kind }) => kind === 'slash') && (
              <button type="button" className="linkish" onClick={() => onChange(withoutSlashes(value))}>
                {t('products.command.takeAway')}
              </button>
            )}{' '}
            {t('products.command.insert')}{' '}
            {PLACEHOLDERS.map((name) => (
              <button type="button" className="badge nodot insert" key={name} onClick={() => insert(name)}>
                {`{${name}}`}
              </button>
            ))}
          </>
        }
      >
        {(attributes) => (
          <textarea
            className="input mono"
            {...attributes}
            ref={area}
            rows={props.rows}
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )}
      </Field>
      {value.trim() !== '' && (
        <div className="code preview-code">
          <span className="c">{t('products.command.example')}</span>
          {exampleOf(value.trim())}
        </div>
      )}
    </>
  );
}
