import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { sha256 } from '../../src/lib/crypto/keyed-hash.js';
import { aKey, aPerson, aShop, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { wholeOutput } from '../support/whole-output.js';

const REJECTED = 'Authentication is missing or invalid';
const DAY_MS = 86_400_000;

interface Shown {
  readonly id: string;
  readonly key: string;
  readonly rotatedAt: string;
  readonly previousKeyExpiresAt: string | null;
}

describe('POST /api-keys/{keyId}/rotate', () => {
  let app: TestApp;
  let shop: TestShop;
  let token: string;
  const rotate = (id: string, body: unknown = {}, headers = {}): ReturnType<TestApp['api']['post']> =>
    app.api.post(`/api-keys/${id}/rotate`, body, { token, headers });
  const rotated = async (id: string, graceSeconds: number): Promise<Shown> =>
    expectSuccess<Shown>(await rotate(id, { graceSeconds }));
  const statusOf = async (key: string): Promise<number> =>
    (await app.api.get(`/shops/${shop.shopId}/team`, { key })).status;
  const statuses = (keys: readonly string[]): Promise<number[]> => Promise.all(keys.map(statusOf));
  const set = (id: string, fields: object): Promise<unknown> =>
    inDatabase(app, (database) =>
      database.collection('api_keys').updateOne({ _id: new ObjectId(id) }, { $set: fields }),
    );

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    token = shop.owner.token;
  });
  afterAll(() => app.close());

  it('returns the details and, only this time, the new key; the old one works for a day', async () => {
    const { id, key } = await aKey(app.api, shop, 'plugin', ['orders:read']);
    const response = await app.api.post(`/api-keys/${id}/rotate`, {}, { token });
    const data = expectSuccess<Shown>(response, 'API key rotated; the new one is shown only once');
    expect(data).toEqual({
      id,
      name: 'plugin key',
      permissions: ['read'],
      type: 'plugin',
      keyPreview: `${data.key.slice(0, 10)}...`,
      isActive: true,
      createdAt: anInstant,
      scopes: ['orders:read'],
      shopId: shop.shopId,
      serverIds: null,
      ipAllowlist: null,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      rotatedAt: anInstant,
      previousKeyExpiresAt: anInstant,
      createdBy: shop.owner.userId,
      key: expect.stringMatching(/^shp_[0-9A-Za-z]{36}$/),
    });
    expect(data.key).not.toBe(key);
    expect(Date.parse(String(data.previousKeyExpiresAt)) - Date.parse(data.rotatedAt)).toBe(DAY_MS);
    expect(response.headers['cache-control']).toBe('no-store');
    const { key: _shown, ...details } = data;
    expect(expectSuccess(await app.api.get(`/api-keys/${id}`, { token }))).toEqual(details);
  });

  it('accepts both keys during the grace period as the same key, and only the new one after it', async () => {
    const { id, key } = await aKey(app.api, shop);
    const next = await rotated(id, 604_800);
    expect(await statuses([key, next.key])).toEqual([200, 200]);
    expect((await wholeOutput(app)).match(new RegExp(`"principal":"key:${id}"`, 'g'))).toHaveLength(2);
    await set(id, { previousKeyExpiresAt: new Date() });
    expect(await statuses([key, next.key])).toEqual([401, 200]);
    expectError(await app.api.get(`/shops/${shop.shopId}/team`, { key }), 401, REJECTED);
    const details = expectSuccess(await app.api.get(`/api-keys/${id}`, { token }));
    expect(details).toMatchObject({ isActive: true, rotatedAt: next.rotatedAt, previousKeyExpiresAt: null });
  });

  it('ends the old key at once without a grace period', async () => {
    const { id, key } = await aKey(app.api, shop);
    const next = await rotated(id, 0);
    expect(next.previousKeyExpiresAt).toBeNull();
    expect(await statuses([key, next.key])).toEqual([401, 200]);
  });

  it('accepts no more than two secrets: a rotation in the grace period ends the oldest one at once', async () => {
    const first = await aKey(app.api, shop);
    const second = await rotated(first.id, 3_600);
    const third = await rotated(first.id, 3_600);
    expect(await statuses([first.key, second.key, third.key])).toEqual([401, 200, 200]);
    const fourth = await rotated(first.id, 0);
    expect(await statuses([first.key, second.key, third.key, fourth.key])).toEqual([401, 401, 401, 200]);
  });

  it('ends the old key no later than the expiry of the key', async () => {
    const { id, key } = await aKey(app.api, shop);
    const expiresAt = new Date(Date.now() + 60_000);
    await set(id, { expiresAt });
    const next = await rotated(id, 3_600);
    expect(next.previousKeyExpiresAt).toBe(expiresAt.toISOString());
    await set(id, { expiresAt: new Date(Date.now() - 1) });
    expect(await statuses([key, next.key])).toEqual([401, 401]);
  });

  it('replaces a secret once: of parallel rotations that start from the same secret, one succeeds', async () => {
    const { id, key } = await aKey(app.api, shop);
    const responses = await Promise.all(Array.from({ length: 10 }, () => rotate(id)));
    const keys = responses
      .filter(({ status }) => status === 200)
      .map((response) => expectSuccess<Shown>(response))
      .sort((one, other) => one.rotatedAt.localeCompare(other.rotatedAt))
      .map((shown) => shown.key);
    expect(keys.length).toBeGreaterThan(0);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expectError(response, 409, 'The record was changed by another request; read it again');
    }
    // A sequence of secrets, each of which replaced the one before. The last two work.
    const line = [key, ...keys];
    const log = expectSuccess<{ action: string; changes: object[] }[]>(
      await app.api.get(`/shops/${shop.shopId}/audit?limit=${keys.length}`, { token }),
    );
    expect(log.map(({ changes }) => changes[0]).reverse()).toEqual(
      keys.map((one, index) => ({
        field: 'keyPreview',
        before: `${line[index]?.slice(0, 10) ?? ''}...`,
        after: `${one.slice(0, 10)}...`,
      })),
    );
    expect(await statuses(line)).toEqual(line.map((_, index) => (index < line.length - 2 ? 401 : 200)));
  });

  it('stores only hashes, and no other key can get one of them', async () => {
    const { id, key } = await aKey(app.api, shop);
    const other = await aKey(app.api, shop);
    const next = await rotated(id, 3_600);
    await inDatabase(app, async (database) => {
      const keys = database.collection('api_keys');
      const stored = await keys.findOne({ _id: new ObjectId(id) });
      expect(stored?.['hashes']).toEqual([sha256(next.key), sha256(key)]);
      expect(JSON.stringify(stored)).not.toMatch(/shp_[0-9A-Za-z]{36}/);
      for (const hash of [sha256(key), sha256(next.key)]) {
        const taking = keys.updateOne({ _id: new ObjectId(other.id) }, { $push: { hashes: hash } as never });
        await expect(taking).rejects.toMatchObject({ code: 11_000 });
      }
    });
  });

  it.each([
    [{ graceSeconds: -1 }, 'graceSeconds must be between 0 and 604800'],
    [{ graceSeconds: 604_801 }, 'graceSeconds must be between 0 and 604800'],
    [{ graceSeconds: 0.5 }, 'graceSeconds must be a whole number'],
    [{ graceSeconds: '60' }, 'graceSeconds must be a whole number'],
    [{ graceSeconds: null }, 'graceSeconds must be a whole number'],
    [{ permissions: ['team:write'] }, 'permissions is not a known field'],
    [{ key: 'shp_x' }, 'key is not a known field'],
  ])('returns 400 for %j and rotates nothing', async (body, error) => {
    const { id, key } = await aKey(app.api, shop);
    expectError(await rotate(id, body), 400, error, `/api/v2/api-keys/${id}/rotate`);
    expect(expectSuccess(await app.api.get(`/api-keys/${id}`, { token }))).toMatchObject({
      keyPreview: `${key.slice(0, 10)}...`,
      rotatedAt: null,
    });
  });

  it('returns 400 for a revoked or an expired key', async () => {
    const revoked = await aKey(app.api, shop);
    expectSuccess(await app.api.delete(`/api-keys/${revoked.id}`, { token }));
    const expired = await aKey(app.api, shop);
    await set(expired.id, { expiresAt: new Date(Date.now() - 1) });
    for (const { id } of [revoked, expired]) expectError(await rotate(id), 400, 'The API key is revoked or expired');
  });

  it('returns 400 for a malformed id, 401 without a token or for the key itself, 404 for the key of somebody else', async () => {
    const { id, key } = await aKey(app.api, shop);
    expectError(await rotate('x'), 400, 'An identifier in the path is not an ObjectId of 24 hexadecimal digits');
    const path = `/api-keys/${id}/rotate`;
    expectError(await app.api.post(path, {}), 401, REJECTED);
    expectError(await app.api.post(path, {}, { key }), 401, /^This endpoint takes no API key/);
    const stranger = await aPerson(app.api);
    expectError(await app.api.post(path, {}, { token: stranger.token }), 404, 'There is no such API key');
    expectError(await rotate('0'.repeat(24)), 404, 'There is no such API key');
    expect(await statuses([key])).toEqual([200]);
  });

  it('records a rotation in the audit log of the shop, with previews and without a key', async () => {
    const { id, key } = await aKey(app.api, shop);
    const next = await rotated(id, 60);
    const log = await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { token });
    expect(expectSuccess(log)).toEqual([
      {
        id: anId,
        at: anInstant,
        actor: { type: 'user', id: shop.owner.userId, name: 'Olivia' },
        action: 'api_key.rotated',
        summary: 'An API key was rotated',
        subjectId: id,
        changes: [
          { field: 'keyPreview', before: `${key.slice(0, 10)}...`, after: `${next.key.slice(0, 10)}...` },
          { field: 'previousKeyExpiresAt', before: null, after: next.previousKeyExpiresAt },
        ],
      },
    ]);
  });
});
