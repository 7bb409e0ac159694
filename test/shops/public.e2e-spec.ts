import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aShop, type TestShop, unique } from '../support/actors.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { NO_LEGAL, STOREFRONT } from '../support/shops.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PLATFORM = 'shops.example.net';
/** So long that no background job runs during a measurement. */
const QUIET = { sweepIntervalMs: 3_600_000 };

let app: TestApp;
let dns: DnsServer;
let shop: TestShop;

const byName = (name: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.api.get(`/shops/public/${name}`, { headers });
const byHost = (host: string): Promise<Response> => app.api.get(`/shops/public/by-domain/${encodeURIComponent(host)}`);
const record = (changes: object = {}): object => ({
  _id: shop.shopId,
  uniqueName: shop.uniqueName,
  displayName: 'Sky Realm',
  frontEndUrl: `https://${shop.uniqueName}.${PLATFORM}`,
  isActive: true,
  createdAt: anInstant,
  currency: 'EUR',
  currencyDecimals: 2,
  timezone: 'Europe/Berlin',
  priceRule: 'eu',
  language: 'en',
  supportEmail: null,
  accentColor: null,
  widgets: [],
  nicknameRule: { preset: 'minecraft-java', pattern: '^[A-Za-z0-9_]{3,16}$', maxLength: 32 },
  legal: NO_LEGAL,
  ...STOREFRONT,
  ...changes,
});
const claim = async (hostname: string): Promise<{ name: string; value: string }> => {
  const { token } = shop.owner;
  const response = await app.api.put(`/shops/${shop.shopId}/domain`, { hostname }, { token });
  return expectSuccess<{ domain: { txtRecord: { name: string; value: string } } }>(response).domain.txtRecord;
};
const own = async (hostname: string): Promise<void> => {
  const { name, value } = await claim(hostname);
  dns.publish(name, [value]);
  const { token } = shop.owner;
  expectSuccess(await app.api.call('post', `/shops/${shop.shopId}/domain/verify`, { token }));
};
const notFound = (response: Response): void => expectError(response, 404, 'There is no such shop');

beforeAll(async () => {
  dns = await startDnsServer();
  app = await startTestApp({
    watchCommands: true,
    env: { PLATFORM_DOMAIN: PLATFORM },
    config: { dnsServers: [dns.address], ...QUIET },
  });
});
beforeEach(async () => {
  shop = await aShop(app.api);
});
afterAll(async () => {
  await app.close();
  await dns.close();
});

describe('GET /shops/public/{uniqueName}', () => {
  it("returns the shop's own rule for nicknames as a pattern that a form can use (complaint 7)", async () => {
    const nicknameRule = { preset: 'custom', pattern: '[a-z-]{3,12}' };
    expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, { nicknameRule }, { token: shop.owner.token }));
    expect(expectSuccess(await byName(shop.uniqueName))['nicknameRule']).toEqual({
      preset: 'custom',
      pattern: '^(?:[a-z\\-]{3,12})$',
      maxLength: 32,
    });
  });

  it('returns what a storefront needs, and nothing about the domain, the team or the keys', async () => {
    expect(expectSuccess(await byName(shop.uniqueName), 'Shop retrieved')).toEqual(record());
    expect(expectSuccess(await byName(shop.uniqueName.toUpperCase()))).toEqual(record());
  });

  it('lets caches keep a shop for half a minute, and returns 304 for a matching ETag until the shop changes', async () => {
    const first = await byName(shop.uniqueName);
    expect(first.headers['cache-control']).toBe('public, max-age=30');
    expect(first.headers['etag']).toMatch(/^W\/"[\w-]{22}"$/);
    const headers = { 'if-none-match': String(first.headers['etag']) };
    const again = await byName(shop.uniqueName, headers);
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
    const { token } = shop.owner;
    expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, { displayName: 'Cloud Realm' }, { token }));
    expect(expectSuccess(await byName(shop.uniqueName, headers))).toEqual(record({ displayName: 'Cloud Realm' }));
  });

  it.each(['nobody-has-this', 'ab', 'by-domain', 'a--b', '-abc', '%24ne', 'sky%20realm', '%00', 'x'.repeat(3_000)])(
    'returns 404 for %s, which must not be cached',
    async (name) => {
      const response = await byName(name);
      notFound(response);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(response.headers['etag']).toBeUndefined();
    },
  );

  it('returns 429 to an address after too many requests', async () => {
    const tight = await startTestApp({ env: { RATE_LIMIT_FACTOR: '0.01' } });
    const responses = [];
    for (let times = 0; times < 4; times++)
      responses.push((await tight.api.get('/shops/public/nobody-has-this')).status);
    expect(responses).toEqual([404, 404, 404, 429]);
    await tight.close();
  });
});

