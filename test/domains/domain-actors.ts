import { type Response } from 'supertest';
import { type TestShop } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { type DnsServer } from '../support/dns-server.js';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** A shop with a claimed domain, as far as the specs read it. */
export interface ShopWithDomain {
  readonly frontEndUrl: string;
  readonly domain: {
    readonly hostname: string;
    readonly status: string;
    readonly txtRecord: { readonly name: string; readonly value: string };
  };
}

export const startDomainApp = (dns: DnsServer): Promise<TestApp> =>
  startTestApp({
    env: { PLATFORM_DOMAIN: 'shops.example.net' },
    // So long between two runs that no background job runs during a measurement.
    config: { dnsServers: [dns.address], sweepIntervalMs: 3_600_000 },
  });

/** The front end of a shop without a domain of its own. */
export const platformUrl = ({ uniqueName }: TestShop): string => `https://${uniqueName}.shops.example.net`;

export const claim = (api: Client, { shopId, owner }: TestShop, hostname: unknown): Promise<Response> =>
  api.put(`/shops/${shopId}/domain`, { hostname }, { token: owner.token });

export const verify = (api: Client, { shopId, owner }: TestShop): Promise<Response> =>
  api.call('post', `/shops/${shopId}/domain/verify`, { token: owner.token });

export const remove = (api: Client, { shopId, owner }: TestShop): Promise<Response> =>
  api.delete(`/shops/${shopId}/domain`, { token: owner.token });

export async function settingsOf(api: Client, { shopId, owner }: TestShop): Promise<ShopWithDomain> {
  return expectSuccess<ShopWithDomain>(await api.get(`/shops/${shopId}`, { token: owner.token }));
}

/** Claims a hostname and publishes its record. */
export async function publish(api: Client, dns: DnsServer, shop: TestShop, hostname: string): Promise<void> {
  const { domain } = expectSuccess<ShopWithDomain>(await claim(api, shop, hostname));
  dns.publish(domain.txtRecord.name, [domain.txtRecord.value]);
}
