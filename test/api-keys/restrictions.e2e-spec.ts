import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aDiscount, aKey, aMember, aPerson, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { type Method } from '../support/client.js';
import { needsCredential } from '../support/documented.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const BOUND = 'The API key is restricted to other game servers';
const WHOLE_SHOP = 'The API key is restricted to game servers, and this endpoint is for the whole shop';
const ELSEWHERE = 'The API key is not accepted from this address';

/**
 * Every operation without a game server in its path that a bound key may call, because its service obeys the bound servers.
 * Adding one is a decision: add it here.
 */
const WITHIN_SERVERS = [
  'get /deliveries/{shopId}',
  'get /deliveries/{shopId}/failures',
  'get /entitlements/{shopId}',
  'get /entitlements/{shopId}/check',
  'get /orders/{shopId}',
  'get /orders/{shopId}/export',
  'get /orders/{shopId}/{orderId}',
  'get /products/{shopId}',
  'get /servers/{shopId}',
  'get /shops/{shopId}/team/me',
  'post /deliveries/{shopId}/ack',
  'post /deliveries/{shopId}/lease',
  'post /discounts/{shopId}/validate',
];

let app: TestApp;
let shop: TestShop;
let token: string;

beforeAll(async () => {
  // One proxy in front: the addresses of clients come in X-Forwarded-For, as in production.
  app = await startTestApp({ env: { TRUST_PROXY: '1' } });
  shop = await aShop(app.api);
  token = shop.owner.token;
});
afterAll(() => app.close());

const make = (changes: object): ReturnType<TestApp['api']['post']> => {
  const body = { shopId: shop.shopId, name: 'Bound', type: 'secret', permissions: ['servers:read', 'servers:write'] };
  return app.api.post('/api-keys', { ...body, ...changes }, { token });
};
const restrict = (id: string, body: unknown, as = token): ReturnType<TestApp['api']['put']> =>
  app.api.put(`/api-keys/${id}/restrictions`, body, { token: as });

