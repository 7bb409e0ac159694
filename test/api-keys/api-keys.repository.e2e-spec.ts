import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { API_KEY_MODEL, type ApiKeyRecord, apiKeySchema } from '../../src/access/api-keys/api-key.schema.js';
import { type ApiKey, type NewApiKey } from '../../src/access/api-keys/api-key.types.js';
import { ApiKeysRepository } from '../../src/access/api-keys/api-keys.repository.js';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { startClock, stopDate } from '../support/clock.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const [USER, OTHER_USER] = ['655f1c2ab1e4a9d3f0c81230', '655f1c2ab1e4a9d3f0c81231'] as const;
const [SHOP, OTHER_SHOP] = ['655f1c2ab1e4a9d3f0c81234', '655f1c2ab1e4a9d3f0c81235'] as const;
const NOW = new Date();
const PAST = new Date(NOW.getTime() - MINUTE_MS);
const FUTURE = new Date(NOW.getTime() + MINUTE_MS);

let store: TestStore;
let keys: ApiKeysRepository;
let made = 0;
const ROTATION = newObjectId();

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<ApiKeyRecord>(store.connection, API_KEY_MODEL, apiKeySchema);
  keys = new ApiKeysRepository(model);
});
beforeEach(() => store.connection.collection('api_keys').deleteMany({}));
afterEach(startClock);
afterAll(() => store.close());

const valuesWith = (fields: Partial<NewApiKey> = {}): NewApiKey => ({
  id: newObjectId(),
  shopId: SHOP,
  name: 'Survival',
  type: 'plugin',
  scopes: ['orders:read'],
  serverIds: null,
  ipAllowlist: null,
  preview: `shp_${++made}...`,
  hash: `hash-${made}`,
  createdAt: NOW,
  expiresAt: null,
  ...fields,
});
const insert = (fields: Partial<NewApiKey> = {}, userId: string = USER): Promise<ApiKey> =>
  store.commit((transaction) => keys.insert(userId, valuesWith(fields), transaction));
const revoke = (userId: string, id: string): Promise<ApiKey | null> =>
  store.commit((transaction) => keys.revoke(userId, id, NOW, transaction));
const idsOf = async (filter: Parameters<ApiKeysRepository['list']>[1], limit = 10): Promise<string[]> =>
  (await keys.list({ userId: USER }, filter, { after: null, limit })).items.map(({ id }) => id);

describe('reading keys', () => {
  it('finds a key of the person, and no key of another person', async () => {
    const key = await insert();
    expect(await keys.find(USER, key.id, null)).toEqual(key);
    expect(await keys.find(OTHER_USER, key.id, null)).toBeNull();
  });

  it('returns a key as it was stored: its servers, addresses and permissions, and whether it is active', async () => {
    const restricted = {
      scopes: ['orders:read', 'orders:write'],
      serverIds: [newObjectId()],
      ipAllowlist: ['192.0.2.7'],
    };
    const cases: [Partial<NewApiKey>, boolean][] = [
      [restricted as Partial<NewApiKey>, true],
      [{ expiresAt: FUTURE }, true],
      [{ expiresAt: PAST }, false],
    ];
    for (const [fields, isActive] of cases) {
      const { hash: _, ...given } = valuesWith(fields);
      const key = await insert({ ...given, hash: given.id });
      expect(key).toMatchObject({ ...given, isActive });
      expect(await keys.find(USER, key.id, null)).toEqual(key);
    }
  });

  it("lists the person's keys, newest first, with each filter, page by page", async () => {
    const active = await insert({ expiresAt: FUTURE });
    const expired = await insert({ expiresAt: PAST });
    const revoked = await insert({ type: 'secret' });
    await revoke(USER, revoked.id);
    const elsewhere = await insert({ shopId: OTHER_SHOP });
    const others = await insert({}, OTHER_USER);
    const ofShop = await keys.list(
      { shopId: SHOP },
      { shopId: OTHER_SHOP, isActive: true },
      { after: null, limit: 10 },
    );
    expect(ofShop.items.map(({ id }) => id)).toEqual([others.id, active.id]);
    expect([await keys.findInShop(SHOP, others.id), await keys.findInShop(OTHER_SHOP, others.id)]).toEqual([
      others,
      null,
    ]);
    expect(await idsOf({})).toEqual([elsewhere, revoked, expired, active].map(({ id }) => id));
    expect(await idsOf({ shopId: SHOP })).toEqual([revoked, expired, active].map(({ id }) => id));
    expect(await idsOf({ type: 'secret' })).toEqual([revoked.id]);
    expect(await idsOf({ isActive: true })).toEqual([elsewhere.id, active.id]);
    expect(await idsOf({ isActive: false })).toEqual([revoked.id, expired.id]);
    const next = await keys.list({ userId: USER }, {}, { after: revoked.id, limit: 1 });
    expect(next.items.map(({ id }) => id)).toEqual([expired.id]);
    expect(next.nextCursor).not.toBeNull();
    expect(await idsOf({}, 3)).toEqual([elsewhere, revoked, expired].map(({ id }) => id));
  });

  it('returns a key as inactive from its expiry on, and no end of a grace that is over', async () => {
    const key = await insert({ expiresAt: FUTURE });
    await store.connection.collection('api_keys').updateOne({}, { $set: { previousKeyExpiresAt: FUTURE } });
    stopDate(new Date(FUTURE.getTime() - 1));
    expect(await keys.find(USER, key.id, null)).toEqual({ ...key, previousKeyExpiresAt: FUTURE });
    stopDate(FUTURE);
    expect(await keys.find(USER, key.id, null)).toEqual({ ...key, isActive: false });
  });
});

