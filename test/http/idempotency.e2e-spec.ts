import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('Idempotency-Key', () => {
  let app: TestApp;
  let shop: TestShop;
  let checkout: object;
  const path = (): string => `/orders/public/${shop.shopId}`;
  const withKey = (key: string): { headers: Record<string, string> } => ({ headers: { 'idempotency-key': key } });

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    const [productId, serverId] = [await aProduct(app.api, shop), await aServer(app.api, shop)];
    checkout = { items: [{ productId, quantity: 1 }], serverId, nickname: 'Steve_42', email: 'steve@example.com' };
  });
  afterAll(() => app.close());

  it('gives the same request the first answer again, its once-shown token included', async () => {
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

  it('makes one order of 30 identical requests at once', async () => {
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 30 }, () => app.api.post(path(), checkout, withKey(key))));
    const answered = responses.filter(({ status }) => status === 200);
    expect(answered.length).toBeGreaterThan(0);
    expect(new Set(answered.map(({ body }) => body.data.id)).size).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expectError(response, 409, 'A request with this Idempotency-Key is still running');
    }
  });

  it('refuses the key with another body', async () => {
    const key = randomUUID();
    expectSuccess(await app.api.post(path(), checkout, withKey(key)));
    const response = await app.api.post(path(), { ...checkout, nickname: 'Alex_42' }, withKey(key));
    expectError(response, 422, 'This Idempotency-Key was used with another request');
  });

  it('remembers no refusal: the corrected request goes through', async () => {
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

  it('refuses a key that is too short to be unique', async () => {
    const response = await app.api.post(path(), checkout, withKey('order-1'));
    expectError(response, 400, 'Idempotency-Key must be 16 to 255 letters, digits, - and _');
  });
});