describe('PUT /api-keys/{keyId}/restrictions', () => {
  it('replaces both restrictions and returns the details; null removes one', async () => {
    const serverId = await aServer(app.api, shop);
    const { id, key } = await aKey(app.api, shop, 'plugin', ['servers:read']);
    const details = {
      id,
      name: 'plugin key',
      permissions: ['read'],
      type: 'plugin',
      keyPreview: `${key.slice(0, 10)}...`,
      isActive: true,
      createdAt: anInstant,
      scopes: ['servers:read'],
      shopId: shop.shopId,
      serverIds: [serverId],
      ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'],
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      rotatedAt: null,
      previousKeyExpiresAt: null,
      createdBy: shop.owner.userId,
    };
    const both = { serverIds: [serverId.toUpperCase()], ipAllowlist: ['10.0.0.0/8', '2001:db8::/32', '10.0.0.0/8'] };
    expect(expectSuccess(await restrict(id, both), 'API key restrictions set')).toEqual(details);
    const one = { serverIds: null, ipAllowlist: ['127.0.0.1'] };
    expect(expectSuccess(await restrict(id, one))).toEqual({ ...details, ...one });
    const none = { serverIds: null, ipAllowlist: null };
    expect(expectSuccess(await restrict(id, none))).toEqual({ ...details, ...none });
    expect(expectSuccess(await app.api.get(`/api-keys/${id}`, { token }))).toEqual({ ...details, ...none });
    const log = await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { token });
    expect(expectSuccess(log)).toEqual([
      expect.objectContaining({
        action: 'api_key.updated',
        subjectId: id,
        changes: [{ field: 'ipAllowlist', before: '127.0.0.1', after: null }],
      }),
    ]);
  });

  it('accepts the same restrictions when a key is created', async () => {
    const serverId = await aServer(app.api, shop);
    const restrictions = { serverIds: [serverId], ipAllowlist: ['192.0.2.7', '::1'] };
    expect(expectSuccess(await make(restrictions))).toMatchObject(restrictions);
    expect(expectSuccess(await make({ serverIds: null, ipAllowlist: null }))).toMatchObject({
      serverIds: null,
      ipAllowlist: null,
    });
  });

  it.each([
    [{ serverIds: [] }, 'serverIds must have at least 1 entry'],
    [{ serverIds: ['x'] }, 'serverIds must contain ObjectIds of 24 hexadecimal digits'],
    [{ serverIds: 'x' }, 'serverIds must be a list'],
    [{ serverIds: Array.from({ length: 101 }, (_, at) => String(at).padStart(24, '0')) }, /at most 100 entries$/],
    [{ ipAllowlist: [] }, 'ipAllowlist must have at least 1 entry'],
    [{ ipAllowlist: '127.0.0.1' }, 'ipAllowlist must be a list'],
    [{ ipAllowlist: [{}] }, 'ipAllowlist must contain only strings'],
    [{ ipAllowlist: ['x'.repeat(50)] }, 'ipAllowlist must contain strings of at most 49 characters'],
    [{ ipAllowlist: Array.from({ length: 33 }, () => '127.0.0.1') }, 'ipAllowlist must have at most 32 entries'],
    [{ ipAllowlist: ['localhost'] }, 'ipAllowlist: localhost is not an IP address or CIDR range'],
    [
      { ipAllowlist: ['127.0.0.1', '10.0.0.0/33', '::ffff:10.0.0.1'] },
      'ipAllowlist: 10.0.0.0/33 is not an IP address or CIDR range; ' +
        'ipAllowlist: write the IPv4 address ::ffff:10.0.0.1 without ::ffff:',
    ],
  ])('returns 400 for %j, also when a key is created', async (changes, error) => {
    const { id } = await aKey(app.api, shop);
    expectError(await restrict(id, { serverIds: null, ipAllowlist: null, ...changes }), 400, error);
    expectError(await make(changes), 400, error, '/api/v2/api-keys');
    const details = expectSuccess(await app.api.get(`/api-keys/${id}`, { token }));
    expect(details).toMatchObject({ serverIds: null, ipAllowlist: null });
  });

  it('returns 400 when one of the two is missing, so that nobody removes a restriction by mistake', async () => {
    const { id } = await aKey(app.api, shop);
    expectError(
      await restrict(id, {}),
      400,
      'serverIds is required, for example ["655f1c2ab1e4a9d3f0c81260"]; ipAllowlist is required, for example ["203.0.113.7","2001:db8:12::/48"]',
    );
    expectError(
      await restrict(id, { serverIds: null }),
      400,
      'ipAllowlist is required, for example ["203.0.113.7","2001:db8:12::/48"]',
    );
    expectError(
      await restrict(id, { ipAllowlist: null }),
      400,
      'serverIds is required, for example ["655f1c2ab1e4a9d3f0c81260"]',
    );
    const unknown = await restrict(id, { serverIds: null, ipAllowlist: null, permissions: [] });
    expectError(unknown, 400, 'permissions is not a known field');
  });

  it('returns 404 for a server that is unknown or belongs to another shop', async () => {
    const { id } = await aKey(app.api, shop);
    const foreign = await aServer(app.api, await aShop(app.api));
    for (const serverId of [foreign, '0'.repeat(24)]) {
      const rejected = await restrict(id, { serverIds: [serverId], ipAllowlist: null });
      expectError(rejected, 404, 'There is no such server');
      expectError(await make({ serverIds: [serverId] }), 404, 'There is no such server');
    }
  });

  it('returns 401 without a token and for the key itself, and 404 for the key of somebody else', async () => {
    const { id, key } = await aKey(app.api, shop);
    const body = { serverIds: null, ipAllowlist: null };
    const path = `/api-keys/${id}/restrictions`;
    expectError(await app.api.put(path, body), 401, 'Authentication is missing or invalid');
    expectError(await app.api.put(path, body, { key }), 401, /^This endpoint takes no API key/);
    for (const person of [await aPerson(app.api), await aMember(app, shop, 'admin')]) {
      expectError(await restrict(id, body, person.token), 404, 'There is no such API key');
    }
  });
});

