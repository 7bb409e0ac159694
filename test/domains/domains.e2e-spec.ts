import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aMember, aPerson, aShop, type TestShop, unique } from '../support/actors.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Shop {
  readonly frontEndUrl: string;
  readonly domain: {
    readonly hostname: string;
    readonly status: string;
    readonly txtRecord: { readonly name: string; readonly value: string };
  };
}

/** So long that no background job runs during a measurement. */
const QUIET = { sweepIntervalMs: 3_600_000 };

let app: TestApp;
let dns: DnsServer;
let shop: TestShop;
let host: string;

const path = (suffix = ''): string => `/shops/${shop.shopId}/domain${suffix}`;
const claim = (hostname: unknown, as = shop): ReturnType<TestApp['api']['put']> =>
  app.api.put(`/shops/${as.shopId}/domain`, { hostname }, { token: as.owner.token });
const verify = (as = shop): ReturnType<TestApp['api']['call']> =>
  app.api.call('post', `/shops/${as.shopId}/domain/verify`, { token: as.owner.token });
const remove = (as = shop): ReturnType<TestApp['api']['delete']> =>
  app.api.delete(`/shops/${as.shopId}/domain`, { token: as.owner.token });
const settings = async (as = shop): Promise<Shop> =>
  expectSuccess<Shop>(await app.api.get(`/shops/${as.shopId}`, { token: as.owner.token }));
/** Claims a hostname and publishes its record. */
const publish = async (hostname: string, as = shop): Promise<Shop['domain']> => {
  const { domain } = expectSuccess<Shop>(await claim(hostname, as));
  dns.publish(domain.txtRecord.name, [domain.txtRecord.value]);
  return domain;
};
const own = ({ uniqueName }: TestShop): string => `https://${uniqueName}.shops.example.net`;

beforeAll(async () => {
  dns = await startDnsServer();
  app = await startTestApp({
    env: { PLATFORM_DOMAIN: 'shops.example.net' },
    config: { dnsServers: [dns.address], ...QUIET },
  });
});
beforeEach(async () => {
  shop = await aShop(app.api);
  host = `shop-${unique()}.example.com`;
});
afterEach(() => dns.misbehave(null));
afterAll(async () => {
  await app.close();
  await dns.close();
});

