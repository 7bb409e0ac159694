import { type ButtonHTMLAttributes, type ReactNode } from 'react';
import { useLanguage } from '../lang/language.tsx';
import { exactTime, when } from './formats.ts';
import { Icon, type IconName } from './icons.tsx';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'ring';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'main' | 'danger' | 'plain' | 'usual';
  readonly icon?: IconName;
  /** Says that the work of the button goes on, and takes no second click. */
  readonly isBusy?: boolean;
}

/** A button with a verb. With an icon alone it needs an `aria-label`. */
export function Button({ look = 'usual', icon, isBusy = false, children, className = '', ...rest }: ButtonProps) {
  const classes = ['btn', look === 'usual' ? '' : look, children === undefined ? 'icon' : '', className].filter(
    Boolean,
  );
  return (
    <button type="button" {...rest} className={classes.join(' ')} aria-busy={isBusy} disabled={isBusy || rest.disabled}>
      {isBusy ? <span className="spin" /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A state: its colour never stands without its word. */
export function Badge({ tone, children }: { readonly tone?: Tone | undefined; readonly children: ReactNode }) {
  return <span className={`badge ${tone ?? 'nodot'}`}>{children}</span>;
}

/** What is wrong, or good to know, above a page. */
export function Alert(props: {
  readonly tone?: Tone;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  const { tone = 'info', title, children, action } = props;
  return (
    <div className={`alert ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={tone === 'good' ? 'check' : tone === 'info' ? 'info' : 'warning'} />
      <span className="grow">
        <b>{title}</b>
        {children}
      </span>
      {action}
    </div>
  );
}

/** One subject of a page. */
export function Card(props: {
  readonly title?: ReactNode;
  readonly side?: ReactNode;
  readonly isFlush?: boolean;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const { title, side, isFlush = false, children, className = '' } = props;
  return (
    <section className={`card ${isFlush ? 'flush' : ''} ${className}`}>
      {title !== undefined && (
        <div className="between">
          <h2>{title}</h2>
          {side}
        </div>
      )}
      {children}
    </section>
  );
}

/** The heading of a page with its buttons. */
export function Head(props: {
  readonly title: string;
  readonly back?: ReactNode;
  readonly badges?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="head">
      {props.back}
      <div className="title">
        <h1>{props.title}</h1>
        {props.badges}
      </div>
      {props.children !== undefined && <div className="acts">{props.children}</div>}
    </div>
  );
}

/** A time as people say it; its title has the exact one. */
export function Time({ at }: { readonly at: string }) {
  const { language } = useLanguage();
  return (
    <time dateTime={at} title={exactTime(at, language)}>
      {when(at, language)}
    </time>
  );
}

/** A choice of a few, such as a period. */
export function Choice<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly onChange: (value: T) => void;
}) {
  return (
    <span className="seg" role="group" aria-label={props.label}>
      {props.options.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-current={value === props.value ? 'true' : undefined}
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {label}
        </button>
      ))}
    </span>
  );
}

/** Names and values. */
export function Facts(props: {
  readonly facts: readonly (readonly [name: ReactNode, value: ReactNode])[];
  readonly className?: string;
}) {
  return (
    <dl className={`kv ${props.className ?? ''}`}>
      {props.facts.map(([name, value], index) => (
        <div key={index} className="contents">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
