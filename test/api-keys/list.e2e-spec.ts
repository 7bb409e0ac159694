import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { aKey, aPerson, aShop, type Person, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/api/v2/api-keys';

interface Key {
  readonly id: string;
}

describe('GET /api-keys (contract 3)', () => {
  let app: TestApp;
  let shop: TestShop;
  let other: string;
  let owner: Person;
  /** The ids in the order of creation. */
  const ids: Record<'secret' | 'plugin' | 'revoked' | 'expired' | 'elsewhere', string> = {
    secret: '',
    plugin: '',
    revoked: '',
    expired: '',
    elsewhere: '',
  };
  const get = (query = '', token = owner.token): ReturnType<TestApp['api']['get']> =>
    app.api.get(`/api-keys${query}`, { token });
  const listed = async (query = ''): Promise<string[]> => expectSuccess<Key[]>(await get(query)).map(({ id }) => id);

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    owner = shop.owner;
    const second = { uniqueName: `${shop.uniqueName}-2`, displayName: 'Other', currency: 'USD', timezone: 'UTC' };
    const made = await app.api.post('/shops', { ...second, nicknameRule: { preset: 'any' } }, { token: owner.token });
    other = expectSuccess<{ _id: string }>(made)._id;
    ids.secret = (await aKey(app.api, shop, 'secret')).id;
    ids.plugin = (await aKey(app.api, shop, 'plugin', ['orders:read'])).id;
    ids.revoked = (await aKey(app.api, shop, 'plugin')).id;
    ids.expired = (await aKey(app.api, shop, 'storefront')).id;
    ids.elsewhere = (await aKey(app.api, { ...shop, shopId: other }, 'storefront')).id;
    await inDatabase(app, async (database) => {
      const past = new Date(Date.now() - 1_000);
      const keys = database.collection('api_keys');
      await keys.updateOne({ _id: new ObjectId(ids.revoked) }, { $set: { revokedAt: past } });
      await keys.updateOne({ _id: new ObjectId(ids.expired) }, { $set: { expiresAt: past } });
    });
  });
  afterAll(() => app.close());

  it("returns the caller's keys, newest first, each with exactly the seven fields of the record", async () => {
    const keyPreview = expect.stringMatching(/^shp_[0-9A-Za-z]{6}\.{3}$/);
    const common = { keyPreview, createdAt: anInstant };
    expect(expectSuccess(await get(), 'API keys retrieved')).toEqual([
      {
        ...common,
        id: ids.elsewhere,
        name: 'storefront key',
        permissions: ['read'],
        type: 'storefront',
        isActive: true,
      },
      {
        ...common,
        id: ids.expired,
        name: 'storefront key',
        permissions: ['read'],
        type: 'storefront',
        isActive: false,
      },
      {
        ...common,
        id: ids.revoked,
        name: 'plugin key',
        permissions: ['read', 'write'],
        type: 'plugin',
        isActive: false,
      },
      { ...common, id: ids.plugin, name: 'plugin key', permissions: ['read'], type: 'plugin', isActive: true },
      { ...common, id: ids.secret, name: 'secret key', permissions: ['read', 'write'], type: 'secret', isActive: true },
    ]);
  });

  it('returns an empty list for a person without keys', async () => {
    const { token } = await aPerson(app.api);
    const response = await get('', token);
    expect(expectSuccess(response)).toEqual([]);
    expect(response.headers['link']).toBeUndefined();
  });

  it('filters by shop, type and activity, alone and together', async () => {
    const { secret, plugin, revoked, expired, elsewhere } = ids;
    expect(await listed(`?shopId=${other}`)).toEqual([elsewhere]);
    expect(await listed(`?shopId=${other.toUpperCase()}`)).toEqual([elsewhere]);
    expect(await listed('?type=plugin')).toEqual([revoked, plugin]);
    expect(await listed('?isActive=true')).toEqual([elsewhere, plugin, secret]);
    expect(await listed('?isActive=false')).toEqual([expired, revoked]);
    expect(await listed(`?shopId=${shop.shopId}&type=storefront&isActive=true`)).toEqual([]);
    expect(await listed(`?shopId=${shop.shopId}&type=storefront&isActive=false`)).toEqual([expired]);
    expect(await listed(`?shopId=${'0'.repeat(24)}`)).toEqual([]);
  });

  it('leads through all pages by the Link header, without gaps or repetitions, and keeps the filters', async () => {
    const seen: string[] = [];
    let next: string | undefined = `/api-keys?limit=1&shopId=${shop.shopId}`;
    while (next !== undefined) {
      const response = await app.api.get(next, { token: owner.token });
      seen.push(...expectSuccess<Key[]>(response).map(({ id }) => id));
      const link: string | undefined = response.headers['link'];
      if (link !== undefined)
        expect(link).toMatch(/^<\/api\/v2\/api-keys\?limit=1&shopId=\w{24}&cursor=[\w-]{16}>; rel="next"$/);
      next = link === undefined ? undefined : /^<\/api\/v2([^>]+)>/.exec(link)?.[1];
      expect(seen.length).toBeLessThanOrEqual(4);
    }
    expect(seen).toEqual([ids.expired, ids.revoked, ids.plugin, ids.secret]);
  });

  it('links to no next page when the page holds exactly the rest', async () => {
    const response = await get('?limit=5');
    expect(expectSuccess<Key[]>(response)).toHaveLength(5);
    expect(response.headers['link']).toBeUndefined();
  });

  it('keeps a cursor correct while keys are created: the next page does not change', async () => {
    const first = await get(`?limit=2&shopId=${shop.shopId}`);
    const cursor = /cursor=([\w-]+)/.exec(String(first.headers['link']))?.[1] ?? '';
    const { id } = await aKey(app.api, shop, 'plugin');
    expect(await listed(`?limit=2&shopId=${shop.shopId}&cursor=${cursor}`)).toEqual([ids.plugin, ids.secret]);
    await inDatabase(app, (database) => database.collection('api_keys').deleteOne({ _id: new ObjectId(id) }));
  });

  it.each([
    ['limit=0', 'limit must be between 1 and 100'],
    ['limit=101', 'limit must be between 1 and 100'],
    ['limit=1.5', 'limit must be a whole number'],
    ['limit=ten', /^limit must be/],
    ['limit=', /^limit must be/],
    ['limit=1&limit=2', /^limit must be/],
    ['limit[$gt]=1', 'limit[$gt] is not a known field'],
    ['cursor=', 'cursor must come from the Link header of a list'],
    ['cursor=abc', 'cursor must come from the Link header of a list'],
    ['cursor=ZWtY0XvP4p0sYV5', 'cursor must come from the Link header of a list'],
    [`cursor=${'a'.repeat(65)}`, 'cursor must come from the Link header of a list'],
    ['cursor=a&cursor=b', 'cursor must come from the Link header of a list'],
    ['shopId=x', 'shopId must be an ObjectId of 24 hexadecimal digits'],
    ['shopId[$ne]=x', 'shopId[$ne] is not a known field'],
    [`shopId=${'0'.repeat(24)}&shopId=${'1'.repeat(24)}`, 'shopId must be a string'],
    ['type=admin', 'type must be one of secret, plugin, storefront'],
    ['isActive=1', 'isActive must be true or false'],
    ['isActive=TRUE', 'isActive must be true or false'],
    ['isActive=', 'isActive must be true or false'],
    ['userId=x', 'userId is not a known field'],
    ['__proto__[x]=1', /is not a known field$/],
  ])('returns 400 for ?%s', async (query, error) => {
    expectError(await get(`?${query}`), 400, error, PATH);
  });

  it('returns 400 for two credentials, whichever of them is right', async () => {
    const { key } = await aKey(app.api, await aShop(app.api));
    for (const credentials of [
      { token: owner.token, key },
      { token: owner.token, key: '' },
      { token: 'x', key: 'x' },
    ]) {
      const response = await app.api.get('/api-keys', credentials);
      expectError(response, 400, 'Send either X-API-Key or Authorization, not both', PATH);
    }
  });

  it('returns 401 without a token, and for a key of any type, right or wrong', async () => {
    expectError(await app.api.get('/api-keys'), 401, 'Authentication is missing or invalid', PATH);
    for (const type of ['secret', 'plugin', 'storefront'] as const) {
      const { key } = await aKey(app.api, await aShop(app.api), type);
      expectError(await app.api.get('/api-keys', { key }), 401, /^This endpoint takes no API key/, PATH);
    }
  });

  it('returns 404 and no key for a malformed path next to the route', async () => {
    expectError(
      await app.api.get('/api-key', { token: owner.token }),
      404,
      'There is no such endpoint',
      '/api/v2/api-key',
    );
    expect(await listed()).toContain(ids.secret);
    expect(ids.secret).toEqual(anId);
  });
});