describe('PUT /shops/{shopId}/domain', () => {
  it('returns the record to publish, and does not change the URL for buyers', async () => {
    const response = await claim(host);
    expect(expectSuccess(response, 'Domain claimed; publish the TXT record, then verify')).toEqual({
      _id: shop.shopId,
      uniqueName: shop.uniqueName,
      displayName: 'Sky Realm',
      frontEndUrl: own(shop),
      isActive: true,
      createdAt: anInstant,
      currency: 'EUR',
      timezone: 'Europe/Berlin',
      nicknameRule: { preset: 'minecraft-java', pattern: null },
      domain: {
        hostname: host,
        status: 'pending',
        txtRecord: {
          name: `_shop-platform.${host}`,
          value: expect.stringMatching(/^shop-platform-verification=[0-9a-f]{32}$/),
        },
        missingSince: null,
      },
    });
  });

  it('returns the same record when the same hostname is claimed again, in any spelling', async () => {
    const first = expectSuccess<Shop>(await claim(host));
    const again = expectSuccess<Shop>(await claim(`${host.toUpperCase()}.`));
    expect(again.domain).toEqual(first.domain);
    const other = expectSuccess<Shop>(await claim(`other.${host}`));
    expect(other.domain.txtRecord.value).not.toBe(first.domain.txtRecord.value);
  });

  it('keeps the verified domain in use until the next one is verified', async () => {
    await publish(host);
    expectSuccess(await verify());
    const next = expectSuccess<Shop>(await claim(`next.${host}`));
    expect(next).toMatchObject({ frontEndUrl: `https://${host}`, domain: { status: 'pending' } });
    dns.publish(next.domain.txtRecord.name, [next.domain.txtRecord.value]);
    expect(expectSuccess(await verify())).toMatchObject({ frontEndUrl: `https://next.${host}` });
    const free = await aShop(app.api);
    expectSuccess(await claim(host, free));
  });

  it('stores an international name as punycode', async () => {
    const { domain } = expectSuccess<Shop>(await claim(`Müller-${unique()}.example.com`));
    expect(domain.hostname).toMatch(/^xn--mller-[0-9a-z]+-[0-9a-z]+\.example\.com$/);
  });

  it.each([
    [undefined, 'hostname must be a string'],
    [null, 'hostname must be a string'],
    ['', 'hostname must have 1 to 253 characters'],
    ['a'.repeat(254), 'hostname must have 1 to 253 characters'],
    [{ $ne: null }, 'hostname must be a string'],
    ['shop\u0000.example.com', 'hostname must not contain control characters'],
    ...[
      'example',
      'https://shop.example.com',
      'shop.example.com/path',
      'shop.example.com?query',
      'shop.example.com#fragment',
      'shop%2Eexample.com',
      'shop\\example.com',
      'user@shop.example.com',
      'shop.example.com:8443',
      'shop example.com',
      '*.example.com',
      '_dmarc.example.com',
      '-shop.example.com',
      'shop-.example.com',
      'shop..example.com',
      '.example.com',
      `${'a'.repeat(64)}.example.com`,
      `${`${'a'.repeat(59)}.`.repeat(4)}example.com`,
      'localhost',
    ].map((hostname) => [hostname, 'hostname must be a complete hostname such as shop.example.com'] as const),
    ...['127.0.0.1', '192.0.2.7', '0x7f.1', '2130706433', '017700000001', '１２７.0.0.1', '[::1]'].map(
      (hostname) => [hostname, 'hostname must be a name, not an IP address'] as const,
    ),
    ...['co.uk', 'github.io', 's3.amazonaws.com', 'CO.UK.'].map(
      (hostname) => [hostname, 'hostname must be below a domain of your own, not a public suffix'] as const,
    ),
    ...['shops.example.net', 'sky-realm.shops.example.net', 'a.b.SHOPS.example.net.'].map(
      (hostname) => [hostname, 'hostname must not be one of the platform itself'] as const,
    ),
  ])('returns 400 for %j', async (hostname, error) => {
    expectError(await claim(hostname), 400, error, `/api/v2${path()}`);
    expect((await settings()).domain).toBeNull();
  });

  it('accepts the longest hostname whose record still has a legal name', async () => {
    const filler = `${'a'.repeat(60)}.`.repeat(3);
    const longest = `${'b'.repeat(238 - filler.length - '.example.com'.length)}.${filler.slice(0, -1)}.example.com`;
    expect(longest).toHaveLength(238);
    await publish(longest);
    expectSuccess(await verify());
    expectError(await claim(`b${longest}`), 400, /^hostname must be a complete hostname/);
  });
});