describe('counting keys', () => {
  it('counts the keys of a person or a shop that work, up to a number, with those of its transaction', async () => {
    await insert();
    await insert({ expiresAt: PAST });
    await revoke(USER, (await insert()).id);
    await insert({ shopId: OTHER_SHOP });
    await insert({}, OTHER_USER);
    const counts = await store.commit(async (transaction) => {
      await keys.insert(USER, valuesWith(), transaction);
      return [
        await keys.countActive({ userId: USER }, 9, transaction),
        await keys.countActive({ shopId: SHOP }, 9, transaction),
        await keys.countActive({ userId: OTHER_USER }, 9, transaction),
        await keys.countActive({ userId: USER }, 2, transaction),
      ];
    });
    expect(counts).toEqual([3, 3, 1, 2]);
  });
});

describe('secrets', () => {
  it('rejects the same secret for two keys', async () => {
    await insert({ hash: 'same' });
    await expect(insert({ hash: 'same' }, OTHER_USER)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  });

  it('rejects two keys with one id, as when the same request runs twice', async () => {
    const { id } = await insert();
    await expect(insert({ id })).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  });

  const rotate = (key: ApiKey, hash: string, previousKeyExpiresAt: Date | null): Promise<ApiKey | null> =>
    store.commit((transaction) =>
      keys.rotate(
        key,
        { hash, preview: `${hash}...`, rotationId: ROTATION, rotatedAt: NOW, previousKeyExpiresAt },
        transaction,
      ),
    );

  it('finds a key by its current secret, and by the previous one only during the grace period', async () => {
    await insert();
    const key = await insert({ hash: 'first' });
    const rotated = await rotate(key, 'second', FUTURE);
    const bySecret = (hash: string): Promise<ApiKey | null> => keys.findBySecret(hash);
    expect(await bySecret('first')).toEqual(rotated);
    expect(rotated).toMatchObject({ rotationId: ROTATION, previousKeyExpiresAt: FUTURE });
    expect((await bySecret('second'))?.id).toBe(key.id);
    await store.connection.collection('api_keys').updateMany({}, { $set: { previousKeyExpiresAt: PAST } });
    expect(await bySecret('first')).toBeNull();
    await rotate(rotated as ApiKey, 'third', null);
    expect(await bySecret('second')).toBeNull();
    const stored = await store.connection.collection('api_keys').findOne({ hashes: 'third' });
    expect(stored).toMatchObject({ hashes: ['third'] });
    expect((await bySecret('third'))?.id).toBe(key.id);
  });

  it('rotates only a key of the person that was not rotated or revoked since it was read', async () => {
    const key = await insert({ hash: 'first' });
    expect(await rotate({ ...key, userId: OTHER_USER }, 'stolen', null)).toBeNull();
    expect(await rotate(key, 'second', null)).not.toBeNull();
    expect(await rotate(key, 'again', null)).toBeNull();
    const current = (await keys.find(USER, key.id, null)) as ApiKey;
    await revoke(USER, key.id);
    expect(await rotate(current, 'third', null)).toBeNull();
  });
});

describe('changing keys', () => {
  const update = (
    userId: string,
    id: string,
    change: Parameters<ApiKeysRepository['update']>[2],
  ): Promise<ApiKey | null> => store.commit((transaction) => keys.update(userId, id, change, transaction));

  it("changes only the given fields of the person's key", async () => {
    const key = await insert();
    expect(await update(OTHER_USER, key.id, { name: 'Stolen' })).toBeNull();
    expect(await update(USER, key.id, { ipAllowlist: ['192.0.2.7'] })).toEqual({ ...key, ipAllowlist: ['192.0.2.7'] });
    expect(await update(USER, key.id, { ipAllowlist: null })).toEqual(key);
    const serverIds = [newObjectId()];
    expect(await update(USER, key.id, { serverIds })).toEqual({ ...key, serverIds });
    expect(await update(USER, key.id, { serverIds: null })).toEqual(key);
    const scopes = ['orders:read', 'orders:write'] as const;
    expect(await update(USER, key.id, { scopes })).toEqual({ ...key, scopes });
    const stored = await store.connection.collection('api_keys').findOne({});
    expect(stored).toMatchObject({ name: key.name, serverIds: null, ipAllowlist: null });
  });

  it('changes only the name of a revoked key', async () => {
    const { id } = await insert();
    await revoke(USER, id);
    expect(await update(USER, id, { scopes: [] })).toBeNull();
    expect(await update(USER, id, { name: 'Old', scopes: [] })).toBeNull();
    expect(await update(USER, id, { name: 'Old' })).toMatchObject({ name: 'Old', scopes: ['orders:read'] });
  });

  it('revokes a key of the person only once', async () => {
    const { id } = await insert();
    expect(await revoke(OTHER_USER, id)).toBeNull();
    expect(await revoke(USER, id)).toMatchObject({ isActive: false, revokedAt: NOW });
    expect(await revoke(USER, id)).toBeNull();
  });

  it('revokes all keys of a person in one shop, and no others', async () => {
    const own = await insert();
    await revoke(USER, (await insert()).id);
    const others = [await insert({}, OTHER_USER), await insert({ shopId: OTHER_SHOP })];
    expect(await store.commit((transaction) => keys.revokeAll(USER, SHOP, NOW, transaction))).toBe(1);
    expect((await keys.find(USER, own.id, null))?.isActive).toBe(false);
    for (const { userId, id } of others) expect((await keys.find(userId, id, null))?.isActive).toBe(true);
  });

  it('revokes the open keys of a person in all shops, and returns them', async () => {
    const [own, elsewhere] = [await insert(), await insert({ shopId: OTHER_SHOP })];
    const revoked = await insert();
    await revoke(USER, revoked.id);
    const other = await insert({}, OTHER_USER);
    const ended = await store.commit((transaction) => keys.revokeEverywhere(USER, FUTURE, transaction));
    const fields = { revokedAt: FUTURE, previousKeyExpiresAt: null, isActive: false };
    expect(ended.sort((a, b) => a.id.localeCompare(b.id))).toEqual(
      [own, elsewhere].map((key) => ({ ...key, ...fields })).sort((a, b) => a.id.localeCompare(b.id)),
    );
    expect(await keys.find(USER, own.id, null)).toEqual({ ...own, ...fields });
    expect((await keys.find(USER, revoked.id, null))?.revokedAt).toEqual(NOW);
    expect((await keys.find(OTHER_USER, other.id, null))?.isActive).toBe(true);
  });

  it('stores a use only when the last one is older, and only for a key of the person', async () => {
    const { id } = await insert();
    const lastUse = async (): Promise<Date | null | undefined> => (await keys.find(USER, id, null))?.lastUsedAt;
    const touch = (userId: string, keyId: string, now: Date, before: Date): Promise<void> =>
      store.commit((transaction) => keys.touch(userId, keyId, now, before, transaction));
    await touch(OTHER_USER, id, NOW, PAST);
    expect(await lastUse()).toBeNull();
    await touch(USER, id, NOW, PAST);
    await touch(USER, id, FUTURE, PAST);
    expect(await lastUse()).toEqual(NOW);
    await touch(USER, id, FUTURE, NOW);
    expect(await lastUse()).toEqual(FUTURE);
  });

  it('changes nothing when the transaction is rolled back', async () => {
    const key = await insert();
    await store.rollBack(async (transaction) => {
      await keys.insert(USER, valuesWith(), transaction);
      await keys.update(USER, key.id, { name: 'Changed' }, transaction);
      const secret = { hash: 'x', preview: 'x', rotationId: ROTATION, rotatedAt: NOW, previousKeyExpiresAt: null };
      await keys.rotate(key, secret, transaction);
      await keys.revoke(USER, key.id, NOW, transaction);
    });
    await store.rollBack((transaction) => keys.touch(USER, key.id, NOW, PAST, transaction));
    await store.rollBack((transaction) => keys.revokeAll(USER, SHOP, NOW, transaction));
    await store.rollBack((transaction) => keys.revokeEverywhere(USER, NOW, transaction));
    expect((await keys.list({ userId: USER }, {}, { after: null, limit: 10 })).items).toEqual([key]);
  });
});
