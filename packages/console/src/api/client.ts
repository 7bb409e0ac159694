/** A problem of one field, as `X-Error-Fields` has it. */
export interface FieldProblem {
  readonly field: string;
  readonly rule: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What the service answered instead of a success, or that it did not answer: code `offline`, status 0. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null = null,
    readonly fields: readonly FieldProblem[] = [],
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

export interface Answer<T> {
  readonly data: T;
  /** How many records the whole list has, such as `1204` or `10000+`; null: it was not counted, or it is no list. */
  readonly total: string | null;
  /** The cursor of the next page; null: it is the last one. */
  readonly next: string | null;
  /** The version, for `ifMatch`. */
  readonly etag: string | null;
}

export interface Options {
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: unknown;
  readonly ifMatch?: string | null;
  /** So that a request that is sent again does not act twice. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** What stands before `/console` and `/api`: the path of PUBLIC_URL. */
export const ROOT = document.querySelector<HTMLMetaElement>('meta[name="console-root"]')?.content ?? '';
const API = `${ROOT}/api/v2`;

/** The address of a path of the API, for downloads and pictures. */
export function apiUrl(path: string, query: Options['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return `${API}${path}${text === '' ? '' : `?${text}`}`;
}

/** Sends a request with the console's cookie. @throws ApiError */
export async function request<T>(method: string, path: string, options: Options = {}): Promise<Answer<T>> {
  const { body, ifMatch, idempotencyKey, signal, query } = options;
  const isFile = body instanceof Blob;
  const headers: Record<string, string> = { Accept: 'application/json', 'X-CSRF': '1' };
  if (body !== undefined) headers['Content-Type'] = isFile ? body.type : 'application/json';
  if (ifMatch) headers['If-Match'] = ifMatch;
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  const sent = body === undefined ? null : isFile ? body : JSON.stringify(body);
  const response = await fetch(apiUrl(path, query), { method, headers, body: sent, signal: signal ?? null }).catch(
    (error: unknown) => {
      if (error instanceof DOMException) throw error;
      throw new ApiError(0, 'offline', '');
    },
  );
  const envelope = (await response.json().catch(() => ({}))) as { readonly data?: T; readonly error?: string };
  if (!response.ok) throw errorOf(response, envelope.error ?? response.statusText);
  const link = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(response.headers.get('Link') ?? '');
  return {
    data: envelope.data as T,
    total: response.headers.get('X-Total-Count'),
    next: link?.[1] === undefined ? null : decodeURIComponent(link[1]),
    etag: response.headers.get('ETag'),
  };
}

function errorOf(response: Response, message: string): ApiError {
  const { status, headers } = response;
  const fields = headers.get('X-Error-Fields');
  const retry = headers.get('Retry-After');
  return new ApiError(
    status,
    headers.get('X-Error-Code') ?? 'unknown',
    message,
    headers.get('X-Request-Id'),
    fields === null ? [] : (JSON.parse(fields) as FieldProblem[]),
    retry === null ? null : Number(retry),
  );
}

/** The data of a request. */
export const send = async <T>(method: string, path: string, options?: Options): Promise<T> =>
  (await request<T>(method, path, options)).data;
export const read = async <T>(path: string, query?: Options['query']): Promise<T> =>
  send<T>('GET', path, query === undefined ? {} : { query });
