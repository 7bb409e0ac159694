import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { aShop, type TestShop, unique } from '../support/actors.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PLATFORM = 'shops.example.net';
const HOUR_MS = 3_600_000;

interface Settings {
  readonly frontEndUrl: string;
  readonly domain: {
    readonly hostname: string;
    readonly status: string;
    readonly txtRecord: { readonly name: string; readonly value: string };
    readonly missingSince: string | null;
  } | null;
}
interface Proof {
  readonly token: string;
  readonly checkAt: Date;
  readonly misses: number;
  readonly missingSince: Date | null;
}

let app: TestApp;
let dns: DnsServer;
let records: Records;
let shop: TestShop;
let host: string;

const start = (databaseUri?: string): Promise<TestApp> =>
  startTestApp({
    env: { PLATFORM_DOMAIN: PLATFORM },
    config: { dnsServers: [dns.address], sweepIntervalMs: 50 },
    ...(databaseUri === undefined ? {} : { databaseUri }),
  });
const as = ({ owner }: TestShop): { token: string } => ({ token: owner.token });
const recordName = (hostname: string): string => `_shop-platform.${hostname}`;
const settings = async (of = shop): Promise<Settings> =>
  expectSuccess<Settings>(await app.api.get(`/shops/${of.shopId}`, as(of)));
const claim = async (hostname: string, of = shop): Promise<Settings> =>
  expectSuccess<Settings>(await app.api.put(`/shops/${of.shopId}/domain`, { hostname }, as(of)));
const verify = (of = shop): ReturnType<TestApp['api']['call']> =>
  app.api.call('post', `/shops/${of.shopId}/domain/verify`, as(of));
/** Claims, publishes and verifies. Returns the value of the record. */
const own = async (hostname: string, of = shop): Promise<string> => {
  const value = (await claim(hostname, of)).domain?.txtRecord.value ?? '';
  dns.publish(recordName(hostname), [value]);
  expectSuccess(await verify(of));
  return value;
};
const stored = (of = shop): Promise<Document | null> =>
  records.db.collection('shops').findOne({ _id: idOf(of.shopId) });
const proof = async (of = shop): Promise<Proof | undefined> => (await stored(of))?.['proof'] as Proof | undefined;
/** Makes the next check due now, with the given results of earlier checks. */
const makeDue = (found: Partial<Proof> = {}, of = shop): Promise<unknown> => {
  const set = Object.entries({ ...found, checkAt: new Date(0) }).map(([name, value]) => [`proof.${name}`, value]);
  return records.db.collection('shops').updateOne({ _id: idOf(of.shopId) }, { $set: Object.fromEntries(set) });
};
const queriesFor = (hostname: string): number => dns.queries.filter((name) => name === recordName(hostname)).length;
/** Makes a check due and waits until its result is stored. Returns undefined when the shop has lost the hostname. */
const look = async (found: Partial<Proof> = {}, of = shop): Promise<Proof | undefined> => {
  await makeDue(found, of);
  return eventually(async () => {
    const after = await proof(of);
    // A lease lasts ten minutes. The time until the next check is an hour at least.
    return after === undefined || after.checkAt.getTime() > Date.now() + HOUR_MS / 2 ? { after } : undefined;
  }).then(({ after }) => after);
};
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);
const hoursUntil = (date: Date | undefined): number => ((date?.getTime() ?? NaN) - Date.now()) / HOUR_MS;
const lostTwice = { misses: 2, missingSince: hoursAgo(73) };

beforeAll(async () => {
  dns = await startDnsServer();
  app = await start();
  records = await recordsOf(app);
});
beforeEach(async () => {
  shop = await aShop(app.api);
  host = `shop-${unique()}.example.com`;
});
afterEach(() => dns.misbehave(null));
afterAll(async () => {
  await records.close();
  await app.close();
  await dns.close();
});