describe('A key that is bound to game servers', () => {
  let mine: string;
  let other: string;
  let key: string;

  beforeAll(async () => {
    mine = await aServer(app.api, shop, { name: 'Mine' });
    other = await aServer(app.api, shop, { name: 'Other' });
    ({ key } = await aKey(app.api, shop));
    const { id } = expectSuccess<{ id: string }[]>(await app.api.get('/api-keys?limit=1', { token }))[0] ?? { id: '' };
    expectSuccess(await restrict(id, { serverIds: [mine], ipAllowlist: null }));
  });

  it('accepts a key that is bound to game servers for those, and rejects it for every other one, also for unknown ones', async () => {
    const report = { onlinePlayers: 1, maxPlayers: 10 };
    const beat = (serverId: string, shopId = shop.shopId): ReturnType<TestApp['api']['post']> =>
      app.api.post(`/servers/${shopId}/${serverId}/heartbeat`, report, { key });
    expectSuccess(await beat(mine));
    expectSuccess(await beat(mine.toUpperCase()));
    expectError(await beat(other), 403, BOUND);
    expectError(await beat('0'.repeat(24)), 403, BOUND);
    expectError(await beat('x'), 400, 'An identifier in the path is not an ObjectId of 24 hexadecimal digits');
    expectError(await beat(mine, '0'.repeat(24)), 404, 'There is no such shop');
    const status = expectSuccess(await app.api.get(`/servers/public/${other}/status`));
    expect(status).toMatchObject({ status: 'unknown' });
  });

  it('rejects a key that is bound to game servers at every endpoint about the whole shop, except those that obey the bound servers', async () => {
    const { paths } = (await app.api.get('/openapi.json')).body as {
      paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
    };
    const open: string[] = [];
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const takesKey = operation.security?.some((scheme) => 'apiKey' in scheme) === true;
        if (!takesKey || !needsCredential(operation) || path.includes('{serverId}')) continue;
        const template = path.replace('/api/v2', '');
        const called = template.replace('{shopId}', shop.shopId).replaceAll(/\{\w+\}/g, '0'.repeat(24));
        const response = await app.api.call(method as Method, called, {
          key,
          ...(method === 'get' ? {} : { body: {} }),
        });
        if (response.status === 403) expectError(response, 403, WHOLE_SHOP);
        else open.push(`${method} ${template}`);
      }
    }
    expect(open.sort()).toEqual(WITHIN_SERVERS);
  });

  it('lists only the servers of a key that is bound to game servers, page by page', async () => {
    const list = async (query = ''): Promise<unknown[]> =>
      expectSuccess<{ id: string }[]>(await app.api.get(`/servers/${shop.shopId}${query}`, { key })).map(
        ({ id }) => id,
      );
    expect(await list()).toEqual([mine]);
    expect(await list('?limit=1')).toEqual([mine]);
    const all = expectSuccess<{ id: string }[]>(await app.api.get(`/servers/${shop.shopId}`, { token }));
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([mine, other]));
  });

  it('lists only products for the servers of the key and for all servers', async () => {
    const forMine = await aProduct(app.api, shop, { serverIds: [other, mine] });
    const forOther = await aProduct(app.api, shop, { serverIds: [other] });
    const forAll = await aProduct(app.api, shop);
    const list = async (as: object): Promise<unknown[]> =>
      expectSuccess<{ id: string }[]>(await app.api.get(`/products/${shop.shopId}`, as)).map(({ id }) => id);
    expect(await list({ key })).toEqual([forAll, forMine]);
    expect(await list({ token })).toEqual([forAll, forOther, forMine]);
  });

  it('validates discounts only for the servers of the key, which must name one', async () => {
    const { code } = await aDiscount(app.api, shop);
    const validate = (body: object): ReturnType<TestApp['api']['post']> =>
      app.api.post(`/discounts/${shop.shopId}/validate`, { code, orderValue: 10, ...body }, { key });
    expect(expectSuccess(await validate({ serverId: mine }))).toMatchObject({ valid: true });
    for (const body of [{ serverId: other }, { serverId: '0'.repeat(24) }, {}]) {
      expectError(await validate(body), 403, BOUND);
    }
  });
});

