import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aMember, aPerson, aShop, type Person, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { wholeOutput } from '../support/whole-output.js';

const PATH = '/api/v2/api-keys';

describe('POST /api-keys', () => {
  let app: TestApp;
  let shop: TestShop;
  let token: string;
  const make = (changes: object = {}, as = token): ReturnType<TestApp['api']['post']> => {
    const body = { shopId: shop.shopId, name: 'Survival server', type: 'plugin', permissions: ['orders:read'] };
    return app.api.post('/api-keys', { ...body, ...changes }, { token: as });
  };

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    token = shop.owner.token;
  });
  afterAll(() => app.close());

  it('returns the details, and only this time the key', async () => {
    const response = await make({ permissions: ['orders:write', 'orders:read', 'servers:write'] });
    const data = expectSuccess<{ key: string }>(response, 'API key created; it is shown only once');
    expect(data).toEqual({
      id: anId,
      name: 'Survival server',
      permissions: ['read', 'write'],
      type: 'plugin',
      keyPreview: `${data.key.slice(0, 10)}...`,
      isActive: true,
      createdAt: anInstant,
      scopes: ['orders:write', 'orders:read', 'servers:write'],
      shopId: shop.shopId,
      serverIds: null,
      ipAllowlist: null,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      rotatedAt: null,
      previousKeyExpiresAt: null,
      createdBy: shop.owner.userId,
      key: expect.stringMatching(/^shp_[0-9A-Za-z]{36}$/),
    });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('sends an email to the creator and to the owners of the shop, without the key', async () => {
    const manager = await aMember(app, shop, 'manager');
    const { key, keyPreview } = expectSuccess<{ key: string; keyPreview: string }>(await make({}, manager.token));
    for (const { email } of [manager, shop.owner]) {
      const [text] = await app.mailbox.next(
        email,
        new RegExp(`A new API key for [^]*${keyPreview.replaceAll('.', '\\.')}[^]*`),
      );
      expect(text).not.toContain(key);
    }
  });

  it('stores only a hash of the key, and shows it in no later response and not in the log', async () => {
    const { id, key } = expectSuccess<{ id: string; key: string }>(await make());
    const stored = await inDatabase(app, (database) => database.collection('api_keys').find().toArray());
    const details = await app.api.get(`/api-keys/${id}`, { token });
    const list = await app.api.get('/api-keys', { token });
    for (const text of [JSON.stringify(stored), details.text, list.text, await wholeOutput(app)]) {
      expect(text).not.toContain(key);
    }
  });

  it('records the new key in the audit log with its preview, so that the entry of a leaked key can be found', async () => {
    const { id, key } = expectSuccess<{ id: string; key: string }>(await make({ name: 'Leaky' }));
    const [entry] = expectSuccess<{ subjectId: string; changes: object[] }[]>(
      await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { token }),
    );
    expect(entry).toMatchObject({ action: 'api_key.created', subjectId: id });
    expect(entry?.changes).toContainEqual({ field: 'keyPreview', before: null, after: `${key.slice(0, 10)}...` });
    expect(JSON.stringify(entry)).not.toContain(key);
  });

  it('treats a permission that is listed twice as one', async () => {
    const { scopes } = expectSuccess(await make({ permissions: ['orders:read', 'orders:read'] }));
    expect(scopes).toEqual(['orders:read']);
  });

  it('accepts an expiry with any offset, and null for a key that never expires', async () => {
    expect(expectSuccess(await make({ expiresAt: '2999-01-01T01:00:00+01:00' }))).toMatchObject({
      expiresAt: '2999-01-01T00:00:00.000Z',
      isActive: true,
    });
    expect(expectSuccess(await make({ expiresAt: null }))).toMatchObject({ expiresAt: null });
  });

  it.each([
    [{ shopId: undefined }, 'shopId is required, for example "655f1c2ab1e4a9d3f0c81234"'],
    [{ shopId: 'x' }, 'shopId must be an ObjectId of 24 hexadecimal digits'],
    [{ shopId: { $ne: null } }, 'shopId must be a string'],
    [{ name: '' }, 'name must have 1 to 80 characters'],
    [{ name: 'x'.repeat(81) }, 'name must have 1 to 80 characters'],
    [{ name: 'a\u0007b' }, 'name must not contain control characters'],
    [{ type: 'admin' }, 'type must be one of secret, plugin, storefront'],
    [{ type: ['secret'] }, 'type must be one of secret, plugin, storefront'],
    [{ permissions: undefined }, 'permissions is required, for example ["deliveries:write"]'],
    [{ permissions: 'orders:read' }, 'permissions must be a list'],
    [{ permissions: [1] }, 'permissions must contain only strings'],
    [{ permissions: [['orders:read']] }, 'permissions must contain only strings'],
    [{ permissions: Array.from({ length: 27 }, () => 'orders:read') }, 'permissions must have at most 26 entries'],
    [{ permissions: ['x'.repeat(41)] }, 'permissions must contain strings of at most 40 characters'],
    [
      { permissions: ['orders:delete'] },
      /^permissions: orders:delete is not a known permission; permissions: a plugin key can have products:read, /,
    ],
    [{ permissions: ['constructor'] }, /^permissions: constructor is not a known permission; /],
    [{ permissions: ['__proto__'] }, /^permissions: __proto__ is not a known permission; /],
    [{ permissions: ['ORDERS:READ'] }, /^permissions: ORDERS:READ is not a known permission; /],
    [{ permissions: ['*'] }, /^permissions: \* is not a known permission; /],
    [{ permissions: ['read'] }, /^permissions: read is not a known permission; /],
    [{ permissions: ['payments:write'] }, /^permissions: a plugin key cannot have payments:write; /],
    [{ type: 'storefront' }, /^permissions: a storefront key cannot have orders:read; /],
    [
      { permissions: ['team:read', 'nope'] },
      /^permissions: a plugin key cannot have team:read; permissions: nope is not a known permission; /,
    ],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must be in the future'],
    [{ expiresAt: '2999-02-29' }, /^expiresAt must be a date such as 2026-11-21, or a date-time/],
    [{ expiresAt: '2020-01-01' }, 'expiresAt must be in the future'],
    [{ expiresAt: '2999-02-30T00:00:00Z' }, /^expiresAt must be a date such as 2026-11-21, or a date-time/],
    [{ expiresAt: {} }, /^expiresAt must be a date such as 2026-11-21, or a date-time/],
    [{ expiresAt: [] }, /^expiresAt must be a date such as 2026-11-21, or a date-time/],
    [{ expiresAt: 4_102_444_800_000 }, /^expiresAt must be a date such as 2026-11-21, or a date-time/],
    [{ key: `shp_${'0'.repeat(36)}` }, 'key is not a known field'],
    [{ hash: 'x', isActive: true }, 'hash is not a known field; isActive is not a known field'],
  ])('returns 400 for %j and names the field', async (changes, error) => {
    expectError(await make(changes), 400, error, PATH);
  });

  it('rejects a body that is not an object', async () => {
    for (const body of [[], [{ shopId: shop.shopId }]]) {
      expectError(await app.api.post('/api-keys', body, { token }), 400, /./, PATH);
    }
  });

  it('returns 400 for a permission that the caller does not have', async () => {
    const support = await aMember(app, shop, 'support');
    const rejected = await make({ type: 'secret', permissions: ['stats:read'] }, support.token);
    expectError(rejected, 400, 'permissions: you do not have stats:read yourself', PATH);
    expectSuccess(await make({ type: 'secret', permissions: ['orders:write'] }, support.token));
  });

  it('returns 401 without a token, and for a key: a key cannot create keys', async () => {
    expectError(await app.api.post('/api-keys', {}), 401, 'Authentication is missing or invalid', PATH);
    const { key } = expectSuccess<{ key: string }>(await make());
    const byKey = await app.api.post('/api-keys', { shopId: shop.shopId }, { key });
    expectError(byKey, 401, /^This endpoint takes no API key/, PATH);
  });

  it('returns the same 404 for an unknown shop and for the shop of somebody else', async () => {
    expectError(await make({ shopId: '0'.repeat(24) }), 404, 'There is no such shop', PATH);
    const stranger = await aPerson(app.api);
    expectError(await make({}, stranger.token), 404, 'There is no such shop', PATH);
  });
});

