import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Rejected {
  readonly at: string;
  readonly route: string;
  readonly code: string;
  readonly requestId: string;
}

const DAY_MS = 86_400_000;

describe('GET /shops/{shopId}/rejected-requests', () => {
  let app: TestApp;
  let shop: TestShop;

  beforeAll(async () => {
    app = await startTestApp({ config: { sweepIntervalMs: 50 } });
    shop = await aShop(app.api);
  });
  afterAll(() => app.close());

  const listed = async ({ shopId, owner } = shop): Promise<Rejected[]> =>
    expectSuccess<Rejected[]>(
      await app.api.get(`/shops/${shopId}/rejected-requests`, { token: owner.token }),
      'Rejected requests retrieved',
    );

  it('lists what was rejected with a key and by a member, newest first, without anything that was sent', async () => {
    const { key, id: keyId } = await aKey(app.api, shop, 'secret', ['products:read']);
    const { shopId, owner } = shop;
    const secretPath = `/orders/${shopId}/${'a'.repeat(24)}`;
    await app.api.get(secretPath, { key, headers: { 'X-Request-Id': 'a-rejected-request' } });
    await app.api.post(`/products/${shopId}`, { name: 'Steve' }, { token: owner.token });
    // Anybody can send these.
    await app.api.get(`/orders/${shopId}`);
    await app.api.get(`/orders/${shopId}`, { key: `${key.slice(0, -1)}-` });
    await app.api.post(`/checkout/${shopId}/orders`, {});
    // An accepted one.
    expectSuccess(await app.api.get(`/products/${shopId}`, { key }));
    const requests = await eventually(async () => {
      const found = await listed();
      return found.length >= 2 ? found : undefined;
    });
    expect(requests).toEqual([
      {
        ...{ at: expect.any(String), method: 'POST', route: '/products/{shopId}', status: 400 },
        ...{ code: 'validation_failed', requestId: expect.any(String), keyId: null },
      },
      {
        ...{ at: expect.any(String), method: 'GET', route: '/orders/{shopId}/{orderId}', status: 403 },
        ...{ code: 'permission_missing', requestId: 'a-rejected-request', keyId },
      },
    ]);
    expect(await listed(await aShop(app.api))).toEqual([]);
  });

  it('shows a shop what its key was rejected with elsewhere, and the other shop nothing of it', async () => {
    const [mine, other] = [await aShop(app.api), await aShop(app.api)];
    const { key } = await aKey(app.api, mine);
    await app.api.get(`/products/${other.shopId}`, { key });
    const requests = await eventually(async () => {
      const found = await listed(mine);
      return found.length > 0 ? found : undefined;
    });
    expect(requests).toMatchObject([{ route: '/products/{shopId}', code: 'shop_access_denied' }]);
    expect(await listed(other)).toEqual([]);
  });

  it('keeps the latest 200 of the last day', async () => {
    const busy = await aShop(app.api);
    const { key } = await aKey(app.api, busy);
    const rejected = { method: 'GET', route: '/old', status: 400, code: 'malformed_id', keyId: null };
    const request = (n: number, at: Date): object => ({ ...rejected, at, requestId: `request-${n}` });
    const now = Date.now();
    await inDatabase(app, (db) =>
      db.collection('rejected_requests').insertOne({
        shopId: idOf(busy.shopId),
        requests: [
          ...Array.from({ length: 100 }, (_, n) => request(n, new Date(now - DAY_MS - 60_000))),
          ...Array.from({ length: 100 }, (_, n) => request(n, new Date(now - DAY_MS + 600_000))),
        ],
        updatedAt: new Date(),
      }),
    );
    expect(await listed(busy)).toHaveLength(100);
    for (let n = 0; n < 3; n++) await app.api.get('/products/x', { key });
    await eventually(async () => (await listed(busy)).length === 103);
    const stored = await inDatabase(app, (db) =>
      db.collection('rejected_requests').findOne({ shopId: idOf(busy.shopId) }),
    );
    expect(stored?.['requests']).toHaveLength(200);
  });

  it('sends no command for a rejected request itself', async () => {
    const counted = await startTestApp({ watchCommands: true });
    const own = await aShop(counted.api);
    const { key } = await aKey(counted.api, own, 'secret', ['products:read']);
    await counted.api.get(`/products/${own.shopId}`, { key });
    const commands = await counted.commandsOf(async () => {
      await counted.api.get(`/orders/${own.shopId}`, { key });
    });
    // The key and the membership.
    expect(commands).toHaveLength(2);
    await counted.close();
  });
});