describe('GET /api-keys under a small limit', () => {
  let roomy: TestApp;
  let tight: TestApp;

  beforeAll(async () => {
    roomy = await startTestApp();
    tight = await startTestApp({
      databaseUri: roomy.databaseUri,
      env: { RATE_LIMIT_FACTOR: '0.01' },
    });
  });
  afterAll(async () => {
    await tight.close();
    await roomy.close();
  });

  it('returns 429 when the quota of a person is used up, at every endpoint, and does not affect other people', async () => {
    const { token } = await aPerson(roomy.api);
    const calls = ['/api-keys', '/shops', `/api-keys/${'0'.repeat(24)}`];
    const allowed = [];
    for (const path of calls) allowed.push((await tight.api.get(path, { token })).status);
    expect(allowed).toEqual([200, 200, 404]);
    const rejected = await tight.api.get('/api-keys', { token });
    expectError(rejected, 429, 'Too many requests; wait before you send the next one', PATH);
    expect(rejected.headers['ratelimit-policy']).toBe('"user";q=3;w=60');
    expect(rejected.headers['ratelimit']).toMatch(/^"user";r=0;t=\d+$/);
    expect(rejected.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    const changed = await tight.api.patch(`/api-keys/${'0'.repeat(24)}`, { name: 'x' }, { token });
    expectError(changed, 429, /^Too many requests/);
    expectSuccess(await tight.api.get('/api-keys', { token: (await aPerson(roomy.api)).token }));
  });
});
