type Value = string | number | boolean | null | undefined;

/** What a call of any operation can have; `types.ts` says which operation takes what. */
export interface AnyInput {
  readonly path?: Readonly<Record<string, Value>>;
  readonly query?: Readonly<Record<string, Value | readonly Value[]>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly ifMatch?: string | null;
  readonly idempotencyKey?: string | null;
  readonly signal?: AbortSignal;
}

/** Fills the path, and appends the query without the fields that are undefined. */
export function urlOf(baseUrl: string, path: string, input: Pick<AnyInput, 'path' | 'query'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.path?.[name];
    // An empty one would lead to another endpoint.
    if (value === undefined || value === null || value === '') throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const item of Array.isArray(value) ? (value as readonly Value[]) : [value as Value]) {
      if (item !== undefined && item !== null) query.append(name, String(item));
    }
  }
  return `${baseUrl}${filled}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

/** The headers of a request except its credential. */
export function headersOf(input: AnyInput, idempotencyKey: string | undefined): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(input.headers ?? {})) if (value !== undefined) headers.set(name, value);
  if (input.body !== undefined && !(input.body instanceof Blob)) headers.set('Content-Type', 'application/json');
  if (input.ifMatch != null) headers.set('If-Match', input.ifMatch);
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  return headers;
}

/** A file is sent as it is, with its own type; everything else as JSON. */
export function bodyOf({ body }: AnyInput): BodyInit | undefined {
  if (body === undefined || body instanceof Blob) return body;
  return JSON.stringify(body);
}