describe('GET /shops/public/by-domain/{host}', () => {
  it('finds a shop by its host below the platform, in any spelling', async () => {
    const host = `${shop.uniqueName}.${PLATFORM}`;
    for (const spelled of [host, host.toUpperCase(), `${host}.`, `${host}:8443`, ` ${host} `]) {
      expect(expectSuccess(await byHost(spelled), 'Shop retrieved')).toEqual(record());
    }
  });

  it('finds a shop by its verified domain, in any case, with a port, international or punycode', async () => {
    const hostname = `müller-${unique()}.example.com`;
    await own(hostname);
    const { frontEndUrl } = expectSuccess<{ frontEndUrl: string }>(await byHost(hostname));
    expect(frontEndUrl).toMatch(/^https:\/\/xn--mller-.*\.example\.com$/);
    for (const spelled of [hostname.toUpperCase(), `${hostname}:443`, `${new URL(frontEndUrl).host}.`]) {
      expect(expectSuccess(await byHost(spelled))).toEqual(record({ frontEndUrl }));
    }
    expect(expectSuccess(await byHost(`${shop.uniqueName}.${PLATFORM}`))).toEqual(record({ frontEndUrl }));
  });

  it('returns 404 for a domain that is only claimed, and for one that was removed', async () => {
    const hostname = `shop-${unique()}.example.com`;
    await claim(hostname);
    notFound(await byHost(hostname));
    await own(hostname);
    expectSuccess(await byHost(hostname));
    notFound(await byHost(`www.${hostname}`));
    const { token } = shop.owner;
    expectSuccess(await app.api.delete(`/shops/${shop.shopId}/domain`, { token }));
    notFound(await byHost(hostname));
  });

  it.each([
    ...[
      PLATFORM,
      `a.b.${PLATFORM}`,
      `.${PLATFORM}`,
      `*.${PLATFORM}`,
      `not${PLATFORM}`,
      'localhost',
      'com',
      '127.0.0.1',
    ],
    ...['[::1]:3000', 'https://shop.example.com', 'shop.example.com/path', '{"$ne":null}', '%', '\u0000', ' ', '..'],
  ])('returns 404 for the host %j', async (host) => notFound(await byHost(host)));

  it('reads nothing for a host or a name that no shop can have', async () => {
    expect(await app.commandsOf(() => byHost('127.0.0.1'))).toEqual([]);
    expect(await app.commandsOf(() => byName('a--b'))).toEqual([]);
  });
});

it('rejects a shop name whose public path would be the path of another endpoint', async () => {
  const { paths } = (await app.api.get('/openapi.json')).body as { paths: Record<string, unknown> };
  const names = Object.keys(paths).flatMap(
    (path) => /^\/api\/v2\/shops\/(?:\{shopId\}|public)\/([\w-]+)/.exec(path)?.[1] ?? [],
  );
  expect(names).toEqual(expect.arrayContaining(['team', 'audit', 'domain', 'by-domain', 'overview', 'reactivate']));
  for (const uniqueName of new Set(names)) {
    const body = { uniqueName, displayName: 'x', currency: 'EUR', timezone: 'UTC', nicknameRule: { preset: 'any' } };
    const response = await app.api.post('/shops', body, { token: shop.owner.token });
    expectError(response, 400, 'uniqueName is reserved');
  }
});
