import { ApiError, ConnectionError } from '@shop-platform/client';
import { type ReactNode, useEffect, useState } from 'react';
import empty from '../../../../templates/assets/empty.svg';
import { useT } from '../lang/language.tsx';
import { CopyButton } from './copy.tsx';
import { Alert, Button, Head } from './parts.tsx';

const SKELETON_AFTER_MS = 200;

/** Nothing is here yet, or nothing was found: a sentence, and what to do about it. */
export function Empty(props: {
  readonly title: string;
  readonly text?: string;
  /** h1: nothing else is on the page. */
  readonly heading?: 'h1' | 'h2';
  readonly children?: ReactNode;
}) {
  const Heading = props.heading ?? 'h2';
  return (
    <div className="empty">
      <img src={empty} alt="" width="88" height="88" />
      <Heading>{props.title}</Heading>
      {props.text !== undefined && <p>{props.text}</p>}
      {props.children}
    </div>
  );
}

/** Lines where rows will be. It appears only when loading takes a while. */
export function Loading({ rows = 5 }: { readonly rows?: number }) {
  const t = useT();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status">
      <span className="sr">{t('common.loading')}</span>
      {isShown && Array.from({ length: rows }, (_, index) => <div className="sk line" key={index} />)}
    </div>
  );
}

/** The sentence for an error of the API, in the language of the reader. */
export function useErrorText(): (error: unknown) => string {
  const t = useT();
  return (error) => {
    if (error instanceof ConnectionError) return t('error.offline');
    if (!(error instanceof ApiError)) return t('error.unknown');
    // A rule between fields names no field; only its own sentence says what is wrong.
    if (error.code === 'validation_failed' && error.fields.length === 0) return error.message;
    // A proxy has answered instead of the service.
    if (error.code.startsWith('http_')) return t('error.service_unavailable');
    const key = `error.${error.code}`;
    const text = t(key, { count: Math.ceil((error.retryAfterMs ?? 1000) / 1000) });
    return text === key ? error.message : text;
  };
}

/** The number of a failed request, which support finds in the log. */
export function ErrorNumber({ error }: { readonly error: unknown }) {
  const t = useT();
  if (!(error instanceof ApiError) || error.requestId === null) return null;
  return (
    <span className="row small">
      {t('error.number')} <span className="mono breaks">{error.requestId}</span>
      <CopyButton text={error.requestId} />
    </span>
  );
}

/** An error in place of what could not be loaded. */
export function Failed({ error, onAgain }: { readonly error: unknown; readonly onAgain: () => void }) {
  const t = useT();
  const textOf = useErrorText();
  if (error instanceof ApiError && error.status === 403) {
    return <Empty title={t('error.notAllowed')} text={t('error.notAllowedText')} />;
  }
  if (error instanceof ApiError && error.status === 404) {
    return <Empty title={t('error.notFound')} text={t('error.notFoundText')} />;
  }
  return (
    <Alert tone="bad" title={textOf(error)} action={<Button onClick={onAgain}>{t('common.again')}</Button>}>
      <ErrorNumber error={error} />
    </Alert>
  );
}

/** A page whose record is not there: its heading says which page it is. */
export function Bare({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <>
      <Head title={heading} />
      <section className="card">{children}</section>
    </>
  );
}

/** What a query brings: its data, or the state that it is in. */
export function Loaded<T>(props: {
  readonly query: {
    readonly data: T | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly rows?: number;
  /** The heading of a page that has no other one until the data are there. */
  readonly heading?: string;
  readonly children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = props.query;
  if (data !== undefined) return props.children(data);
  const state = error ? (
    <Failed error={error} onAgain={() => void refetch()} />
  ) : (
    <Loading {...(props.rows === undefined ? {} : { rows: props.rows })} />
  );
  return props.heading === undefined ? state : <Bare heading={props.heading}>{state}</Bare>;
}
