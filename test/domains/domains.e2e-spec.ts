import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aShop, type TestShop, unique } from '../support/actors.js';
import { NO_LEGAL, STOREFRONT } from '../support/shops.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { type TestApp } from '../support/test-app.js';
import {
  claim,
  platformUrl,
  publish,
  remove,
  settingsOf,
  type ShopWithDomain,
  startDomainApp,
  verify,
} from './domain-actors.js';

let app: TestApp;
let dns: DnsServer;
let shop: TestShop;
let host: string;

const path = (suffix = ''): string => `/shops/${shop.shopId}/domain${suffix}`;

beforeAll(async () => {
  dns = await startDnsServer();
  app = await startDomainApp(dns);
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

const ABSENT = /^There is no TXT record .* yet/;
const OTHER = /^The TXT record .* has another value than the expected one: "/;
const UNKNOWN = /^The name servers of .* gave no usable response/;

describe('PUT /shops/{shopId}/domain', () => {
  it('returns the record to publish, and does not change the URL for buyers', async () => {
    const response = await claim(app.api, shop, host);
    expect(expectSuccess(response, 'Domain claimed; publish the TXT record, then verify')).toEqual({
      _id: shop.shopId,
      uniqueName: shop.uniqueName,
      displayName: 'Sky Realm',
      frontEndUrl: platformUrl(shop),
      isActive: true,
      createdAt: anInstant,
      currency: 'EUR',
      currencyDecimals: 2,
      timezone: 'Europe/Berlin',
      language: 'en',
      supportEmail: null,
      accentColor: null,
      legal: NO_LEGAL,
      ...STOREFRONT,
      ...{ closedText: null, origins: [] },
      ownerEmails: ['sale', 'dispute', 'delivery_failed', 'server_offline'],
      widgets: [],
      monthlyGoal: null,
      priceRule: 'eu',
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
    const first = expectSuccess<ShopWithDomain>(await claim(app.api, shop, host));
    const again = expectSuccess<ShopWithDomain>(await claim(app.api, shop, `${host.toUpperCase()}.`));
    expect(again.domain).toEqual(first.domain);
    const other = expectSuccess<ShopWithDomain>(await claim(app.api, shop, `other.${host}`));
    expect(other.domain.txtRecord.value).not.toBe(first.domain.txtRecord.value);
  });

  it('keeps the verified domain in use until the next one is verified', async () => {
    await publish(app.api, dns, shop, host);
    expectSuccess(await verify(app.api, shop));
    const next = expectSuccess<ShopWithDomain>(await claim(app.api, shop, `next.${host}`));
    expect(next).toMatchObject({ frontEndUrl: `https://${host}`, domain: { status: 'pending' } });
    dns.publish(next.domain.txtRecord.name, [next.domain.txtRecord.value]);
    expect(expectSuccess(await verify(app.api, shop))).toMatchObject({ frontEndUrl: `https://next.${host}` });
    const free = await aShop(app.api);
    expectSuccess(await claim(app.api, free, host));
  });

  it('stores an international name as punycode', async () => {
    const { domain } = expectSuccess<ShopWithDomain>(await claim(app.api, shop, `Müller-${unique()}.example.com`));
    expect(domain.hostname).toMatch(/^xn--mller-[0-9a-z]+-[0-9a-z]+\.example\.com$/);
  });

  it.each([
    [undefined, 'hostname is required, for example "shop.example.com"'],
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
    expectError(await claim(app.api, shop, hostname), 400, error, `/api/v2${path()}`);
    expect((await settingsOf(app.api, shop)).domain).toBeNull();
  });

  it('accepts the longest hostname whose record still has a legal name', async () => {
    const filler = `${'a'.repeat(60)}.`.repeat(3);
    const longest = `${'b'.repeat(238 - filler.length - '.example.com'.length)}.${filler.slice(0, -1)}.example.com`;
    expect(longest).toHaveLength(238);
    await publish(app.api, dns, shop, longest);
    expectSuccess(await verify(app.api, shop));
    expectError(await claim(app.api, shop, `b${longest}`), 400, /^hostname must be a complete hostname/);
  });
});

describe('POST /shops/{shopId}/domain/verify', () => {
  it('looks the record up and moves the front end to the domain', async () => {
    await publish(app.api, dns, shop, host);
    expect(expectSuccess(await verify(app.api, shop), 'Domain verified')).toMatchObject({
      frontEndUrl: `https://${host}`,
      domain: { hostname: host, status: 'verified' },
    });
    expect(dns.queries).toContain(`_shop-platform.${host}`);
    expect(await settingsOf(app.api, shop)).toMatchObject({ frontEndUrl: `https://${host}` });
  });

  it('returns the same again without a lookup, once it is verified', async () => {
    await publish(app.api, dns, shop, host);
    const first = expectSuccess(await verify(app.api, shop));
    dns.misbehave('silence');
    expect(expectSuccess(await verify(app.api, shop))).toEqual(first);
  });

  it('finds the record among others, also when it is split into several strings', async () => {
    const { domain } = expectSuccess<ShopWithDomain>(await claim(app.api, shop, host));
    const { name, value } = domain.txtRecord;
    dns.publish(name, ['v=spf1 -all'], [value.slice(0, 20), value.slice(20)], ['x'.repeat(200)]);
    expectSuccess(await verify(app.api, shop));
  });

  it('finds a value that was pasted with quotes or blanks', async () => {
    const { domain } = expectSuccess<ShopWithDomain>(await claim(app.api, shop, host));
    dns.publish(domain.txtRecord.name, [` "${domain.txtRecord.value}" `]);
    expectSuccess(await verify(app.api, shop));
  });

  it.each([
    ['there is no record', null, null, ABSENT],
    ['the name has no TXT record', null, [], ABSENT],
    ['the value is another one', null, [[`shop-platform-verification=${'0'.repeat(32)}`]], OTHER],
    ['the value has something more', null, 'longer', OTHER],
    ['the name server rejects the query', { rcode: 5 }, null, UNKNOWN],
    ['the name server fails', { rcode: 2 }, null, UNKNOWN],
    ['the name server does not understand', { rcode: 1 }, null, UNKNOWN],
    ['the name server cannot do it', { rcode: 4 }, null, UNKNOWN],
    ['the name server returns nonsense', 'garbage', null, UNKNOWN],
    ['the name server does not respond at all', 'silence', null, UNKNOWN],
  ] as const)('returns 400 when %s, and the domain stays pending', async (_what, misbehaviour, records, error) => {
    const { domain } = expectSuccess<ShopWithDomain>(await claim(app.api, shop, host));
    const { name, value } = domain.txtRecord;
    if (records !== null) dns.publish(name, ...(records === 'longer' ? [[`${value}0`]] : records));
    dns.misbehave(misbehaviour);
    expectError(await verify(app.api, shop), 400, error, `/api/v2${path('/verify')}`);
    expect(await settingsOf(app.api, shop)).toMatchObject({
      frontEndUrl: platformUrl(shop),
      domain: { status: 'pending' },
    });
  });

  it('returns 400 when there is nothing to verify', async () => {
    expectError(
      await verify(app.api, shop),
      400,
      'Claim a custom domain before you verify it',
      `/api/v2${path('/verify')}`,
    );
  });

  it("rejects another shop's record as proof", async () => {
    const other = await aShop(app.api);
    await publish(app.api, dns, other, host);
    expectSuccess(await claim(app.api, shop, host));
    expectError(await verify(app.api, shop), 400, OTHER);
    expectSuccess(await verify(app.api, other));
  });

  it('gives the hostname to one of two shops that both published their record; the other gets 409', async () => {
    const other = await aShop(app.api);
    const [mine, theirs] = [
      expectSuccess<ShopWithDomain>(await claim(app.api, other, host)).domain.txtRecord,
      expectSuccess<ShopWithDomain>(await claim(app.api, shop, host)).domain.txtRecord,
    ];
    dns.publish(mine.name, [mine.value], [theirs.value]);
    const responses = await Promise.all([
      verify(app.api, shop),
      verify(app.api, other),
      verify(app.api, shop),
      verify(app.api, other),
    ]);
    const [winner, loser] = responses[0].status === 200 ? [shop, other] : [other, shop];
    expectSuccess(await verify(app.api, winner));
    expectError(await verify(app.api, loser), 409, 'The hostname belongs to another shop');
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect(await settingsOf(app.api, loser)).toMatchObject({
      frontEndUrl: platformUrl(loser),
      domain: { status: 'pending' },
    });
    const third = await aShop(app.api);
    const path = `/api/v2/shops/${third.shopId}/domain`;
    expectError(await claim(app.api, third, host.toUpperCase()), 409, 'The hostname belongs to another shop', path);
    expectSuccess(await remove(app.api, winner));
    expectSuccess(await verify(app.api, loser));
  });

  it('verifies nothing when the claim changes during the lookup', async () => {
    await publish(app.api, dns, shop, host);
    const lookup = dns.hold();
    const verification = verify(app.api, shop);
    await lookup.begun;
    expectSuccess(await claim(app.api, shop, `other.${host}`));
    lookup.finish();
    // 400: a slow machine claimed after the time for the lookup was over.
    expect([400, 409]).toContain((await verification).status);
    expect(await settingsOf(app.api, shop)).toMatchObject({
      frontEndUrl: platformUrl(shop),
      domain: { hostname: `other.${host}`, status: 'pending' },
    });
  });
});

describe('GET /shops/{shopId}/domain', () => {
  const look = (): Promise<Response> => app.api.get(path(), { token: shop.owner.token });

  it('shows step by step how a domain reaches the shop', async () => {
    expectError(await look(), 404, 'The shop has no custom domain', `/api/v2${path()}`);
    const { domain } = expectSuccess<ShopWithDomain>(await claim(app.api, shop, host));
    const target = `${shop.uniqueName}.shops.example.net`;
    const nothing = {
      ...{ hostname: host, txtRecord: { ...domain.txtRecord, state: 'missing' }, target },
      ...{ addresses: [], pointsHere: null, hasCertificate: null },
    };
    expect(expectSuccess(await look(), 'Domain looked up')).toEqual(nothing);

    dns.publish(domain.txtRecord.name, [domain.txtRecord.value]);
    dns.pointTo(target, '127.0.0.1');
    dns.pointTo(host, '203.0.113.7');
    const elsewhere = { addresses: ['203.0.113.7'], pointsHere: false, hasCertificate: null };
    expect(expectSuccess(await look())).toMatchObject({ txtRecord: { state: 'present' }, ...elsewhere });

    dns.pointTo(host, '127.0.0.1');
    // Nobody has a certificate for it on this machine.
    const here = { addresses: ['127.0.0.1'], pointsHere: true, hasCertificate: false };
    expect(expectSuccess(await look())).toMatchObject(here);
    expect(await settingsOf(app.api, shop)).toMatchObject({ domain: { status: 'pending' } });
  });

  it('says what it does not know when the name servers fail', async () => {
    expectSuccess(await claim(app.api, shop, host));
    dns.misbehave({ rcode: 2 });
    const unknown = { addresses: null, pointsHere: null, hasCertificate: null };
    expect(expectSuccess(await look())).toMatchObject({ txtRecord: { state: 'unknown' }, ...unknown });
  });
});