describe('POST /shops/{shopId}/domain/verify', () => {
  it('looks the record up and moves the front end to the domain', async () => {
    await publish(host);
    expect(expectSuccess(await verify(), 'Domain verified')).toMatchObject({
      frontEndUrl: `https://${host}`,
      domain: { hostname: host, status: 'verified' },
    });
    expect(dns.asked).toContain(`_shop-platform.${host}`);
    expect(await settings()).toMatchObject({ frontEndUrl: `https://${host}` });
  });

  it('returns the same again without a lookup, once it is verified', async () => {
    await publish(host);
    const first = expectSuccess(await verify());
    dns.misbehave('silence');
    expect(expectSuccess(await verify())).toEqual(first);
  });

  it('finds the record among others, also when it is split into several strings', async () => {
    const { domain } = expectSuccess<Shop>(await claim(host));
    const { name, value } = domain.txtRecord;
    dns.publish(name, ['v=spf1 -all'], [value.slice(0, 20), value.slice(20)], ['x'.repeat(200)]);
    expectSuccess(await verify());
  });

  it.each([
    ['there is no record', null, null],
    ['the name has no TXT record', null, []],
    ['the value is another one', null, [['shop-platform-verification=00000000000000000000000000000000']]],
    ['the value has something around it', null, 'padded'],
    ['the name server rejects the query', { rcode: 5 }, null],
    ['the name server fails', { rcode: 2 }, null],
    ['the name server does not understand', { rcode: 1 }, null],
    ['the name server cannot do it', { rcode: 4 }, null],
    ['the name server returns nonsense', 'garbage', null],
    ['the name server does not respond at all', 'silence', null],
  ] as const)('returns 400 when %s, and the domain stays pending', async (_what, misbehaviour, records) => {
    const { domain } = expectSuccess<Shop>(await claim(host));
    const { name, value } = domain.txtRecord;
    if (records !== null) dns.publish(name, ...(records === 'padded' ? [[` ${value} `], [`${value}0`]] : records));
    dns.misbehave(misbehaviour);
    const error = `There is no TXT record _shop-platform.${host} with the expected value`;
    expectError(await verify(), 400, error, `/api/v2${path('/verify')}`);
    expect(await settings()).toMatchObject({ frontEndUrl: own(shop), domain: { status: 'pending' } });
  });

  it('returns 400 when there is nothing to verify', async () => {
    expectError(await verify(), 400, 'There is no domain to verify', `/api/v2${path('/verify')}`);
  });

  it("does not accept another shop's record as proof", async () => {
    const other = await aShop(app.api);
    await publish(host, other);
    expectSuccess(await claim(host));
    expectError(await verify(), 400, /^There is no TXT record/);
    expectSuccess(await verify(other));
  });

  it('gives the hostname to one of two shops that both published their record; the other gets 409', async () => {
    const other = await aShop(app.api);
    const [mine, theirs] = [
      expectSuccess<Shop>(await claim(host)).domain.txtRecord,
      expectSuccess<Shop>(await claim(host, other)).domain.txtRecord,
    ];
    dns.publish(mine.name, [mine.value], [theirs.value]);
    const responses = await Promise.all([verify(), verify(other), verify(), verify(other)]);
    const [winner, loser] = responses[0].status === 200 ? [shop, other] : [other, shop];
    expectSuccess(await verify(winner));
    expectError(await verify(loser), 409, 'The hostname belongs to another shop');
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect(await settings(loser)).toMatchObject({ frontEndUrl: own(loser), domain: { status: 'pending' } });
    const third = await aShop(app.api);
    const path = `/api/v2/shops/${third.shopId}/domain`;
    expectError(await claim(host.toUpperCase(), third), 409, 'The hostname belongs to another shop', path);
    expectSuccess(await remove(winner));
    expectSuccess(await verify(loser));
  });

  it('verifies nothing when the claim changes during the lookup', async () => {
    await publish(host);
    const lookup = dns.hold();
    const verification = verify();
    await lookup.begun;
    expectSuccess(await claim(`other.${host}`));
    lookup.finish();
    // 400: a slow machine claimed after the time for the lookup was over.
    expect([400, 409]).toContain((await verification).status);
    expect(await settings()).toMatchObject({
      frontEndUrl: own(shop),
      domain: { hostname: `other.${host}`, status: 'pending' },
    });
  });
});

