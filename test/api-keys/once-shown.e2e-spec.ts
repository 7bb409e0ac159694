import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const SHOWN = 'The request already succeeded; its secret is shown only once';

describe('A key is shown only once, also when the request is repeated with its Idempotency-Key', () => {
  let app: TestApp;
  let shop: TestShop;
  let token: string;
  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    ({ token } = shop.owner);
  });
  afterAll(() => app.close());

  const withKey = (key: string): { token: string; headers: Record<string, string> } => ({
    token,
    headers: { 'Idempotency-Key': key },
  });
  const create = (name: string, key: string): Promise<Response> =>
    app.api.post('/api-keys', { shopId: shop.shopId, name, type: 'plugin', permissions: [] }, withKey(key));
  const rotate = (id: string, key: string): Promise<Response> =>
    app.api.post(`/api-keys/${id}/rotate`, { graceSeconds: 60 }, withKey(key));
  const named = async (name: string): Promise<unknown[]> =>
    expectSuccess<{ name: string }[]>(await app.api.get('/api-keys', { token })).filter((one) => one.name === name);

  it('creates no second key for a repeated request, which gets 409', async () => {
    const [name, key] = [randomUUID(), randomUUID()];
    const made = expectSuccess<{ key: string }>(await create(name, key));
    const again = await create(name, key);
    expectError(again, 409, SHOWN, '/api/v2/api-keys');
    expect(again.headers['idempotency-replayed']).toBeUndefined();
    expect(again.headers['cache-control']).toBe('no-store');
    expect(await named(name)).toHaveLength(1);
    expectSuccess(await app.api.get(`/shops/${shop.shopId}/team/me`, { key: made.key }));
    const other = await create(`${name} else`, key);
    expectError(other, 422, 'This Idempotency-Key was used with another request');
  });

  it('creates one key for ten parallel requests', async () => {
    const [name, key] = [randomUUID(), randomUUID()];
    const responses = await Promise.all(Array.from({ length: 10 }, () => create(name, key)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await named(name)).toHaveLength(1);
  });

  it('rotates a key once: the repeated request does not change the new secret', async () => {
    const { id } = await aKey(app.api, shop);
    const key = randomUUID();
    const next = expectSuccess<{ key: string }>(await rotate(id, key));
    const again = await rotate(id, key);
    expectError(again, 409, SHOWN, `/api/v2/api-keys/${id}/rotate`);
    expectSuccess(await app.api.get(`/products/${shop.shopId}`, { key: next.key }));
  });

  it('creates a key for the corrected request after a rejected one', async () => {
    const key = randomUUID();
    const body = { shopId: shop.shopId, name: 'x', type: 'plugin', permissions: ['team:write'] };
    expectError(await app.api.post('/api-keys', body, withKey(key)), 400, /plugin key cannot have/);
    expectSuccess(await create('corrected', key));
  });

  it('stores the key nowhere, not even encrypted', async () => {
    const { id } = await aKey(app.api, shop);
    await inDatabase(app, (database) => database.collection('idempotency_records').deleteMany({}));
    expectSuccess(await create(randomUUID(), randomUUID()));
    expectSuccess(await rotate(id, randomUUID()));
    const kept = await inDatabase(app, (database) => database.collection('idempotency_records').find().toArray());
    expect(kept.map(({ sealedAnswer }) => sealedAnswer as unknown)).toEqual(['', '']);
  });
});
