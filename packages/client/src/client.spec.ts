import { describe, expect, it } from '@jest/globals';
import {
  ApiError,
  apiKey,
  bearer,
  type Client,
  type ClientOptions,
  ConnectionError,
  cookieSession,
  createClient,
  isApiError,
  type Tokens,
} from './index.js';

const SHOP = { path: { shopId: 'a1' } };
const NO_WAIT = { 'Retry-After': '0' };

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly credentials: string | undefined;
  readonly body: unknown;
}
type Reply = Response | Error | ((sent: Sent) => Response);

function success(data: unknown, headers: Record<string, string> = {}): Response {
  return Response.json({ success: true, data, message: 'Done' }, { headers });
}
function failure(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = { success: false, statusCode: status, error: `It is ${code}`, timestamp: '', path: '/' };
  return Response.json(body, { status, headers: { 'X-Error-Code': code, 'X-Request-Id': 'r1', ...headers } });
}

/** A client of a service that replies with the given responses, and what it has sent. */
function clientOf(replies: Reply[], options: ClientOptions = {}): { client: Client; sent: Sent[] } {
  const sent: Sent[] = [];
  const reply = (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request = {
      method: init.method ?? 'GET',
      url: url instanceof Request ? url.url : url.toString(),
      headers: Object.fromEntries(new Headers(init.headers)),
      credentials: init.credentials,
      body: init.body ?? null,
    };
    sent.push(request);
    const next = replies.shift() ?? new Error('more requests than expected');
    if (next instanceof Error) return Promise.reject(next);
    return Promise.resolve(typeof next === 'function' ? next(request) : next);
  };
  return { client: createClient({ baseUrl: 'https://shop.example.com/', fetch: reply, ...options }), sent };
}
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );

