import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from '@jest/globals';
import { deflateSync, gzipSync } from 'node:zlib';
import { type Response } from 'supertest';
import { aDiscount, aKey, anOrder, aProduct, aServer, aShop } from '../support/actors.js';
import { type Call, type Method } from '../support/client.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aWebhook } from '../payments/senders.js';
import { requestText, sendBytes } from './raw.js';

/** One valid request to an endpoint, which the tests then make invalid in every way. */
interface Target {
  readonly method: Method;
  readonly path: string;
  readonly credential: Pick<Call, 'key' | 'token'>;
  /** A valid body, for endpoints that read one. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** A query parameter that the endpoint reads. */
  readonly query?: string;
}

const NAMES = [
  '1 GET team',
  '2 PATCH api-keys',
  '3 GET api-keys',
  '4 POST discounts/validate',
  '5 POST nickname/change',
  '6 DELETE domain',
  '7 GET stats/comparison',
  '8 GET status',
  '9 POST webhook',
  'POST orders',
  'POST products',
  'POST shops',
  'POST auth/login',
  'POST auth/register',
  'POST heartbeat',
  'PUT payment provider',
  'GET servers',
] as const;
type Name = (typeof NAMES)[number];

const WEBHOOK: Name = '9 POST webhook';
const DEPTH = 5_000;
const KILOBYTES = 1_024;

