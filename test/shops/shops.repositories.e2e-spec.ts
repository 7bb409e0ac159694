import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { decodeCursor } from '../../src/lib/paging/page.js';
import { SHOP_MODEL, type ShopRecord, shopSchema } from '../../src/shops/shops/shop.schema.js';
import { storefrontOf } from '../../src/shops/shops/shop-input.js';
import { ShopHostnamesRepository } from '../../src/shops/shops/shop-hostnames.repository.js';
import { type HostnameClaim, type VerifiedHostname } from '../../src/shops/shops/shop-hostname.types.js';
import { type Shop, type WholeShop } from '../../src/shops/shops/shop.types.js';
import { ShopsRepository } from '../../src/shops/shops/shops.repository.js';
import { shopWith } from '../support/shops.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date('2026-11-22T12:00:00.000Z');
const STAMP = { updatedAt: LATER, updatedBy: 'user:1' };
const HOSTNAME = 'store.example.com';
const UNKNOWN = '0'.repeat(24);

let store: TestStore;
let shops: ShopsRepository;
let hostnames: ShopHostnamesRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<ShopRecord>(store.connection, SHOP_MODEL, shopSchema);
  shops = new ShopsRepository(model);
  hostnames = new ShopHostnamesRepository(model);
});
beforeEach(() => store.connection.collection('shops').deleteMany({}));
afterAll(() => store.close());

const { uniqueName, displayName, currency, timezone, language, supportEmail, accentColor, createdAt } = shopWith();
const ownerEmails = [...shopWith().ownerEmails];
const VALUES = {
  ...{ uniqueName, displayName, currency, timezone, language, supportEmail, accentColor, ownerEmails, createdAt },
  ...{ widgets: [], monthlyGoalMinor: null, priceRule: shopWith().priceRule },
  ...storefrontOf(shopWith()),
  seller: shopWith().seller,
  legalPages: { ...shopWith().legalPages, terms: { text: 'No refunds.', url: null } },
  nicknameRule: { preset: 'custom', pattern: '[a-z]{3}' },
  isActive: true,
  domain: null,
  createdBy: 'user:1',
} as const;
const insert = (name = uniqueName): Promise<WholeShop> =>
  store.commit((transaction) => shops.insert(newObjectId(), { ...VALUES, uniqueName: name }, transaction));
const find = (id: string): Promise<WholeShop | null> => shops.findWhole(id, null);
const stored = (name = uniqueName): Promise<unknown> =>
  store.connection.collection('shops').findOne({ uniqueName: name });

describe('insert', () => {
  it('returns the stored shop, without a stamp and without a hostname', async () => {
    const created = await insert();
    const { nicknameRule, legalPages, createdBy } = VALUES;
    expect(created).toEqual(shopWith({ id: created.id, nicknameRule, legalPages, createdBy }));
    expect(await find(created.id)).toEqual(created);
    expect(await stored()).toMatchObject({ createdBy: 'user:1', updatedAt: null, updatedBy: null });
    expect(await stored()).not.toHaveProperty('verifiedHostname');
  });

  it('gives a name to exactly one of two shops that are created at once', async () => {
    const results = await Promise.allSettled([insert(), insert()]);
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(failures).toEqual([expect.objectContaining({ code: 'shop_name_taken' })]);
  });

  it('inserts nothing when the transaction is rolled back', async () => {
    expect(await shops.isEmpty()).toBe(true);
    await store.rollBack((transaction) => shops.insert(newObjectId(), VALUES, transaction));
    expect(await shops.isEmpty()).toBe(true);
    await insert();
    expect(await shops.isEmpty()).toBe(false);
  });
});