describe('A verified domain', () => {
  it('checks a verified domain again about a day later, and not before', async () => {
    await own(host);
    const after = await proof();
    expect(after).toEqual({ token: expect.any(String), checkAt: expect.any(Date), misses: 0, missingSince: null });
    expect(hoursUntil(after?.checkAt)).toBeGreaterThan(23.9);
    expect(hoursUntil(after?.checkAt)).toBeLessThanOrEqual(28);
    const other = await aShop(app.api);
    await own(`other-${host}`, other);
    await look({}, other);
    expect([queriesFor(host), queriesFor(`other-${host}`)]).toEqual([1, 2]);
    expect((await settings(other)).frontEndUrl).toBe(`https://other-${host}`);
  });

  it('keeps a verified domain at first when its record is missing; the owners get an email, and the settings show it', async () => {
    const value = await own(host);
    dns.publish(recordName(host));
    expect(await look()).toMatchObject({ misses: 1, missingSince: expect.any(Date) });
    expect(await settings()).toMatchObject({
      frontEndUrl: `https://${host}`,
      domain: { status: 'verified', missingSince: anInstant },
    });
    const [mail] = await app.mailbox.next(shop.owner.email, /^Subject: The DNS record of [^]*/m);
    expect(mail).toContain(recordName(host));
    expect(mail).toContain(value.split('=')[1]);
    expect(await look({ misses: 1, missingSince: hoursAgo(100) })).toMatchObject({ misses: 2 });
    expect(await look({ misses: 4, missingSince: hoursAgo(71) })).toMatchObject({ misses: 5 });
    expect((await settings()).frontEndUrl).toBe(`https://${host}`);
    const mails = (await app.mailbox.all()).filter((text) => text.includes(`To: ${shop.owner.email}`));
    expect(mails).toHaveLength(1);
  });

  it.each([
    ['is gone', (): void => dns.publish(recordName(host))],
    ['has another value', (): void => dns.publish(recordName(host), ['shop-platform-verification=0'])],
    ['goes with its name', (): void => dns.misbehave({ rcode: 3 })],
  ])(
    'removes a verified domain at the third check after 72 hours when the record %s, and another shop can have it',
    async (_what, vanish) => {
      await own(host);
      const other = await aShop(app.api);
      vanish();
      expect(await look(lostTwice)).toBeUndefined();
      expect(await settings()).toMatchObject({
        frontEndUrl: `https://${shop.uniqueName}.${PLATFORM}`,
        domain: { hostname: host, status: 'pending', missingSince: null },
      });
      expectError(await app.api.get(`/shops/public/by-domain/${host}`), 404, 'There is no such shop');
      const [entry] = expectSuccess<object[]>(await app.api.get(`/shops/${shop.shopId}/audit`, as(shop)));
      expect(entry).toEqual({
        id: expect.any(String),
        at: anInstant,
        actor: { type: 'system', id: null, name: null },
        action: 'domain.lost',
        summary: 'The custom domain was removed because its TXT record was missing',
        subjectId: null,
        changes: [{ field: 'hostname', before: host, after: null }],
      });
      expect(await stored()).toMatchObject({ updatedBy: 'system', updatedAt: expect.any(Date) });
      await app.mailbox.next(shop.owner.email, new RegExp(`^Subject: Sky Realm has lost ${host}`, 'm'));
      dns.misbehave(null);
      await own(host, other);
      expect((await settings(other)).frontEndUrl).toBe(`https://${host}`);
      expectError(await app.api.put(`/shops/${shop.shopId}/domain`, { hostname: host }, as(shop)), 409, /another shop/);
    },
  );

  it('verifies a domain that was lost again with the same record, when no other shop has it', async () => {
    const value = await own(host);
    dns.publish(recordName(host));
    expect(await look(lostTwice)).toBeUndefined();
    dns.publish(recordName(host), [value]);
    expect(expectSuccess(await verify())).toMatchObject({ frontEndUrl: `https://${host}` });
    expect(await proof()).toMatchObject({ misses: 0, missingSince: null });
  });

  it('counts missing records from 0 again when the record is back', async () => {
    const value = await own(host);
    dns.publish(recordName(host), ['something else'], [value]);
    const after = await look(lostTwice);
    expect(after).toMatchObject({ misses: 0, missingSince: null });
    expect(hoursUntil(after?.checkAt)).toBeGreaterThan(23.9);
    expect((await settings()).domain).toMatchObject({ status: 'verified', missingSince: null });
    dns.publish(recordName(host));
    expect(await look()).toMatchObject({ misses: 1 });
  });

  it.each([
    ['fails', { rcode: 2 }],
    ['rejects the query', { rcode: 5 }],
    ['does not understand', { rcode: 1 }],
    ['cannot do it', { rcode: 4 }],
    ['returns nonsense', 'garbage'],
    ['is silent', 'silence'],
  ] as const)(
    'keeps a verified domain when the name server %s: this is not counted, and the check is repeated soon',
    async (_what, how) => {
      await own(host);
      dns.publish(recordName(host));
      dns.misbehave(how);
      const after = await look(lostTwice);
      expect(after).toMatchObject({ misses: 2, missingSince: lostTwice.missingSince });
      expect(hoursUntil(after?.checkAt)).toBeLessThanOrEqual(2);
      expect((await settings()).frontEndUrl).toBe(`https://${host}`);
    },
  );

  it('checks a domain by its own record while another hostname is claimed, and its loss does not remove the claim', async () => {
    await own(host);
    await claim(`next.${host}`);
    expect(await look(lostTwice)).toMatchObject({ misses: 0 });
    expect(await claim(host)).toMatchObject({ domain: { hostname: host, status: 'verified' } });
    expect(await look()).toMatchObject({ misses: 0 });
    await claim(`next.${host}`);
    dns.publish(recordName(host));
    expect(await look(lostTwice)).toBeUndefined();
    expect(await settings()).toMatchObject({
      frontEndUrl: `https://${shop.uniqueName}.${PLATFORM}`,
      domain: { hostname: `next.${host}`, status: 'pending' },
    });
  });

  it('restores a domain that was lost while another hostname is claimed, as its email says: with a new claim and its record', async () => {
    const value = await own(host);
    await claim(`next.${host}`);
    dns.publish(recordName(host));
    expect(await look(lostTwice)).toBeUndefined();
    dns.publish(recordName(host), [value]);
    expectError(await verify(), 400, /TXT record/);
    const lost = new RegExp(`^Subject: Sky Realm has lost ${host}[^]*claim the domain\\s+again`, 'm');
    await app.mailbox.next(shop.owner.email, lost);
    await own(host);
    expect(await settings()).toMatchObject({ domain: { hostname: host, status: 'verified' } });
  });

  it('ignores a check that began before the shop removed the domain and verified it again', async () => {
    await own(host);
    dns.misbehave('silence');
    await makeDue(lostTwice);
    await eventually(() => Promise.resolve(queriesFor(host) > 1));
    expectSuccess(await app.api.delete(`/shops/${shop.shopId}/domain`, as(shop)));
    dns.misbehave(null);
    // The check repeats the lookup after two seconds, and finds the value of the new claim instead of the old one.
    await own(host);
    const before = await stored();
    await eventually(() => Promise.resolve(queriesFor(host) > 3));
    await look({}, await ownedByAnother());
    expect(await stored()).toEqual(before);
  });
});

