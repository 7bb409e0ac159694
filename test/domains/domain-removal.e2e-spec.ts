import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aMember, aPerson, aShop, type TestShop, unique } from '../support/actors.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { claim, platformUrl, publish, remove, settingsOf, startDomainApp, verify } from './domain-actors.js';

let app: TestApp;
let dns: DnsServer;
let shop: TestShop;
let host: string;

const path = (): string => `/shops/${shop.shopId}/domain`;

beforeAll(async () => {
  dns = await startDnsServer();
  app = await startDomainApp(dns);
});
beforeEach(async () => {
  shop = await aShop(app.api);
  host = `shop-${unique()}.example.com`;
});
afterAll(async () => {
  await app.close();
  await dns.close();
});

describe('DELETE /shops/{shopId}/domain (contract 6)', () => {
  const record = (): object => ({
    _id: shop.shopId,
    uniqueName: shop.uniqueName,
    displayName: 'Sky Realm',
    frontEndUrl: platformUrl(shop),
    isActive: true,
    createdAt: anInstant,
  });

  it('returns exactly the six fields, with the address below the platform', async () => {
    await publish(app.api, dns, shop, host);
    expectSuccess(await verify(app.api, shop));
    expect(expectSuccess(await remove(app.api, shop), 'Custom domain removed')).toEqual(record());
    expect(await settingsOf(app.api, shop)).toMatchObject({ frontEndUrl: platformUrl(shop), domain: null });
    expectError(await verify(app.api, shop), 400, 'Claim a custom domain before you verify it');
  });

  it('returns the same without a domain, with a pending one, and a second time: only the first call changes the shop', async () => {
    const without = expectSuccess(await remove(app.api, shop), 'Custom domain removed');
    expect(without).toEqual(record());
    expectSuccess(await claim(app.api, shop, host));
    expect(expectSuccess(await remove(app.api, shop))).toEqual(without);
    expect(expectSuccess(await remove(app.api, shop))).toEqual(without);
  });

  it('accepts a key with shops:write, and an id in upper or lower case', async () => {
    const { key } = await aKey(app.api, shop, 'secret', ['shops:write']);
    expect(expectSuccess(await app.api.delete(path(), { key }))).toEqual(record());
    const shouted = await app.api.delete(`/shops/${shop.shopId.toUpperCase()}/domain`, { key });
    expect(expectSuccess(shouted)).toEqual(record());
  });

  it('frees the hostname for another shop', async () => {
    await publish(app.api, dns, shop, host);
    expectSuccess(await verify(app.api, shop));
    const other = await aShop(app.api);
    expectError(await claim(app.api, other, host), 409, 'The hostname belongs to another shop');
    expectSuccess(await remove(app.api, shop));
    await publish(app.api, dns, other, host);
    expect(expectSuccess(await verify(app.api, other))).toMatchObject({ frontEndUrl: `https://${host}` });
  });

  it('requires a new record after a removal: the old one is no proof', async () => {
    await publish(app.api, dns, shop, host);
    expectSuccess(await verify(app.api, shop));
    expectSuccess(await remove(app.api, shop));
    expectSuccess(await claim(app.api, shop, host));
    expectError(await verify(app.api, shop), 400, /TXT record/);
  });

  it('returns 400 for a malformed id and for two credentials', async () => {
    const { token } = shop.owner;
    const malformed = await app.api.delete('/shops/nothex/domain', { token });
    expectError(malformed, 400, 'An identifier in the path is not an ObjectId of 24 hexadecimal digits');
    const { key } = await aKey(app.api, shop);
    const both = await app.api.delete(path(), { token, key });
    expectError(both, 400, 'Send either X-API-Key or Authorization, not both', `/api/v2${path()}`);
  });

  it('returns 401 without a credential and for a wrong one', async () => {
    for (const credential of [{}, { token: 'x' }, { key: 'x' }]) {
      const response = await app.api.delete(path(), credential);
      expectError(response, 401, 'Authentication is missing or invalid', `/api/v2${path()}`);
    }
  });

  it('returns 403 without shops:write and without access to the shop, and removes nothing', async () => {
    await publish(app.api, dns, shop, host);
    expectSuccess(await verify(app.api, shop));
    const missing = 'The credential lacks the permission shops:write';
    const { key } = await aKey(app.api, shop, 'storefront');
    expectError(await app.api.delete(path(), { key }), 403, missing, `/api/v2${path()}`);
    const { token } = await aMember(app, shop, 'manager');
    expectError(await app.api.delete(path(), { token }), 403, missing, `/api/v2${path()}`);
    const denied = 'The credential has no access to this shop';
    const stranger = await aPerson(app.api);
    expectError(await app.api.delete(path(), { token: stranger.token }), 403, denied, `/api/v2${path()}`);
    const foreign = await aKey(app.api, await aShop(app.api));
    expectError(await app.api.delete(path(), { key: foreign.key }), 403, denied, `/api/v2${path()}`);
    expect(await settingsOf(app.api, shop)).toMatchObject({ frontEndUrl: `https://${host}` });
  });

  it('returns 404 for a shop that does not exist', async () => {
    const unknown = `/shops/${'0'.repeat(24)}/domain`;
    const { token } = shop.owner;
    expectError(await app.api.delete(unknown, { token }), 404, 'There is no such shop', `/api/v2${unknown}`);
  });

  it('returns 429 when the limit of the caller is used up', async () => {
    const roomy = await startTestApp();
    const tight = await startTestApp({
      databaseUri: roomy.databaseUri,
      env: { RATE_LIMIT_FACTOR: '0.01' },
      config: { dnsServers: [dns.address] },
    });
    const { shopId, owner } = await aShop(roomy.api);
    const again = (): ReturnType<TestApp['api']['delete']> =>
      tight.api.delete(`/shops/${shopId}/domain`, { token: owner.token });
    for (let times = 0; times < 3; times++) expectSuccess(await again());
    const rejected = await again();
    const sentence = 'Too many requests; wait before you send the next one';
    expectError(rejected, 429, sentence, `/api/v2/shops/${shopId}/domain`);
    expect(rejected.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    // A lookup sends queries to foreign name servers, so it has its own smaller limit, which is used up first.
    await roomy.api.put(`/shops/${shopId}/domain`, { hostname: 'shop.example.com' }, { token: owner.token });
    const secret = await aKey(roomy.api, { shopId, uniqueName: '', owner });
    const verifyTight = (): Promise<Response> =>
      tight.api.call('post', `/shops/${shopId}/domain/verify`, { key: secret.key });
    expect((await verifyTight()).status).toBe(400);
    expectError(await verifyTight(), 429, sentence, `/api/v2/shops/${shopId}/domain/verify`);
    expectSuccess(await tight.api.get(`/shops/${shopId}`, { key: secret.key }));
    await tight.close();
    await roomy.close();
  });
});
