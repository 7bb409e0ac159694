import { ApiError, type FieldProblem } from '@shop-platform/client';
import { type FormEvent, type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';
import { type Translate, useT } from '../lang/language.tsx';
import { Icon } from './icons.tsx';
import { Alert } from './parts.tsx';
import { ErrorNumber, useErrorText } from './states.tsx';

export type Values = Readonly<Record<string, unknown>>;

export interface Form<T extends Values> {
  readonly values: T;
  readonly errors: Readonly<Record<string, string>>;
  readonly isBusy: boolean;
  /** How many fields differ from what was loaded. */
  readonly changes: number;
  /** What is wrong beside the fields. */
  readonly failure: unknown;
  readonly set: <K extends keyof T>(name: K, value: T[K]) => void;
  readonly reset: (values?: T) => void;
  readonly submit: (event?: FormEvent) => Promise<void>;
}

/** The sentence for a problem of a field. */
export function problemText(t: Translate, { rule, params = {} }: FieldProblem): string {
  const { minLength, maxLength, minimum, maximum } = params as Record<string, number | undefined>;
  const values = { min: minLength ?? minimum ?? 0, max: maxLength ?? maximum ?? 0 };
  if (rule === 'format') {
    const key = `rule.format.${String(params['format'])}`;
    const text = t(key);
    return text === key ? t('rule.invalid') : text;
  }
  if (rule === 'length' && values.max === 0) return t('rule.tooShort', values);
  if (rule === 'range' && maximum === undefined) return t('rule.tooSmall', values);
  const key = `rule.${rule}`;
  const text = t(key, values);
  return text === key ? t('rule.invalid') : text;
}

/**
 * The values of a form, and what the service says about them: each problem at its field, everything else above the form.
 * @param send rejects with an ApiError
 */
export function useForm<T extends Values>(initial: T, send: (values: T) => Promise<unknown>): Form<T> {
  const t = useT();
  const [start, setStart] = useState(initial);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isSame = (name: string): boolean => JSON.stringify(values[name]) === JSON.stringify(start[name]);
  return {
    values,
    errors,
    isBusy,
    failure,
    changes: Object.keys(values).filter((name) => !isSame(name)).length,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }));
      setErrors(({ [String(name)]: _, ...others }) => others);
    },
    reset: (next = start) => {
      setStart(next);
      setValues(next);
      setErrors({});
      setFailure(null);
    },
    submit: async (event) => {
      event?.preventDefault();
      setBusy(true);
      setFailure(null);
      setErrors({});
      try {
        await send(values);
        setStart(values);
      } catch (error) {
        const fields = error instanceof ApiError ? error.fields : [];
        setErrors(Object.fromEntries(fields.map((problem) => [problem.field, problemText(t, problem)])));
        // A problem of a field that this form does not show stands above it.
        if (!fields.some(({ field }) => field in values)) setFailure(error);
        else setTimeout(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      } finally {
        setBusy(false);
      }
    },
  };
}

/** What went wrong with a form as a whole. */
export function FormProblem(props: {
  readonly form: { readonly failure: unknown };
  /** What stands there instead when somebody else has saved first. */
  readonly children?: ReactNode;
}) {
  const textOf = useErrorText();
  const { failure } = props.form;
  if (!failure) return null;
  const isConflict = failure instanceof ApiError && failure.code === 'version_mismatch';
  if (isConflict && props.children !== undefined) return props.children;
  return (
    <Alert tone="bad" title={textOf(failure)}>
      <ErrorNumber error={failure} />
    </Alert>
  );
}

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Beside the label, such as a link. */
  readonly side?: ReactNode;
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string | undefined;
  }) => ReactNode;
}

/** A field with its label above, and its hint and its error below. */
export function Field({ label, hint, error, side, children }: FieldProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      {side === undefined ? (
        <label htmlFor={id}>{label}</label>
      ) : (
        <div className="between">
          <label className="lab" htmlFor={id}>
            {label}
          </label>
          {side}
        </div>
      )}
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="err" id={`${id}-error`}>
          <Icon name="warning" />
          {error}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> &
  Omit<FieldProps, 'children'> & { readonly value: string; readonly onChange: (value: string) => void };

/** A line of text. */
export function TextField({ label, hint, error, side, value, onChange, className = '', ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} side={side}>
      {(attributes) => (
        <input
          className={`input ${className}`}
          {...rest}
          {...attributes}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** One of several values. */
export function SelectField<T extends string>(
  props: Omit<FieldProps, 'children'> & {
    readonly value: T;
    readonly options: readonly (readonly [value: T, label: string])[];
    readonly onChange: (value: T) => void;
    readonly disabled?: boolean;
  },
) {
  const { value, options, onChange, disabled, ...field } = props;
  return (
    <Field {...field}>
      {(attributes) => (
        <select
          className="input"
          {...attributes}
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value as T)}
        >
          {options.map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Several lines of text. */
export function TextArea(
  props: Omit<FieldProps, 'children'> & {
    readonly value: string;
    readonly rows?: number;
    readonly maxLength?: number;
    readonly onChange: (value: string) => void;
  },
) {
  const { value, onChange, rows = 4, maxLength, ...field } = props;
  return (
    <Field {...field}>
      {(attributes) => (
        <textarea
          className="input"
          {...attributes}
          rows={rows}
          maxLength={maxLength}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Something that is on or off. */
export function Switch(props: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly disabled?: boolean;
}) {
  return (
    <label className="sw">
      <input
        type="checkbox"
        role="switch"
        checked={props.isOn}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span className="grow">
        {props.label}
        {props.hint !== undefined && <small className="hint block">{props.hint}</small>}
      </span>
    </label>
  );
}
