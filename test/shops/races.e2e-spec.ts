import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aShop, type TestShop, unique } from '../support/actors.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Entry {
  readonly action: string;
  readonly changes: readonly { readonly field: string; readonly before: string; readonly after: string }[];
}
interface Settings {
  readonly displayName: string;
  readonly isActive: boolean;
  readonly frontEndUrl: string;
  readonly domain: { readonly status: string; readonly txtRecord: { readonly name: string; readonly value: string } };
}

let app: TestApp;
let dns: DnsServer;
let shop: TestShop;
let host: string;

const as = ({ owner }: TestShop): { token: string } => ({ token: owner.token });
const settings = async (): Promise<Settings> =>
  expectSuccess<Settings>(await app.api.get(`/shops/${shop.shopId}`, as(shop)));
/** The actions in the audit log of the shop, oldest first. */
const log = async (): Promise<Entry[]> => {
  const entries = expectSuccess<Entry[]>(await app.api.get(`/shops/${shop.shopId}/audit`, as(shop)));
  return entries.reverse().slice(1);
};
const rename = (displayName: string): Promise<Response> =>
  app.api.patch(`/shops/${shop.shopId}`, { displayName }, as(shop));
const close = (): Promise<Response> => app.api.delete(`/shops/${shop.shopId}`, as(shop));
const open = (): Promise<Response> => app.api.call('post', `/shops/${shop.shopId}/reactivate`, as(shop));
const claim = (of = shop): Promise<Response> => app.api.put(`/shops/${of.shopId}/domain`, { hostname: host }, as(of));
const verify = (of = shop): Promise<Response> => app.api.call('post', `/shops/${of.shopId}/domain/verify`, as(of));
const remove = (): Promise<Response> => app.api.delete(`/shops/${shop.shopId}/domain`, as(shop));
const statuses = (responses: readonly Response[]): number[] => responses.map(({ status }) => status).sort();

beforeAll(async () => {
  dns = await startDnsServer();
  app = await startTestApp({ config: { dnsServers: [dns.address] } });
});
beforeEach(async () => {
  shop = await aShop(app.api);
  host = `shop-${unique()}.example.com`;
});
afterAll(async () => {
  await app.close();
  await dns.close();
});

describe('At once', () => {
  it('verifies one hostname for one of six shops at once, and returns 409 to the others', async () => {
    const shops = await Promise.all(Array.from({ length: 6 }, () => aShop(app.api)));
    const claims = await Promise.all(shops.map(claim));
    const values = claims.map((response) => expectSuccess<Settings>(response).domain.txtRecord.value);
    expect(new Set(values).size).toBe(6);
    dns.publish(`_shop-platform.${host}`, ...values.map((value) => [value]));
    const responses = await Promise.all(shops.map(verify));
    expect(statuses(responses)).toEqual([200, 409, 409, 409, 409, 409]);
    for (const loser of responses.filter(({ status }) => status === 409)) {
      expectError(loser, 409, 'The hostname belongs to another shop');
    }
    const found = expectSuccess(await app.api.get(`/shops/public/by-domain/${host}`));
    expect(found['_id']).toBe(shops[responses.findIndex(({ status }) => status === 200)]?.shopId);
  });

  it('applies ten changes of one setting at once one after the other: each entry of the log begins where the last one ended', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`);
    expect(statuses(await Promise.all(names.map(rename)))).toEqual(names.map(() => 200));
    const changes = (await log()).flatMap(({ changes: all }) => all);
    expect(changes.map(({ after }) => after).sort()).toEqual(names);
    expect(changes.map(({ before }) => before)).toEqual(
      ['Sky Realm', ...changes.map(({ after }) => after)].slice(0, -1),
    );
    expect((await settings()).displayName).toBe(changes.at(-1)?.after);
  });

  it('applies a change and the closings of a shop at once, the closing once', async () => {
    const responses = await Promise.all([close(), rename('Cloud Realm'), close(), close()]);
    expect(statuses(responses)).toEqual([200, 200, 200, 200]);
    expect(await settings()).toMatchObject({ displayName: 'Cloud Realm', isActive: false });
    expect((await log()).map(({ action }) => action).sort()).toEqual(['shop.deactivated', 'shop.updated']);
  });

  it('closings and openings alternate in the log, and the last entry is the state of the shop', async () => {
    expect(statuses(await Promise.all([close(), open(), close(), open(), close(), open()]))).toEqual(
      Array.from({ length: 6 }, () => 200),
    );
    const actions = (await log()).map(({ action }) => action);
    expect(actions).toEqual(actions.map((_, index) => (index % 2 === 0 ? 'shop.deactivated' : 'shop.reactivated')));
    expect((await settings()).isActive).toBe(actions.at(-1) !== 'shop.deactivated');
  });

  it('returns one record to publish for the same claim five times at once', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => claim()));
    const values = responses.map((response) => expectSuccess<Settings>(response).domain.txtRecord.value);
    expect(new Set(values).size).toBe(1);
    expect((await log()).map(({ action }) => action)).toEqual(['domain.claimed']);
  });

  it('applies the same verification five times at once as one change', async () => {
    const { name, value } = expectSuccess<Settings>(await claim()).domain.txtRecord;
    dns.publish(name, [value]);
    expect(statuses(await Promise.all(Array.from({ length: 5 }, () => verify())))).toEqual([200, 200, 200, 200, 200]);
    expect((await log()).map(({ action }) => action)).toEqual(['domain.claimed', 'domain.verified']);
  });

  it('keeps, for removals, claims and verifications at once, the state that the last entry of the log describes', async () => {
    const { name, value } = expectSuccess<Settings>(await claim()).domain.txtRecord;
    dns.publish(name, [value]);
    const responses = await Promise.all([verify(), remove(), claim(), verify(), remove()]);
    for (const { status } of responses) expect([200, 400, 409]).toContain(status);
    const { domain } = (await settings()) as { domain: Settings['domain'] | null };
    const after: Record<string, string | undefined> = {
      'domain.removed': undefined,
      'domain.claimed': 'pending',
      'domain.verified': 'verified',
    };
    expect(domain?.status).toBe(after[(await log()).at(-1)?.action ?? '']);
  });
});
