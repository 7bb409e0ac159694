import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aShop, type TestShop, unique } from '../support/actors.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { type TestApp } from '../support/test-app.js';
import { claim, publish, remove, startDomainApp, verify } from './domain-actors.js';

let app: TestApp;
let dns: DnsServer;
let shop: TestShop;

beforeAll(async () => {
  dns = await startDnsServer();
  app = await startDomainApp(dns);
});
beforeEach(async () => {
  shop = await aShop(app.api);
});
afterAll(async () => {
  await app.close();
  await dns.close();
});

describe('GET /domains/allowed', () => {
  const allowed = (domain: string): Promise<Response> =>
    app.api.get(`/domains/allowed?domain=${encodeURIComponent(domain)}`);
  const expectRefused = async (domain: string): Promise<void> => {
    expectError(await allowed(domain), 404, 'There is no such shop');
  };

  it('allows a certificate for the subdomain of a shop, and for no other name below the platform', async () => {
    const domain = `${shop.uniqueName}.shops.example.net`;
    expect(expectSuccess(await allowed(domain), 'The domain leads to a shop')).toEqual({ domain });
    for (const other of [`no-${unique()}.shops.example.net`, `a.${domain}`, 'shops.example.net'])
      await expectRefused(other);
  });

  it('allows a certificate for a custom domain while it is verified, not before and not afterwards', async () => {
    const domain = `shop-${unique()}.example.com`;
    expectSuccess(await claim(app.api, shop, domain));
    await expectRefused(domain);
    await publish(app.api, dns, shop, domain);
    expectSuccess(await verify(app.api, shop));
    expect(expectSuccess(await allowed(domain))).toEqual({ domain });
    await expectRefused(`www.${domain}`);
    expectSuccess(await remove(app.api, shop));
    await expectRefused(domain);
  });

  it('allows a certificate for a closed shop, whose page says that it is closed', async () => {
    expectSuccess(await app.api.delete(`/shops/${shop.shopId}`, { token: shop.owner.token }));
    const domain = `${shop.uniqueName}.shops.example.net`;
    expect(expectSuccess(await allowed(domain))).toEqual({ domain });
  });

  it.each(['127.0.0.1', '[::1]', 'localhost', 'no host', `${'a'.repeat(250)}.de`])(
    'refuses a certificate for %s, which no shop can have',
    (domain) => expectRefused(domain),
  );

  it('rejects a request that names no domain, two domains, or one that is too long', async () => {
    expectError(await app.api.get('/domains/allowed'), 400, 'domain is required, for example "shop.example.com"');
    expectError(await app.api.get('/domains/allowed?domain='), 400, 'domain must have 1 to 253 characters');
    expectError(await allowed('a'.repeat(254)), 400, 'domain must have 1 to 253 characters');
    expectError(
      await app.api.get('/domains/allowed?domain=a.example&domain=b.example'),
      400,
      'domain must be a string',
    );
  });
});