describe('A call', () => {
  it('fills the path, leaves out what is undefined, and returns data, message and version', async () => {
    const { client, sent } = clientOf([success([{ id: 'p1' }], { ETag: 'W/"1"' })]);
    const query = { q: 'a&b', isActive: true, cursor: undefined };
    const result = await client.get('/api/v2/products/{shopId}', { path: { shopId: 'a/1' }, query });
    expect([result.data, result.message, result.etag]).toEqual([[{ id: 'p1' }], 'Done', 'W/"1"']);
    expect(sent).toEqual([
      {
        method: 'GET',
        url: 'https://shop.example.com/api/v2/products/a%2F1?q=a%26b&isActive=true',
        headers: {},
        credentials: 'omit',
        body: null,
      },
    ]);
  });

  it('sends nothing when an id of the path is empty', async () => {
    const { client, sent } = clientOf([]);
    const error = await errorOf(
      client.delete('/api/v2/products/{shopId}/{productId}', { path: { shopId: 'a1', productId: '' } }),
    );
    expect([error, sent]).toEqual([new TypeError('/api/v2/products/{shopId}/{productId} needs productId'), []]);
  });

  it('sends a file as it is, and returns one', async () => {
    const csv = new Response('id\n1', { headers: { 'Content-Type': 'text/csv; charset=utf-8' } });
    const { client, sent } = clientOf([success({}), csv]);
    const image = new Blob(['x'], { type: 'image/png' });
    await client.post('/api/v2/images/{shopId}', { ...SHOP, body: image });
    expect([sent[0]?.body, sent[0]?.headers]).toEqual([image, {}]);
    expect(await (await client.get('/api/v2/orders/{shopId}/export', SHOP)).data.text()).toBe('id\n1');
  });

  it('rejects with the code, the fields and the id of the request', async () => {
    const fields = [{ field: 'name', rule: 'max_length', params: { max: 80 } }];
    const headers = { 'X-Error-Fields': JSON.stringify(fields) };
    const { client } = clientOf([failure(400, 'validation_failed', headers)]);
    const error = await errorOf(client.get('/api/v2/shops'));
    expect(error).toMatchObject({
      code: 'validation_failed',
      status: 400,
      message: 'It is validation_failed',
      fields,
      requestId: 'r1',
    });
    expect([isApiError(error), isApiError(error, 'other', 'validation_failed'), isApiError(error, 'other')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('rejects with a code of its own when a proxy responds', async () => {
    const { client } = clientOf([new Response('<h1>Bad gateway</h1>', { status: 502 })], { retries: 0 });
    const expected = {
      code: 'http_502',
      status: 502,
      message: 'The response has the status 502',
      fields: [],
      requestId: null,
    };
    expect(await errorOf(client.get('/api/v2/shops'))).toMatchObject(expected);
  });

  it('rejects with the reason of its signal, also while it waits for the next attempt', async () => {
    const { client, sent } = clientOf([failure(503, 'service_unavailable', { 'Retry-After': '15' })]);
    const controller = new AbortController();
    const call = errorOf(client.get('/api/v2/shops', { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('left')), 20);
    expect([await call, sent.length]).toEqual([new Error('left'), 1]);
  });

  it('rejects when the time limit of its attempts is over', async () => {
    const never: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
    const error = await errorOf(createClient({ fetch: never, timeoutMs: 5, retries: 0 }).get('/api/v2/shops'));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ cause: { name: 'TimeoutError' } });
  });
});

describe('Retries', () => {
  const order = (client: Client, idempotencyKey?: string): Promise<unknown> =>
    client.post('/api/v2/payments/{shopId}/{orderId}/refund', {
      path: { shopId: 'a1', orderId: 'o1' },
      body: {} as never,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  const discount = (client: Client): Promise<unknown> =>
    client.post('/api/v2/discounts/{shopId}', { ...SHOP, body: {} as never });

  it.each<[title: string, first: Reply, call: (client: Client) => Promise<unknown>]>([
    ['a read after a lost connection', new TypeError('fetch failed'), (client) => client.get('/api/v2/shops')],
    [
      'a read that a proxy could not pass on',
      new Response('', { status: 502, headers: NO_WAIT }),
      (client) => client.get('/api/v2/shops'),
    ],
    ['a POST that a limit has rejected', failure(429, 'rate_limited', NO_WAIT), discount],
    ['a refund whose first attempt is uncertain', failure(503, 'service_unavailable', NO_WAIT), order],
    ['a refund whose first attempt still runs', failure(409, 'idempotency_in_progress', NO_WAIT), order],
  ])('repeats %s', async (_title, first, call) => {
    const { client, sent } = clientOf([first, success({})]);
    await call(client);
    expect(sent.length).toBe(2);
    // The same key, where there is one.
    expect(sent[1]).toEqual(sent[0]);
  });

  it.each<[title: string, first: Reply, call: (client: Client) => Promise<unknown>]>([
    ['a POST without key that could have been done', failure(503, 'service_unavailable', NO_WAIT), discount],
    ['a POST without key after a lost connection', new TypeError('fetch failed'), discount],
    ['a read that was wrong', failure(400, 'validation_failed'), (client) => client.get('/api/v2/shops')],
    ['a limit that does not say when', failure(429, 'attempts_exhausted'), (client) => client.get('/api/v2/shops')],
    [
      'what has to wait for a minute',
      failure(429, 'rate_limited', { 'Retry-After': '60' }),
      (client) => client.get('/api/v2/shops'),
    ],
  ])('does not repeat %s', async (_title, first, call) => {
    const { client, sent } = clientOf([first]);
    expect(await errorOf(call(client))).toBeInstanceOf(first instanceof Error ? ConnectionError : ApiError);
    expect(sent.length).toBe(1);
  });

  it('ends after the last attempt', async () => {
    const busy = (): Response => failure(429, 'rate_limited', NO_WAIT);
    const { client, sent } = clientOf([busy, busy, busy, busy]);
    expect(await errorOf(client.get('/api/v2/shops'))).toMatchObject({ code: 'rate_limited', retryAfterMs: 0 });
    expect(sent.length).toBe(3);
  });

  it('sends a key of its own for each call, or that of the caller', async () => {
    const { client, sent } = clientOf([success({}), success({}), success({})]);
    await order(client);
    await order(client);
    await order(client, 'a-key-of-the-caller');
    const [first, second, third] = sent.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
    expect(third).toBe('a-key-of-the-caller');
  });
});

describe('Pages', () => {
  const link = (cursor: string): string =>
    `<https://shop.example.com/api/v2/orders/a1?limit=2&cursor=${cursor}>; rel="next"`;

  it('reads the records of a list page by page, only as far as they are needed', async () => {
    const { client, sent } = clientOf([
      success([1, 2], { Link: link('c%2B1') }),
      success([3, 4], { Link: link('c2') }),
    ]);
    const read: unknown[] = [];
    for await (const record of client.items('/api/v2/orders/{shopId}', { ...SHOP, query: { limit: 2 } })) {
      read.push(record);
      if (read.length === 3) break;
    }
    expect(read).toEqual([1, 2, 3]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?limit=2', '?limit=2&cursor=c%2B1']);
  });

  it('ends with the page that has no next one', async () => {
    const { client } = clientOf([success([1], { Link: link('c1'), 'X-Total-Count': '2' }), success([2])]);
    const pages: unknown[] = [];
    for await (const { data, next, total } of client.pages('/api/v2/orders/{shopId}', SHOP))
      pages.push([data, next, total]);
    expect(pages).toEqual([
      [[1], 'c1', { count: 2, isExact: true }],
      [[2], null, null],
    ]);
  });

  it('knows a total that nobody has counted to its end', async () => {
    const { client } = clientOf([success([], { 'X-Total-Count': '10000+' })]);
    expect((await client.page('/api/v2/orders/{shopId}', SHOP)).total).toEqual({ count: 10_000, isExact: false });
  });
});

describe('A credential', () => {
  const memory = (
    tokens: Tokens | null,
  ): { current: Tokens | null; load: () => Tokens | null; save: (next: Tokens | null) => void } => {
    const store = {
      current: tokens,
      load: () => store.current,
      save: (next: Tokens | null) => {
        store.current = next;
      },
    };
    return store;
  };
  const OLD = { accessToken: 'old', refreshToken: 'r1' };
  const NEW = { accessToken: 'new', refreshToken: 'r2' };
  const checked = ({ headers }: Sent): Response =>
    headers['authorization'] === 'Bearer new' ? success({}) : failure(401, 'authentication_required');

  it('is a key, sent without cookies', async () => {
    const { client, sent } = clientOf([success({})], { credential: apiKey('shp_1') });
    await client.get('/api/v2/shops');
    expect(sent[0]).toMatchObject({ headers: { 'x-api-key': 'shp_1' }, credentials: 'omit' });
  });

  it('is a cookie, whose changes say that a script of the page sends them', async () => {
    const { client, sent } = clientOf([success({}), success({})], { credential: cookieSession() });
    await client.get('/api/v2/shops');
    await client.delete('/api/v2/auth/session');
    expect(sent.map(({ headers, credentials }) => [headers, credentials])).toEqual([
      [{}, 'same-origin'],
      [{ 'x-csrf': '1' }, 'same-origin'],
    ]);
  });

  it('is a token that is refreshed once for all requests that it fails', async () => {
    const store = memory(OLD);
    const { client, sent } = clientOf([checked, checked, success(NEW), checked, checked], {
      credential: bearer(store),
    });
    await Promise.all([client.get('/api/v2/shops'), client.get('/api/v2/auth/me')]);
    expect(sent.filter(({ url }) => url.endsWith('/auth/refresh'))).toEqual([
      expect.objectContaining({
        method: 'POST',
        body: '{"refreshToken":"r1"}',
        headers: { 'content-type': 'application/json' },
      }),
    ]);
    expect(store.current).toEqual(NEW);
  });

  it('takes the token that another tab has refreshed', async () => {
    const store = memory(OLD);
    const elsewhere = (sent: Sent): Response => {
      store.current = NEW;
      return checked(sent);
    };
    const { client, sent } = clientOf([elsewhere, checked], { credential: bearer(store) });
    await client.get('/api/v2/shops');
    expect(sent.length).toBe(2);
  });

  it('is forgotten when its session is over', async () => {
    const store = memory(OLD);
    const { client } = clientOf([checked, failure(401, 'refresh_token_invalid')], { credential: bearer(store) });
    expect(await errorOf(client.get('/api/v2/shops'))).toMatchObject({ code: 'authentication_required' });
    expect(store.current).toBeNull();
  });

  it('is kept when the service cannot refresh it now', async () => {
    const store = memory(OLD);
    const { client } = clientOf([checked, failure(503, 'service_unavailable')], {
      credential: bearer(store),
      retries: 0,
    });
    expect(await errorOf(client.get('/api/v2/shops'))).toMatchObject({ code: 'authentication_required' });
    expect(store.current).toEqual(OLD);
  });
});