describe('DELETE /shops/{shopId}/domain (contract 6)', () => {
  const record = (): object => ({
    _id: shop.shopId,
    uniqueName: shop.uniqueName,
    displayName: 'Sky Realm',
    frontEndUrl: own(shop),
    isActive: true,
    createdAt: anInstant,
  });

  it('returns exactly the six fields, with the address below the platform', async () => {
    await publish(host);
    expectSuccess(await verify());
    expect(expectSuccess(await remove(), 'Custom domain removed')).toEqual(record());
    expect(await settings()).toMatchObject({ frontEndUrl: own(shop), domain: null });
    expectError(await verify(), 400, 'There is no domain to verify');
  });

  it('returns the same without a domain, with a pending one, and a second time: only the first call changes the shop', async () => {
    const without = expectSuccess(await remove(), 'Custom domain removed');
    expect(without).toEqual(record());
    expectSuccess(await claim(host));
    expect(expectSuccess(await remove())).toEqual(without);
    expect(expectSuccess(await remove())).toEqual(without);
  });

  it('accepts a key with shops:write, and an id in upper or lower case', async () => {
    const { key } = await aKey(app.api, shop, 'secret', ['shops:write']);
    expect(expectSuccess(await app.api.delete(path(), { key }))).toEqual(record());
    const shouted = await app.api.delete(`/shops/${shop.shopId.toUpperCase()}/domain`, { key });
    expect(expectSuccess(shouted)).toEqual(record());
  });

  it('frees the hostname for another shop', async () => {
    await publish(host);
    expectSuccess(await verify());
    const other = await aShop(app.api);
    expectError(await claim(host, other), 409, 'The hostname belongs to another shop');
    expectSuccess(await remove());
    await publish(host, other);
    expect(expectSuccess(await verify(other))).toMatchObject({ frontEndUrl: `https://${host}` });
  });

  it('requires a new record after a removal: the old one is no proof', async () => {
    await publish(host);
    expectSuccess(await verify());
    expectSuccess(await remove());
    expectSuccess(await claim(host));
    expectError(await verify(), 400, /^There is no TXT record/);
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
    await publish(host);
    expectSuccess(await verify());
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
    expect(await settings()).toMatchObject({ frontEndUrl: `https://${host}` });
  });

  it('returns 404 for a shop that does not exist', async () => {
    const unknown = `/shops/${'0'.repeat(24)}/domain`;
    const { token } = shop.owner;
    expectError(await app.api.delete(unknown, { token }), 404, 'There is no such shop', `/api/v2${unknown}`);
  });

  it('returns 429 when the limit of the caller is used up', async () => {
    const JWT_SECRET = 'one secret for both of the applications';
    const roomy = await startTestApp({ env: { JWT_SECRET } });
    const tight = await startTestApp({
      databaseUri: roomy.databaseUri,
      env: { JWT_SECRET, RATE_LIMIT_FACTOR: '0.01' },
      config: { dnsServers: [dns.address] },
    });
    const { shopId, owner } = await aShop(roomy.api);
    const again = (): ReturnType<TestApp['api']['delete']> =>
      tight.api.delete(`/shops/${shopId}/domain`, { token: owner.token });
    for (let times = 0; times < 3; times++) expectSuccess(await again());
    const rejected = await again();
    const sentence = 'Too many requests; wait before the next try';
    expectError(rejected, 429, sentence, `/api/v2/shops/${shopId}/domain`);
    expect(rejected.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    // A lookup sends queries to foreign name servers, so it has its own smaller limit, which is used up first.
    await roomy.api.put(`/shops/${shopId}/domain`, { hostname: 'shop.example.com' }, { token: owner.token });
    const secret = await aKey(roomy.api, { shopId, uniqueName: '', owner });
    const verify = (): Promise<Response> =>
      tight.api.call('post', `/shops/${shopId}/domain/verify`, { key: secret.key });
    expect((await verify()).status).toBe(400);
    expectError(await verify(), 429, sentence, `/api/v2/shops/${shopId}/domain/verify`);
    expectSuccess(await tight.api.get(`/shops/${shopId}`, { key: secret.key }));
    await tight.close();
    await roomy.close();
  });

  it('needs one read without a domain; with a domain also one transaction, which writes the audit entry too', async () => {
    const { token } = shop.owner;
    await remove();
    const read = ['find', 'find', 'find'];
    expect(await app.commandsOf(() => app.api.delete(path(), { token }))).toEqual(read);
    expectSuccess(await claim(host));
    const commands = await app.commandsOf(() => app.api.delete(path(), { token }));
    expect(commands).toEqual([...read, 'findAndModify', 'insert', 'commitTransaction']);
  });
});