const UNREADABLE: readonly (readonly [string, string])[] = [
  ['half an object', '{"code":'],
  ['no JSON', 'code=A&orderValue=1'],
  ['a single string', '"text"'],
  ['a single number', '1'],
  ['null', 'null'],
  ['a byte order mark and rubbish', '\ufeff}'],
  ['JSON with a comment', '{/* */}'],
  ['NaN', '{"orderValue":NaN}'],
  ['5,000 nested objects', '{"a":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH)],
  ['5,000 nested lists', '['.repeat(DEPTH) + ']'.repeat(DEPTH)],
  ['5,000 nested lists behind a quoted bracket', '{"a\\"[":' + '['.repeat(DEPTH) + ']'.repeat(DEPTH) + '}'],
  ['17 nested lists', '['.repeat(17) + ']'.repeat(17)],
  ['5,000 opening brackets', '['.repeat(DEPTH)],
  ['1,001 keys', `{${Array.from({ length: 1_001 }, (_, index) => `"k${index}":1`).join()}}`],
];

const ODD_VALUES: readonly unknown[] = [
  { $ne: 1 },
  { $gt: '' },
  { $where: 'sleep(1000)' },
  [{ $ne: 1 }],
  [[]],
  {},
  true,
  -1,
  1e308,
  '\u0000',
  'line\nbreak',
  '\ud800',
  'x'.repeat(6_000),
];

const EXTRA_FIELDS = ['extra', '$where', '$set', 'a.b', '_id', '__proto__', 'constructor', 'prototype', 'toString', ''];

const BAD_SEGMENTS = [
  'x',
  '0'.repeat(25),
  'g'.repeat(24),
  '%00',
  '0%00',
  '%0d%0aSet-Cookie:a=b',
  '%zz',
  '%',
  '%c0%ae',
  '%e0%80',
  '..%2f..%2fetc%2fpasswd',
  '%7b%22$ne%22:1%7d',
  '[object%20Object]',
  "'%20or%201=1",
  '%F0%9F%92%A5',
  'x'.repeat(2_000),
];

describe('Hostile input', () => {
  let app: TestApp;
  let records: Records;
  let targets: Record<Name, Target>;
  let before: string;

  /** Everything that is stored, except the times that reading stores. */
  const stored = async (): Promise<string> => {
    const collections = (await records.db.listCollections().toArray()).map(({ name }) => name).sort();
    const contents: unknown[] = [];
    for (const name of collections) {
      contents.push(
        name,
        await records.db
          .collection(name)
          .find({}, { projection: { lastUsedAt: 0 } })
          .toArray(),
      );
    }
    return JSON.stringify(contents, null, 1);
  };
  const send = ({ method, path, credential }: Target, body: unknown, headers = {}): Promise<Response> =>
    app.api.call(method, path, { ...credential, body, headers: { 'Content-Type': 'application/json', ...headers } });
  const expectRejection = (response: Response, what: string, statuses: readonly number[]): void => {
    const { status } = response;
    expect({ what, status, expected: statuses.includes(status) }).toEqual({ what, status, expected: true });
    expectError(response, status, /^[\x20-\x7e]{10,}$/);
    // Neither the message of a parser or a library, nor a stack.
    expect(response.text).not.toMatch(/SyntaxError|Unexpected|mongo|Cast|BSON|unknown value|node_modules|\.js:/i);
  };

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    const shop = await aShop(app.api);
    const { shopId, owner } = shop;
    const { id: keyId, key } = await aKey(app.api, shop);
    const [productId, serverId] = [await aProduct(app.api, shop), await aServer(app.api, shop)];
    const { code } = await aDiscount(app.api, shop);
    const { id: orderId } = await anOrder(app.api, shopId, { productId, serverId });
    const webhook = await aWebhook(app.api, shop, 'custom');
    const token = { token: owner.token };
    const byKey = { key };
    const nobody = {};
    const { email, password } = owner;
    targets = {
      '1 GET team': { method: 'get', path: `/shops/${shopId}/team`, credential: byKey },
      '2 PATCH api-keys': {
        method: 'patch',
        path: `/api-keys/${keyId}`,
        credential: token,
        body: { name: 'Key', permissions: ['products:read'] },
      },
      '3 GET api-keys': { method: 'get', path: '/api-keys', credential: token, query: 'shopId' },
      '4 POST discounts/validate': {
        method: 'post',
        path: `/discounts/${shopId}/validate`,
        credential: byKey,
        body: { code, orderValue: 10, productId, serverId },
      },
      '5 POST nickname/change': {
        method: 'post',
        path: `/orders/public/${orderId}/nickname/change`,
        credential: nobody,
        body: { verificationCode: '12345678', newNickname: 'Alex_42' },
      },
      '6 DELETE domain': { method: 'delete', path: `/shops/${shopId}/domain`, credential: byKey },
      '7 GET stats/comparison': {
        method: 'get',
        path: `/stats/${shopId}/comparison`,
        credential: byKey,
        query: 'period',
      },
      '8 GET status': { method: 'get', path: `/servers/public/${serverId}/status`, credential: nobody },
      '9 POST webhook': { method: 'post', path: webhook.path, credential: nobody },
      'POST orders': {
        method: 'post',
        path: `/checkout/${shopId}/orders`,
        credential: nobody,
        body: { items: [{ productId, quantity: 1 }], serverId, nickname: 'Steve_42', email: 'b@example.com' },
      },
      'POST products': {
        method: 'post',
        path: `/products/${shopId}`,
        credential: byKey,
        body: { name: 'A', price: 1, serverIds: [serverId] },
      },
      'POST shops': {
        method: 'post',
        path: '/shops',
        credential: token,
        body: {
          uniqueName: 'hostile-shop',
          displayName: 'A',
          currency: 'EUR',
          timezone: 'UTC',
          nicknameRule: { preset: 'any' },
        },
      },
      'POST auth/login': { method: 'post', path: '/auth/login', credential: nobody, body: { email, password } },
      'POST auth/register': {
        method: 'post',
        path: '/auth/register',
        credential: nobody,
        body: { email: 'hostile@example.com', password: 'correct horse battery', name: 'A' },
      },
      'POST heartbeat': {
        method: 'post',
        path: `/servers/${shopId}/${serverId}/heartbeat`,
        credential: byKey,
        body: { onlinePlayers: 1, maxPlayers: 2 },
      },
      'PUT payment provider': {
        method: 'put',
        path: `/payments/${shopId}/providers/custom`,
        credential: byKey,
        body: { enabled: true, credentials: {} },
      },
      'GET servers': { method: 'get', path: `/servers/${shopId}`, credential: byKey, query: 'limit' },
    };
  });
  beforeEach(async () => {
    before = await stored();
  });
  // None of these requests wrote anything, and the service still works.
  afterEach(async () => {
    expect(await stored()).toBe(before);
    expectSuccess(await app.api.get('/health/ready'));
  });
  afterAll(async () => {
    await records.close();
    await app.close();
    expect(app.output()).not.toMatch(/"level":"(error|fatal)"/);
  });

  describe.each(NAMES)('%s', (name) => {
    it('rejects bodies that cannot be read', async () => {
      for (const [what, text] of UNREADABLE) expectRejection(await send(targets[name], text), what, [400]);
    });

    it('rejects other content types and compressed bodies', async () => {
      const body = JSON.stringify(targets[name].body ?? {});
      // A webhook takes any content type, but no body without a signature.
      const type = name === WEBHOOK ? [400] : [415];
      for (const contentType of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonx',
        'application/json; charset=utf-16',
        'application/merge-patch+json',
        'nonsense',
      ]) {
        expectRejection(await send(targets[name], body, { 'Content-Type': contentType }), contentType, type);
      }
      for (const [encoding, bytes] of [
        ['gzip', gzipSync(body)],
        ['gzip', gzipSync(Buffer.alloc(20_000 * KILOBYTES))],
        ['deflate', deflateSync(body)],
        ['br', Buffer.from(body)],
        ['nonsense', Buffer.from(body)],
      ] as const) {
        expectRejection(await send(targets[name], bytes, { 'Content-Encoding': encoding }), encoding, [415]);
      }
    });

    it('rejects a body of a megabyte', async () => {
      const text = JSON.stringify({ name: 'x'.repeat(KILOBYTES * KILOBYTES) });
      expectRejection(await send(targets[name], text), '1 MB', [413]);
    });

    it('rejects malformed identifiers and broken encodings in the path', async () => {
      const { method, path, credential, body } = targets[name];
      const ids = [...path.matchAll(/[0-9a-f]{24}(?=\/|$)/g)];
      for (const { index } of ids) {
        for (const segment of BAD_SEGMENTS) {
          const target = path.slice(0, index) + segment + path.slice(index + 24);
          const { key, token } = credential;
          const json = body === undefined ? '' : JSON.stringify(body);
          const response = await sendBytes(
            app.baseUrl,
            requestText(method.toUpperCase(), `/api/v2${target}`, [
              ...(key === undefined ? [] : [`X-API-Key: ${key}`]),
              ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
              ...(json === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]),
            ]) + json,
          );
          expect({ segment, ...response }).toMatchObject({ segment, status: 400, body: ERROR(400) });
        }
      }
    });

    it('rejects a URL and headers of 20 KB', async () => {
      const { method, path } = targets[name];
      const long = 'x'.repeat(20 * KILOBYTES);
      for (const [target, headers] of [
        [`/api/v2${path}?q=${long}`, []],
        [`/api/v2${path}`, [`X-API-Key: ${long}`]],
        [`/api/v2${path}`, [`Cookie: ${long}`]],
      ] as const) {
        const response = await sendBytes(app.baseUrl, requestText(method.toUpperCase(), target, headers));
        expect(response).toMatchObject({ status: 431, body: ERROR(431) });
      }
    });

    it('rejects null bytes, control characters and other noise in the path', async () => {
      const { method, path } = targets[name];
      for (const noise of ['\u0000', '\u0001', '\u007f', ' ', '\r', '\n']) {
        const response = await sendBytes(app.baseUrl, requestText(method.toUpperCase(), `/api/v2${path}${noise}x`));
        const { status } = response;
        expect({ noise, status, expected: [400, 401, 404].includes(status) }).toMatchObject({ expected: true });
        expect(response.body).toEqual(ERROR(status));
      }
    });
  });

  describe.each(NAMES.filter((name) => name.startsWith('POST') || /^[245] |^PUT/.test(name)))('%s', (name) => {
    const good = (): Readonly<Record<string, unknown>> => targets[name].body ?? {};

    it('rejects lists, and nothing, in place of an object', async () => {
      const list = [[], [[]], [{}], [good()], [null], [1]];
      for (const body of list)
        expectRejection(await send(targets[name], JSON.stringify(body)), JSON.stringify(body), [400]);
      const { method, path, credential } = targets[name];
      expectRejection(await app.api.call(method, path, credential), 'no body', [400]);
    });

    it('rejects operators, lists, wrong types and unprintable strings in every field', async () => {
      for (const field of Object.keys(good())) {
        for (const value of ODD_VALUES) {
          // These may be a list of strings, or an object with only optional fields.
          if (field === 'credentials' && JSON.stringify(value) === '{}') continue;
          if (field === 'enabled' && value === true) continue;
          const body = JSON.stringify({ ...good(), [field]: value });
          expectRejection(await send(targets[name], body), `${field}: ${JSON.stringify(value)}`.slice(0, 80), [400]);
        }
      }
    });

    it('rejects unknown fields, also in nested objects', async () => {
      for (const field of EXTRA_FIELDS) {
        const body = JSON.stringify(good()).replace(/}$/, `,${JSON.stringify(field)}:{"isAdmin":true}}`);
        expectRejection(await send(targets[name], body), `extra ${field}`, [400]);
      }
    });
  });

  describe.each(NAMES.filter((name) => /GET (api-keys|stats|servers)/.test(name)))('%s', (name) => {
    it('rejects repeated, nested and unknown query parameters', async () => {
      const { method, path, credential, query = '' } = targets[name];
      for (const text of [
        `${query}=1&${query}=2`,
        `${query}[]=1`,
        `${query}[$ne]=1`,
        `${query}.$ne=1`,
        `${query}=%00`,
        `${query}=`,
        'unknown=1',
        '__proto__=1',
        '__proto__[a]=1',
        'constructor=1',
        'toString=1',
        `${query}=${'x'.repeat(5_000)}`,
      ]) {
        expectRejection(await app.api.call(method, `${path}?${text}`, credential), text.slice(0, 80), [400]);
      }
    });
  });

  describe('Credentials', () => {
    const guarded = NAMES.filter((name) => !/^[589] |orders|auth/.test(name));

    it.each(guarded)('of two kinds in one request are rejected: %s', async (name) => {
      const { method, path, body } = targets[name];
      const { token } = targets['3 GET api-keys'].credential;
      const { key } = targets['1 GET team'].credential;
      const call = { token: String(token), key: String(key), ...(body === undefined ? {} : { body }) };
      expectError(await app.api.call(method, path, call), 400, 'Send either X-API-Key or Authorization, not both');
    });

    it.each(guarded)('are ignored when they come twice, in the query or in the body: %s', async (name) => {
      const { method, path, credential } = targets[name];
      const header =
        credential.key === undefined
          ? `Authorization: Bearer ${credential.token ?? ''}`
          : `X-API-Key: ${credential.key}`;
      const twice = await sendBytes(app.baseUrl, requestText(method.toUpperCase(), `/api/v2${path}`, [header, header]));
      expect(twice).toMatchObject({ status: 401, body: ERROR(401) });
      const { key = '', token = '' } = credential;
      const inQuery = await app.api.call(method, `${path}?key=${key}&api_key=${key}&access_token=${token}`);
      expectError(inQuery, 401, 'Authentication is missing or invalid');
      const inBody = await app.api.call(method, path, { body: { key, access_token: token } });
      expectError(inBody, 401, 'Authentication is missing or invalid');
    });

    it('in unusual forms are ignored', async () => {
      const { key = '' } = targets['1 GET team'].credential;
      const { token = '' } = targets['3 GET api-keys'].credential;
      const { path } = targets['1 GET team'];
      const odd: readonly Readonly<Record<string, string>>[] = [
        { 'X-API-Key': '' },
        { 'X-API-Key': ` ${key.slice(0, -1)}` },
        { 'X-API-Key': key.toUpperCase() },
        { 'X-API-Key': `${key},${key}` },
        { 'X-API-Key': 'shp_' + '0'.repeat(8_000) },
        { 'X-API-Key': '{"$ne":1}' },
        { Authorization: key },
        { Authorization: `Bearer ${key}` },
        { Authorization: 'Bearer' },
        { Authorization: 'Bearer ' },
        { Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
        { Authorization: `Bearer ${token}, Bearer ${token}` },
        { Authorization: `Bearer ${token.split('.').slice(0, 2).join('.')}.` },
        { Authorization: `Bearer ${'x'.repeat(8_000)}` },
      ];
      for (const headers of odd) {
        const response = await app.api.get(path, { headers });
        expectError(response, 401, 'Authentication is missing or invalid');
      }
    });
  });
});

const ERROR = (statusCode: number): object => ({
  success: false,
  statusCode,
  error: expect.stringMatching(/^[\x20-\x7e]{10,}$/),
  timestamp: anInstant,
  path: expect.stringMatching(/^\/api\/v2/),
});
