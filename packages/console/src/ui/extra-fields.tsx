import { type ReactNode } from 'react';
import { Field } from './form.tsx';
import './shop-parts.css';

interface Base {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

/** A number, with its unit behind it. Empty is no number. */
export function NumberField(
  props: Base & {
    readonly value: string;
    readonly unit?: string;
    readonly placeholder?: string;
    readonly disabled?: boolean;
    readonly onChange: (value: string) => void;
  },
) {
  const { value, unit, placeholder, disabled, onChange, ...field } = props;
  return (
    <Field {...field}>
      {(attributes) => {
        const input = (
          <input
            className="input num"
            inputMode="decimal"
            {...attributes}
            disabled={disabled}
            placeholder={placeholder}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value.replace(',', '.'))}
          />
        );
        return unit === undefined ? (
          input
        ) : (
          <div className="affix">
            {input}
            <span>{unit}</span>
          </div>
        );
      }}
    </Field>
  );
}

/** `2026-11-29T14:02` of the reader's clock. */
function localOf(instant: string | null): string {
  if (instant === null) return '';
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A time on the reader's clock; empty: none. */
export function TimeField(
  props: Base & { readonly value: string | null; readonly onChange: (value: string | null) => void },
) {
  const { value, onChange, ...field } = props;
  return (
    <Field {...field}>
      {(attributes) => (
        <input
          className="input num"
          type="datetime-local"
          {...attributes}
          value={localOf(value)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? null : new Date(currentTarget.value).toISOString())
          }
        />
      )}
    </Field>
  );
}

/** Some of a list. */
export function CheckList(props: {
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  const { label, hint, options, values, onChange } = props;
  return (
    <fieldset className="fields checklist">
      <legend className="lab">{label}</legend>
      {options.map(([value, text]) => (
        <label className="check" key={value}>
          <input
            type="checkbox"
            checked={values.includes(value)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...values, value] : values.filter((other) => other !== value))
            }
          />
          <span className="grow">{text}</span>
        </label>
      ))}
      {hint !== undefined && <p className="hint">{hint}</p>}
    </fieldset>
  );
}
