import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aPerson, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { type Method } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { requestText, sendBytes } from './raw.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOWHERE = '0'.repeat(24);
const SECURITY_HEADERS = {
  'content-security-policy': [
    ...["default-src 'self'", "base-uri 'self'", "font-src 'self' https: data:", "form-action 'self'"],
    ...["frame-ancestors 'self'", "img-src 'self' data:", "object-src 'none'", "script-src 'self'"],
    ...["script-src-attr 'none'", "style-src 'self' https: 'unsafe-inline'"],
  ].join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

describe('The headers of a response', () => {
  let app: TestApp;
  let shop: TestShop;
  let key: string;
  let serverId: string;
  const status = (headers: Record<string, string> = {}): Promise<Response> =>
    app.api.get(`/servers/public/${serverId}/status`, { headers });

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    key = (await aKey(app.api, shop)).key;
    serverId = await aServer(app.api, shop);
  });
  afterAll(() => app.close());

  /** The log line of the request with this id. */
  const lineOf = async (id: string): Promise<Record<string, unknown>> => {
    const isLine = (text: string): boolean => text.includes('"msg":"request"') && text.includes(id);
    const line = await eventually(() => Promise.resolve(app.output().split('\n').find(isLine)));
    return JSON.parse(line) as Record<string, unknown>;
  };

  describe('X-Request-Id', () => {
    it.each(['abcdefgh', 'A-1-'.repeat(16), '655f1c2a-b1e4-4d3f-8c81-234567890abc'])(
      'accepts the X-Request-Id %s',
      async (id) => {
        expect((await status({ 'X-Request-Id': id })).headers['x-request-id']).toBe(id);
        expect(await lineOf(id)).toMatchObject({ requestId: id, route: '/api/v2/servers/public/:serverId/status' });
      },
    );

    it.each(['short', 'a'.repeat(65), 'has space', 'semi;colon', '{"$ne":1}', 'ünïcödé-id'])(
      'creates a new request id in place of %s',
      async (id) => {
        const text = requestText('GET', '/api/v2/health/live', [`X-Request-Id: ${id}`]);
        expect((await sendBytes(app.baseUrl, text)).headers['x-request-id']).toMatch(UUID);
      },
    );

    it('sends an X-Request-Id in every response, also in errors, and never the same twice', async () => {
      const responses = await Promise.all([
        status(),
        app.api.get('/nothing'),
        app.api.get('/api-keys'),
        app.api.call('post', '/auth/login', { body: '{', headers: { 'Content-Type': 'application/json' } }),
        app.api.call('put', '/health/live'),
      ]);
      const ids = responses.map(({ headers }) => String(headers['x-request-id']));
      for (const id of ids) expect(id).toMatch(UUID);
      expect(new Set(ids).size).toBe(ids.length);
    });
  });

  describe('X-Error-Code', () => {
    it.each([
      ['GET', '/nothing', 'route_not_found'],
      ['GET', '/api-keys', 'authentication_required'],
      ['PUT', '/health/live', 'method_not_allowed'],
      ['POST', '/auth/login', 'validation_failed'],
      ['GET', '/health/live', undefined],
    ])('sends for %s %s the X-Error-Code %s, which the log line of the request has too', async (method, path, code) => {
      const id = `error-code-${unique()}`;
      const headers = { 'X-Request-Id': id };
      const response = await app.api.call(method.toLowerCase() as Method, path, { headers });
      expect(response.headers['x-error-code']).toBe(code);
      expect((await lineOf(id))['errorCode']).toBe(code);
    });
  });

  it('has the problems of fields in X-Error-Fields, and nothing for another error', async () => {
    const response = await app.api.post('/auth/register', { email: 'robin', password: 'short', é: 1 });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.headers['x-error-fields'] ?? '')).toEqual([
      { field: 'é', rule: 'unknown' },
      { field: 'email', rule: 'format', params: { format: 'email' } },
      { field: 'password', rule: 'length', params: { minLength: 10, maxLength: 128 } },
      { field: 'name', rule: 'required' },
    ]);
    expect((await app.api.get('/api-keys')).headers['x-error-fields']).toBeUndefined();
  });

  describe('RateLimit-Policy and RateLimit', () => {
    const POLICY = /^"(\w+)";q=\d+;w=\d+$/;
    const LIMIT = /^"(\w+)";r=\d+;t=\d+$/;

    it('sends RateLimit-Policy and RateLimit in every response, which name the limits that counted the request', async () => {
      const { token } = shop.owner;
      const json = { 'Content-Type': 'application/json' };
      const calls: [Promise<Response>, string[]][] = [
        [status(), ['publicStatus']],
        [app.api.get('/health/live'), ['health']],
        [app.api.get('/nothing'), ['anonymous']],
        [app.api.call('put', '/health/live'), ['anonymous']],
        [app.api.call('post', '/auth/login', { body: '{', headers: json }), ['anonymous']],
        [app.api.post('/auth/login', {}), ['login']],
        [app.api.get('/api-keys'), ['anonymous']],
        [app.api.get('/api-keys', { token: 'x.y.z' }), ['failedCredentials']],
        [app.api.get('/api-keys', { token }), ['user']],
        [app.api.get(`/shops/${shop.shopId}/team`, { key }), ['apiKey', 'shopKeys']],
        [app.api.post(`/discounts/${shop.shopId}/validate`, {}, { key }), ['apiKey', 'shopKeys', 'discountValidation']],
        [app.api.get(`/servers/public/${NOWHERE}/status`), ['publicStatus']],
        [app.api.post(`/orders/public/${NOWHERE}/nickname/change`, {}), ['verificationCode']],
        [app.api.get('/openapi.json'), ['anonymous']],
        [app.api.get('/docs'), ['anonymous']],
      ];
      for (const [call, names] of calls) {
        const { headers } = await call;
        const namesIn = (header: string | undefined, entry: RegExp): (string | undefined)[] =>
          (header ?? '').split(', ').map((text) => entry.exec(text)?.[1]);
        expect(namesIn(headers['ratelimit-policy'], POLICY)).toEqual(names);
        expect(namesIn(headers['ratelimit'], LIMIT)).toEqual(names);
      }
    });
  });

  describe('Headers', () => {
    it('protects every response by headers, and does not show the software behind it', async () => {
      for (const { headers } of [await status(), await app.api.get('/nothing')]) {
        expect(headers).toMatchObject(SECURITY_HEADERS);
        expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-powered-by']));
        expect(headers['server']).toBeUndefined();
        expect(headers['set-cookie']).toBeUndefined();
      }
    });

    it('forbids storing what is read with a credential, what shows a secret, and errors', async () => {
      const person = await aPerson(app.api);
      const { email, password, refreshToken } = person;
      const productId = await aProduct(app.api, shop);
      const { token } = shop.owner;
      const responses = [
        await app.api.post('/auth/register', { email: `n-${unique()}@example.com`, password, name: 'N' }),
        await app.api.post('/auth/login', { email, password }),
        await app.api.post('/auth/refresh', { refreshToken }),
        await app.api.post(
          '/api-keys',
          { shopId: shop.shopId, name: 'K', type: 'storefront', permissions: ['products:read'] },
          { token },
        ),
        await app.api.put(`/payments/${shop.shopId}/providers/custom`, { enabled: true, credentials: {} }, { token }),
        await app.api.post(`/checkout/${shop.shopId}/orders`, {
          items: [{ productId, quantity: 1 }],
          serverId,
          nickname: 'Steve_42',
          email,
        }),
      ];
      const { shopId } = shop;
      for (const path of ['/auth/me', '/auth/sessions', '/shops', '/api-keys']) {
        responses.push(await app.api.get(path, { token }));
      }
      for (const path of [`/shops/${shopId}`, `/shops/${shopId}/team`, `/products/${shopId}`, `/discounts/${shopId}`]) {
        responses.push(await app.api.get(path, { key }));
      }
      for (const response of responses) {
        expectSuccess(response);
        expect(response.headers['cache-control']).toBe('no-store');
      }
      expect((await app.api.get('/nothing')).headers['cache-control']).toBe('no-store');
    });

    it('forbids storing the error of a route whose other responses caches may store', async () => {
      const publicPaths = [
        `/servers/public/${NOWHERE}/status`,
        `/products/public/${NOWHERE}`,
        '/shops/public/nobody-has-it',
      ];
      for (const path of publicPaths) {
        const { status: code, headers } = await app.api.get(path);
        expect([path, code, headers['cache-control'], headers['etag']]).toEqual([path, 404, 'no-store', undefined]);
      }
    });

    it('sends no ETag for responses that are different each time', async () => {
      expect((await app.api.get(`/shops/${shop.shopId}/team`, { key })).headers['etag']).toBeUndefined();
    });
  });
});
