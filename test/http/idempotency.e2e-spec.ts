import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aDiscount, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { type Records, recordsOf } from '../support/records.js';
import { operatorEnvironment, runShopCommand } from '../support/shop-command.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

describe('Idempotency-Key', () => {
  let app: TestApp;
  let records: Records;
  let shop: TestShop;
  let checkout: object;
  const path = (): string => `/checkout/${shop.shopId}/orders`;
  const withKey = (key: string): { headers: Record<string, string> } => ({ headers: { 'idempotency-key': key } });

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    shop = await aShop(app.api);
    const [productId, serverId] = [await aProduct(app.api, shop), await aServer(app.api, shop)];
    checkout = { items: [{ productId, quantity: 1 }], serverId, nickname: 'Steve_42', email: 'steve@example.com' };
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  it('returns the first response again for the same request, with the token that is shown only once', async () => {
    const key = randomUUID();
    const first = await app.api.post(path(), checkout, withKey(key));
    const second = await app.api.post(path(), checkout, withKey(`"${key}"`));
    expectSuccess(first);
    expect(second.body).toEqual(first.body);
    expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
      undefined,
      'true',
    ]);
  });

  it('creates one order for 30 identical parallel requests', async () => {
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 30 }, () => app.api.post(path(), checkout, withKey(key))));
    const succeeded = responses.filter(({ status }) => status === 200);
    expect(succeeded.length).toBeGreaterThan(0);
    expect(new Set(succeeded.map(({ body }) => body.data.id)).size).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expectError(response, 409, 'A request with this Idempotency-Key is still running');
    }
  });

  describe('of a request whose process died before it could store the response', () => {
    /** Puts the record of a key into the state after a crash: the work is stored, the response is not, and the lease is over. */
    const forgetResponse = async (): Promise<void> => {
      const newest = { sort: { _id: -1 } } as const;
      const lost = { $set: { sealedAnswer: null, leaseUntil: new Date(0) } };
      await records.db.collection('idempotency_records').findOneAndUpdate({}, lost, newest);
    };

    it('returns the order that the first attempt created, with its token, also when other data has changed since', async () => {
      const [key, { id: discountId, code }] = [randomUUID(), await aDiscount(app.api, shop, { maxUses: 1 })];
      const body = { ...checkout, discountCode: code };
      const first = await app.api.post(path(), body, withKey(key));
      expectSuccess(first);
      await forgetResponse();
      const again = await app.api.post(path(), body, withKey(key));
      expect(again.body).toEqual(first.body);
      const { used } = expectSuccess(
        await app.api.get(`/discounts/${shop.shopId}/${discountId}`, { token: shop.owner.token }),
      );
      expect(used).toBe(1);
    });

    it('creates one order for 20 parallel requests', async () => {
      const key = randomUUID();
      const { id } = expectSuccess(await app.api.post(path(), checkout, withKey(key)));
      await forgetResponse();
      const requests = Array.from({ length: 20 }, () => app.api.post(path(), checkout, withKey(key)));
      for (const response of await Promise.all(requests)) {
        if (response.status === 200) expect(expectSuccess(response)['id']).toBe(id);
        else expectError(response, 409, 'A request with this Idempotency-Key is still running');
      }
    });

    it('creates one key, rotates it once, and returns 409 each time because the secret was shown', async () => {
      const options = { token: shop.owner.token, ...withKey(randomUUID()) };
      const body = { shopId: shop.shopId, name: `key ${unique()}`, type: 'storefront', permissions: [] };
      const { id } = expectSuccess<{ id: string }>(await app.api.post('/api-keys', body, options));
      const rotation = (): Promise<Response> => app.api.post(`/api-keys/${id}/rotate`, { graceSeconds: 60 }, options);
      for (const repeat of [(): Promise<Response> => app.api.post('/api-keys', body, options), rotation]) {
        if (repeat === rotation) expectSuccess(await rotation());
        await forgetResponse();
        for (let times = 0; times < 2; times++) expectError(await repeat(), 409, /secret is shown only once/);
      }
      const keys = expectSuccess<{ name: string }[]>(await app.api.get('/api-keys', { token: shop.owner.token }));
      expect(keys.filter(({ name }) => name === body.name)).toHaveLength(1);
    });
  });

  it('returns 409 for a repeated request after the encryption key was lost, and runs nothing again', async () => {
    // A database of its own: the key of a process that runs is not lost.
    const databaseUri = testDatabaseUri();
    const withLostKey = await startTestApp({ databaseUri });
    const own = await aShop(withLostKey.api);
    const ownPath = `/checkout/${own.shopId}/orders`;
    const [productId, serverId] = [await aProduct(withLostKey.api, own), await aServer(withLostKey.api, own)];
    const body = { ...checkout, items: [{ productId, quantity: 1 }], serverId };
    const key = randomUUID();
    expectSuccess(await withLostKey.api.post(ownPath, body, withKey(key)));
    await withLostKey.close();
    const env = { ENCRYPTION_KEY: 'ab'.repeat(32) };
    const accepted = await runShopCommand(
      ['accept-encryption-key'],
      operatorEnvironment(app, { ...env, MONGODB_URI: databaseUri }),
    );
    expect(accepted).toMatchObject({ code: 0, stderr: '' });
    const withOtherKey = await startTestApp({ env, databaseUri });
    const stored = await recordsOf(withOtherKey);
    try {
      const response = await withOtherKey.api.post(ownPath, body, withKey(key));
      expectError(response, 409, 'The request already succeeded, but its stored response can no longer be read');
      expect(await stored.db.collection('orders').countDocuments()).toBe(1);
    } finally {
      await withOtherKey.close();
      await stored.db.dropDatabase();
      await stored.close();
    }
  });

  it('rejects the key with another body', async () => {
    const key = randomUUID();
    expectSuccess(await app.api.post(path(), checkout, withKey(key)));
    const response = await app.api.post(path(), { ...checkout, nickname: 'Alex_42' }, withKey(key));
    expectError(response, 422, 'This Idempotency-Key was used with another request');
  });

  it('stores no rejected request: the corrected request works', async () => {
    const key = randomUUID();
    expectError(await app.api.post(path(), { ...checkout, nickname: '!' }, withKey(key)), 400, /nickname/i);
    expectSuccess(await app.api.post(path(), checkout, withKey(key)));
  });

  it('keeps the keys of different callers and shops apart', async () => {
    const key = randomUUID();
    const other = await aShop(app.api);
    const body = (shopId: string): object => ({ shopId, name: `key ${unique()}`, type: 'storefront', permissions: [] });
    const make = async ({ shopId, owner }: TestShop): Promise<{ id: string }> =>
      expectSuccess(await app.api.post('/api-keys', body(shopId), { token: owner.token, ...withKey(key) }));
    expect((await make(shop)).id).not.toBe((await make(other)).id);
  });

  it('rejects a key that is too short to be unique', async () => {
    const response = await app.api.post(path(), checkout, withKey('order-1'));
    expectError(response, 400, 'Idempotency-Key must be 16 to 255 letters, digits, - and _');
  });
});