describe('GET /api-keys/{keyId}', () => {
  let app: TestApp;
  let shop: TestShop;
  let owner: Person;
  let id: string;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    owner = shop.owner;
    const body = { shopId: shop.shopId, name: 'Front end', type: 'storefront', permissions: ['products:read'] };
    ({ id } = expectSuccess<{ id: string }>(await app.api.post('/api-keys', body, { token: owner.token })));
  });
  afterAll(() => app.close());

  it('returns the record with its full permissions', async () => {
    const response = await app.api.get(`/api-keys/${id.toUpperCase()}`, { token: owner.token });
    expect(expectSuccess(response, 'API key retrieved')).toEqual({
      id,
      name: 'Front end',
      permissions: ['read'],
      type: 'storefront',
      keyPreview: expect.stringMatching(/^shp_[0-9A-Za-z]{6}\.{3}$/),
      isActive: true,
      createdAt: anInstant,
      scopes: ['products:read'],
      shopId: shop.shopId,
      serverIds: null,
      ipAllowlist: null,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      rotatedAt: null,
      previousKeyExpiresAt: null,
      createdBy: owner.userId,
    });
  });

  it('returns 400, 401 and 404; the 404 also for the key of another member', async () => {
    const malformed = await app.api.get('/api-keys/x', { token: owner.token });
    expectError(malformed, 400, 'An identifier in the path is not an ObjectId of 24 hexadecimal digits');
    expectError(await app.api.get(`/api-keys/${id}`), 401, 'Authentication is missing or invalid');
    const admin = await aMember(app, shop, 'admin');
    for (const response of [
      await app.api.get(`/api-keys/${'0'.repeat(24)}`, { token: owner.token }),
      await app.api.get(`/api-keys/${id}`, { token: admin.token }),
    ]) {
      expectError(response, 404, 'There is no such API key');
    }
  });
});