/** A shop with a domain of its own, which shows that checks continue. */
async function ownedByAnother(): Promise<TestShop> {
  const other = await aShop(app.api);
  await own(`other-${unique()}.example.com`, other);
  return other;
}

describe('Two processes on one database', () => {
  it('checks each domain once in two processes, not once each', async () => {
    const hosts = Array.from({ length: 12 }, (_, index) => `many-${index}-${unique()}.example.com`);
    const shops = [];
    for (const hostname of hosts) {
      const one = await aShop(app.api);
      await own(hostname, one);
      shops.push(one);
    }
    const second = await start(app.databaseUri);
    const ids = shops.map(({ shopId }) => idOf(shopId));
    const due = { $set: { 'proof.checkAt': new Date(0) } };
    await records.db.collection('shops').updateMany({ _id: { $in: ids } }, due);
    const early = { _id: { $in: ids }, 'proof.checkAt': { $lt: new Date(Date.now() + HOUR_MS) } };
    await eventually(async () => (await records.db.collection('shops').countDocuments(early)) === 0);
    // One lookup for the verification, one for the check.
    expect(hosts.map(queriesFor)).toEqual(hosts.map(() => 2));
    await second.close();
  });

  it('shares the state between processes: when one is killed, the other one checks its domain and continues its count', async () => {
    const mortal = await start();
    const inside = await recordsOf(mortal);
    const victim = await aShop(mortal.api);
    const claimed = await mortal.api.put(`/shops/${victim.shopId}/domain`, { hostname: host }, as(victim));
    const { txtRecord } = expectSuccess<{ domain: NonNullable<Settings['domain']> }>(claimed).domain;
    dns.publish(txtRecord.name, [txtRecord.value]);
    expectSuccess(await mortal.api.call('post', `/shops/${victim.shopId}/domain/verify`, as(victim)));
    const shops = inside.db.collection('shops');
    const set = (values: object): Promise<unknown> => shops.updateOne({ _id: idOf(victim.shopId) }, { $set: values });
    dns.publish(txtRecord.name);
    dns.misbehave('silence');
    const { misses, missingSince } = lostTwice;
    await set({ 'proof.misses': misses, 'proof.missingSince': missingSince, 'proof.checkAt': new Date(0) });
    await eventually(() => Promise.resolve(queriesFor(host) >= 2));
    await mortal.kill();
    dns.misbehave(null);
    const left = (await shops.findOne({ _id: idOf(victim.shopId) }))?.['proof'] as Proof;
    expect({ misses: left.misses, missingSince: left.missingSince }).toEqual(lostTwice);
    expect(hoursUntil(left.checkAt)).toBeGreaterThan(0.1);
    expect(hoursUntil(left.checkAt)).toBeLessThan(0.2);
    await set({ 'proof.checkAt': new Date(0) });
    const survivor = await start(mortal.databaseUri);
    const lost = { _id: idOf(victim.shopId), verifiedHostname: { $exists: false } };
    await eventually(() => shops.findOne(lost));
    const entries = await inside.db.collection('audit_log').countDocuments({ action: 'domain.lost' });
    expect(entries).toBe(1);
    await survivor.close();
    await inside.db.dropDatabase();
    await inside.close();
    await mortal.close();
  });
});