describe('reading', () => {
  it('finds a shop by id and by name, and no other one', async () => {
    const [shop] = [await insert(), await insert('moon-realm')];
    expect(await shops.findByUniqueName(uniqueName)).toEqual(shop);
    expect(await shops.findByUniqueName('unknown')).toBeNull();
    expect([await find(UNKNOWN), await shops.exists(UNKNOWN), await shops.exists(shop.id)]).toEqual([
      null,
      false,
      true,
    ]);
  });

  it('finds whether an origin is the verified domain of a shop or one that a shop lists', async () => {
    const { id } = await insert();
    const origins = ['https://preview.example.com:8443', 'https://other.example.com'];
    await store.commit((transaction) => shops.update(id, { origins }, STAMP, transaction));
    expect(await shops.isOrigin(String(origins[0]), 'preview.example.com:8443')).toBe(true);
    expect(await shops.isOrigin('https://preview.example.com', 'preview.example.com')).toBe(false);
  });

  it('leaves out the legal pages where nobody needs them', async () => {
    const { legalPages: _, ...plain } = await insert();
    expect(await shops.find(plain.id, null)).toEqual(plain);
    expect(await shops.listAfter(null, 10)).toEqual([plain]);
    expect((await shops.list([plain.id], { after: null, limit: 10 })).items).toEqual([plain]);
  });

  it('lists only the shops with these ids, page by page, newest first', async () => {
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three', 'four']) ids.unshift((await insert(name)).id);
    const [four = '', three = '', two = ''] = ids;
    const first = await shops.list([two, four, three], { after: null, limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual([four, three]);
    const after = decodeCursor(first.nextCursor ?? '');
    const second = await shops.list([two, four, three], { after, limit: 2 });
    expect(second.items.map(({ id }) => id)).toEqual([two]);
    expect(second.nextCursor).toBeNull();
  });
});

describe('update and setActive', () => {
  it('changes only what is given, of this shop only, and stores the stamp', async () => {
    const [shop, other] = [await insert(), await insert('moon-realm')];
    const settings = { displayName: 'Star Realm', nicknameRule: { preset: 'any', pattern: null } } as const;
    const updated = await store.commit((transaction) => shops.update(shop.id, settings, STAMP, transaction));
    expect(updated).toEqual({ ...shop, ...settings, ...STAMP });
    expect(await find(shop.id)).toEqual(updated);
    expect(await stored()).toMatchObject(STAMP);
    expect(await find(other.id)).toEqual(other);
    const unknown = store.commit((transaction) => shops.update(UNKNOWN, settings, STAMP, transaction));
    expect(await unknown).toBeNull();
  });

  it('lets exactly one of two calls close a shop', async () => {
    const shop = await insert();
    const close = (): Promise<Shop | null> =>
      store.commit((transaction) => shops.setActive(shop.id, false, STAMP, transaction));
    const results = await Promise.all([close(), close()]);
    expect(results.filter((result) => result !== null)).toEqual([{ ...shop, isActive: false, ...STAMP }]);
    expect(await stored()).toMatchObject({ isActive: false, ...STAMP });
  });

  it('changes nothing when the transaction is rolled back', async () => {
    const shop = await insert();
    await store.rollBack(async (transaction) => {
      await shops.update(shop.id, { displayName: 'Other' }, STAMP, transaction);
      expect(await shops.find(shop.id, transaction)).toMatchObject({ displayName: 'Other' });
      await shops.setActive(shop.id, false, STAMP, transaction);
    });
    expect(await find(shop.id)).toEqual(shop);
  });
});

describe('the hostname of a shop', () => {
  const CLAIM: HostnameClaim = { hostname: HOSTNAME, token: 'token' };
  const PROOF = { token: 'token', checkAt: LATER, misses: 0, missingSince: null };
  const claim = (shopId: string, { hostname, token } = CLAIM): Promise<Shop | null> =>
    store.commit((transaction) => hostnames.claim(shopId, { hostname, token }, STAMP, transaction));
  const verify = (shopId: string, of = CLAIM, checkAt = LATER): Promise<Shop | null> =>
    store.commit((transaction) => hostnames.verify(shopId, of, { ...PROOF, checkAt }, STAMP, transaction));
  const remove = (shopId: string): Promise<Shop | null> =>
    store.commit((transaction) => hostnames.remove(shopId, STAMP, transaction));
  const lease = (due: VerifiedHostname, until: Date): Promise<VerifiedHostname | null> =>
    store.commit((transaction) => hostnames.lease(due, until, transaction));
  const recordCheck = (checked: VerifiedHostname): Promise<boolean> =>
    store.commit((transaction) =>
      hostnames.recordCheck(checked, { checkAt: NOW, misses: 1, missingSince: NOW }, transaction),
    );
  const release = (checked: VerifiedHostname): Promise<boolean> =>
    store.commit((transaction) => hostnames.release(checked, STAMP, transaction));
  /** A shop with a verified hostname, as `findDue` returns it. */
  const verified = async (name = uniqueName, hostname = HOSTNAME): Promise<VerifiedHostname> => {
    const { id } = await insert(name);
    await claim(id, { ...CLAIM, hostname });
    await verify(id, { ...CLAIM, hostname });
    return { shopId: id, shopName: displayName, hostname, ...PROOF };
  };

  it('marks a hostname as pending after the claim, in use after the verification, and removes it', async () => {
    const { id, ...values } = await insert();
    const shop = { id, ...values, ...STAMP };
    const domain = { ...CLAIM, status: 'pending' };
    expect(await claim(id)).toEqual({ ...shop, domain });
    expect(await shops.findByVerifiedHostname(HOSTNAME)).toBeNull();
    const inUse = { ...shop, domain: { ...CLAIM, status: 'verified' }, verifiedHostname: HOSTNAME, proof: PROOF };
    expect(await verify(id)).toEqual(inUse);
    expect(await shops.findByVerifiedHostname(HOSTNAME)).toEqual(inUse);
    expect(await remove(id)).toEqual(shop);
    expect(await shops.findByVerifiedHostname(HOSTNAME)).toBeNull();
    expect([await remove(id), await claim(UNKNOWN)]).toEqual([null, null]);
    expect(await stored()).toMatchObject(STAMP);
  });

  it('keeps a hostname in use until another claim is verified', async () => {
    const { shopId } = await verified();
    const other = { hostname: 'other.example.com', token: 'other' };
    expect(await claim(shopId, other)).toMatchObject({ domain: { status: 'pending' }, verifiedHostname: HOSTNAME });
    await verify(shopId, other);
    expect(await shops.findByVerifiedHostname(HOSTNAME)).toBeNull();
    expect(await shops.findByVerifiedHostname(other.hostname)).toMatchObject({ id: shopId });
  });

  it('rejects a verification by another claim than the one that was checked', async () => {
    const { id } = await insert();
    await claim(id);
    expect(await verify(id, { ...CLAIM, token: 'earlier' })).toBeNull();
    expect(await verify(id, { ...CLAIM, hostname: 'other.example.com' })).toBeNull();
    expect(await find(id)).toMatchObject({ verifiedHostname: null, proof: null });
  });

  it('gives a hostname to one of several shops that verify it at once, although several shops may claim it', async () => {
    const [one, two] = [await insert('one'), await insert('two')];
    await claim(one.id);
    await claim(two.id);
    const results = await Promise.allSettled([verify(one.id), verify(two.id)]);
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(failures).toEqual([expect.objectContaining({ code: 'domain_taken' })]);
    const holder = (await shops.findByVerifiedHostname(HOSTNAME))?.id ?? '';
    const loser = holder === one.id ? two.id : one.id;
    expect([await hostnames.isHeld(HOSTNAME, loser), await hostnames.isHeld(HOSTNAME, holder)]).toEqual([true, false]);
    expect(await hostnames.isHeld('other.example.com', loser)).toBe(false);
  });

  it('returns hostnames from the time of their check on, the longest overdue first, and no more than the limit', async () => {
    const late = await verified('late', 'late.example.com');
    const latest = await verified('latest', 'latest.example.com');
    const leased = await lease(latest, NOW);
    await insert('without-hostname');
    expect(leased).toEqual({ ...latest, checkAt: NOW });
    expect(await hostnames.findDue(new Date(NOW.getTime() - 1), 10)).toEqual([]);
    expect(await hostnames.findDue(NOW, 10)).toEqual([leased]);
    expect(await hostnames.findDue(LATER, 10)).toEqual([leased, late]);
    expect(await hostnames.findDue(LATER, 1)).toEqual([leased]);
  });

  it('leases a hostname to exactly one of two processes', async () => {
    const due = await verified();
    const results = await Promise.all([lease(due, NOW), lease(due, NOW)]);
    expect(results.filter((result) => result !== null)).toEqual([{ ...due, checkAt: NOW }]);
  });

  it('stores the result of a check', async () => {
    const due = await verified();
    expect(await recordCheck(due)).toBe(true);
    expect(await find(due.shopId)).toMatchObject({
      verifiedHostname: HOSTNAME,
      proof: { token: 'token', checkAt: NOW, misses: 1, missingSince: NOW },
    });
  });

  it('takes a hostname from the shop, which keeps its claim', async () => {
    const due = await verified();
    expect(await release(due)).toBe(true);
    expect(await find(due.shopId)).toMatchObject({
      domain: { ...CLAIM, status: 'pending' },
      verifiedHostname: null,
      proof: null,
    });
    expect(await stored()).toMatchObject(STAMP);
  });

  it.each<[string, Partial<VerifiedHostname>]>([
    ['another shop', { shopId: UNKNOWN }],
    ['another hostname', { hostname: 'other.example.com' }],
    ['another token', { token: 'other' }],
    ['another check', { checkAt: NOW }],
  ])('neither leases, checks nor takes away a hostname that was read with %s', async (_, fields) => {
    const due = await verified();
    const before = await find(due.shopId);
    const read = { ...due, ...fields };
    expect([await lease(read, NOW), await recordCheck(read), await release(read)]).toEqual([null, false, false]);
    expect(await find(due.shopId)).toEqual(before);
  });

  it('changes no hostname when the transaction is rolled back', async () => {
    const due = await verified();
    const before = await find(due.shopId);
    const { shopId } = due;
    await store.rollBack((transaction) => hostnames.claim(shopId, { ...CLAIM, token: 'x' }, STAMP, transaction));
    await store.rollBack((transaction) => hostnames.verify(shopId, CLAIM, { ...PROOF, misses: 1 }, STAMP, transaction));
    await store.rollBack((transaction) => hostnames.remove(shopId, STAMP, transaction));
    await store.rollBack((transaction) => hostnames.lease(due, NOW, transaction));
    await store.rollBack((transaction) => hostnames.recordCheck(due, { ...PROOF, misses: 1 }, transaction));
    await store.rollBack((transaction) => hostnames.release(due, STAMP, transaction));
    expect(await find(shopId)).toEqual(before);
  });
});
