import { type AnyInput } from './request.js';
import { Transport, type TransportOptions } from './transport.js';
import { type Args, type Data, type Item, type ListPath, type Method, type PathOf } from './types.js';

/** A success of the service. */
export interface Result<T> {
  readonly data: T;
  /** A short sentence about the result. */
  readonly message: string;
  /** The version of the record, for `ifMatch`; null: it has none. */
  readonly etag: string | null;
  readonly response: Response;
}

/** A page of a list. */
export interface Page<T> extends Result<readonly T[]> {
  /** The `cursor` of the next page; null: this is the last one. */
  readonly next: string | null;
  /** How many records the whole list has. `isExact`: there are not more; null: the list does not say. */
  readonly total: { readonly count: number; readonly isExact: boolean } | null;
}

/** Each call rejects with an ApiError, a ConnectionError or the reason of its signal. */
export interface Client {
  get<P extends PathOf<'get'>>(path: P, ...input: Args<'get', P>): Promise<Result<Data<'get', P>>>;
  post<P extends PathOf<'post'>>(path: P, ...input: Args<'post', P>): Promise<Result<Data<'post', P>>>;
  put<P extends PathOf<'put'>>(path: P, ...input: Args<'put', P>): Promise<Result<Data<'put', P>>>;
  patch<P extends PathOf<'patch'>>(path: P, ...input: Args<'patch', P>): Promise<Result<Data<'patch', P>>>;
  delete<P extends PathOf<'delete'>>(path: P, ...input: Args<'delete', P>): Promise<Result<Data<'delete', P>>>;
  /** One page of a list. */
  page<P extends ListPath>(path: P, ...input: Args<'get', P>): Promise<Page<Item<P>>>;
  /** The pages of a list, each read when it is needed. */
  pages<P extends ListPath>(path: P, ...input: Args<'get', P>): AsyncGenerator<Page<Item<P>>, void, undefined>;
  /** The records of a list; its pages are read when they are needed. */
  items<P extends ListPath>(path: P, ...input: Args<'get', P>): AsyncGenerator<Item<P>, void, undefined>;
}

/** A client of one service with one credential. */
export function createClient(options: TransportOptions = {}): Client {
  const transport = new Transport(options);
  const call =
    (method: Method) =>
    async (path: string, input?: AnyInput): Promise<Result<unknown>> =>
      toResult(await transport.request(method, path, input));
  const page = async (path: string, input?: AnyInput): Promise<Page<unknown>> => {
    const result = await call('get')(path, input);
    const { headers } = result.response;
    return {
      ...(result as Result<readonly unknown[]>),
      next: nextCursorOf(headers.get('Link')),
      total: totalOf(headers.get('X-Total-Count')),
    };
  };
  async function* pages(path: string, input: AnyInput = {}): AsyncGenerator<Page<unknown>, void, undefined> {
    let cursor = input.query?.['cursor'];
    do {
      const read = await page(path, { ...input, query: { ...input.query, cursor } });
      yield read;
      cursor = read.next;
    } while (cursor !== null);
  }
  async function* items(path: string, input?: AnyInput): AsyncGenerator<unknown, void, undefined> {
    for await (const { data } of pages(path, input)) yield* data;
  }

  const client = {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    page,
    pages,
    items,
  };
  // The types follow from the OpenAPI document, of which nothing is left at run time.
  return client as unknown as Client;
}

/** JSON has the envelope of the service; everything else is a file. */
async function toResult(response: Response): Promise<Result<unknown>> {
  const etag = response.headers.get('ETag');
  if (response.headers.get('Content-Type')?.startsWith('application/json') !== true) {
    return { data: await response.blob(), message: '', etag, response };
  }
  const { data, message } = (await response.json()) as { data: unknown; message: string };
  return { data, message, etag, response };
}

/** The cursor in `<https://...?cursor=...>; rel="next"` (RFC 8288). */
function nextCursorOf(link: string | null): string | null {
  const [, url] = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? '') ?? [];
  return url === undefined ? null : new URL(url, 'http://localhost').searchParams.get('cursor');
}

/** `1042`, or `10000+` where nobody has counted further. */
function totalOf(header: string | null): Page<unknown>['total'] {
  const [, count, more] = /^(\d+)(\+?)$/.exec(header ?? '') ?? [];
  return count === undefined ? null : { count: Number(count), isExact: more === '' };
}
