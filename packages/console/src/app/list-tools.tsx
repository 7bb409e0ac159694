import { type FormEvent, type ReactNode, useState } from 'react';
import { useSearchState } from './links.tsx';
import { useT } from '../lang/language.tsx';
import '../ui/shop-parts.css';
import { Icon } from '../ui/icons.tsx';

/** The search box of a list and its filters. What one searches for stands in the address. */
export function SearchTools({ label, children }: { readonly label: string; readonly children?: ReactNode }) {
  const [search, change] = useSearchState();
  const [text, setText] = useState(search['q'] ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change({ q: text.trim(), cursor: '' });
  };
  return (
    <form className="tools" role="search" onSubmit={submit}>
      <input
        className="input"
        type="search"
        name="q"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          if (event.currentTarget.value === '') change({ q: '', cursor: '' });
        }}
      />
      {children}
    </form>
  );
}

/** One filter of a list; its value stands in the address. */
export function Filter(props: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}) {
  const t = useT();
  const [search, change] = useSearchState();
  const { label, name, options } = props;
  const value = search[name];
  if (value !== undefined) {
    return (
      <button
        type="button"
        className="chip on"
        aria-label={t('list.withoutFilter', { name: label })}
        onClick={() => change({ [name]: '', cursor: '' })}
      >
        {label}: <b>{options.find(([option]) => option === value)?.[1] ?? value}</b>
        <Icon name="close" />
      </button>
    );
  }
  return (
    <select
      className="chip"
      name={name}
      aria-label={label}
      value=""
      onChange={(event) => change({ [name]: event.currentTarget.value, cursor: '' })}
    >
      <option value="">{label}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}
