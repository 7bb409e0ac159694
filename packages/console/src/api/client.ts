import { cookieSession, createClient, type Result } from '@shop-platform/client';

/** What stands before `/console` and `/api`: the path of PUBLIC_URL. */
export const ROOT = document.querySelector<HTMLMetaElement>('meta[name="console-root"]')?.content ?? '';
/** Somebody looks at the page: a longer wait is said instead of waited for. */
const LONGEST_WAIT_MS = 2_000;

/** The API as every other client has it, with the cookie of the console. */
export const api = createClient({ baseUrl: ROOT, credential: cookieSession(), longestWaitMs: LONGEST_WAIT_MS });

/** A success and its version, for `ifMatch`. */
export type Answer<T> = Pick<Result<T>, 'data' | 'etag'>;

/** What a call brings, without its version and its headers. */
export const dataOf = async <T>(call: Promise<Pick<Result<T>, 'data'>>): Promise<T> => (await call).data;

/** What somebody has typed into a form or into the address: the service checks it, and names the field that is wrong. */
export const unchecked = (typed: object): never => typed as never;

type Value = string | number | boolean | null | undefined;

/** The address of a path of the API, for downloads and pictures. */
export function apiUrl(path: string, query: Readonly<Record<string, Value>> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return `${ROOT}/api/v2${path}${search.size === 0 ? '' : `?${search.toString()}`}`;
}