describe('A key with an ipAllowlist', () => {
  const from = (key: string, address: string, path = `/servers/${shop.shopId}`): ReturnType<TestApp['api']['get']> =>
    app.api.get(path, { key, headers: { 'X-Forwarded-For': address } });
  const keyFor = async (...ipAllowlist: string[]): Promise<{ id: string; key: string }> =>
    expectSuccess<{ id: string; key: string }>(await make({ ipAllowlist }));

  it('accepts a key with an ipAllowlist only from its addresses and ranges, as the proxy sees them', async () => {
    const { key } = await keyFor('203.0.113.7', '198.51.100.0/24', '2001:db8:12::/48');
    for (const address of [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '198.51.100.255',
      '2001:db8:12:ffff::1',
      '2001:DB8:12::',
      '192.0.2.1, 203.0.113.7',
    ]) {
      expectSuccess(await from(key, address));
    }
    for (const address of ['203.0.113.8', '::ffff:203.0.113.8', '198.51.101.0', '2001:db8:13::1', '::1', 'unknown']) {
      expectError(await from(key, address), 403, ELSEWHERE);
    }
    // Addresses that the client itself wrote before that of the proxy do not count.
    expectError(await from(key, '203.0.113.7, 192.0.2.1'), 403, ELSEWHERE);
    expectError(await app.api.get(`/servers/${shop.shopId}`, { key }), 403, ELSEWHERE);
  });

  it('rejects a key outside of its ipAllowlist before shops and permissions are checked; a wrong key gets the usual 401', async () => {
    const { id, key } = await keyFor('203.0.113.7');
    for (const path of [
      `/servers/${shop.shopId}`,
      `/stats/${shop.shopId}/comparison`,
      `/servers/${'0'.repeat(24)}`,
      '/servers/nothex',
    ]) {
      expectError(await from(key, '192.0.2.1', path), 403, ELSEWHERE, `/api/v2${path}`);
    }
    const permission = await from(key, '203.0.113.7', `/stats/${shop.shopId}/comparison`);
    expectError(permission, 403, 'The credential lacks the permission stats:read');
    expectError(await from(key, '192.0.2.1', '/api-keys'), 401, /^This endpoint takes no API key/);
    expectSuccess(await app.api.delete(`/api-keys/${id}`, { token }));
    expectError(await from(key, '192.0.2.1'), 401, 'Authentication is missing or invalid');
  });

  it('records no last use and uses no quota of a key for a request outside of its ipAllowlist, which counts for the address', async () => {
    const { id, key } = await keyFor('203.0.113.7');
    const rejected = await from(key, '192.0.2.99');
    expectError(rejected, 403, ELSEWHERE);
    expect(rejected.headers['ratelimit-policy']).toMatch(/^"anonymous"/);
    expect(expectSuccess(await app.api.get(`/api-keys/${id}`, { token }))).toMatchObject({ lastUsedAt: null });
    const allowed = await from(key, '203.0.113.7');
    expect(allowed.headers['ratelimit']).toMatch(/^"apiKey";r=599999;/);
  });

  it('checks the ipAllowlist for both secrets of a rotated key, from the next request on', async () => {
    const { id, key } = await keyFor('203.0.113.7');
    const next = expectSuccess<{ key: string }>(await app.api.post(`/api-keys/${id}/rotate`, {}, { token }));
    for (const secret of [key, next.key]) {
      expectSuccess(await from(secret, '203.0.113.7'));
      expectError(await from(secret, '203.0.113.8'), 403, ELSEWHERE);
    }
    expectSuccess(await restrict(id, { serverIds: null, ipAllowlist: ['203.0.113.8'] }));
    for (const secret of [key, next.key]) {
      expectSuccess(await from(secret, '203.0.113.8'));
      expectError(await from(secret, '203.0.113.7'), 403, ELSEWHERE);
    }
  });
});
