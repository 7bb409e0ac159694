import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('GET /orders/public/{orderId}', () => {
  let app: TestApp;
  let order: { id: string; accessToken: string };
  const read = (id: string, token?: string): Promise<Response> =>
    app.api.get(`/orders/public/${id}`, token === undefined ? {} : { headers: { 'X-Order-Token': token } });

  beforeAll(async () => {
    app = await startTestApp();
    const shop = await aShop(app.api);
    const [productId, serverId] = [await aProduct(app.api, shop), await aServer(app.api, shop)];
    order = await anOrder(app.api, shop.shopId, { productId, serverId });
  });
  afterAll(() => app.close());

  it('hides without the token whether the order exists', async () => {
    const other = `sho_${'A'.repeat(43)}`;
    for (const response of [
      await read(order.id),
      await read(order.id, ''),
      await read(order.id, other),
      await read('0'.repeat(24), order.accessToken),
    ]) {
      expectError(response, 404, 'There is no such order');
    }
  });

  it('returns neither email address nor token, and must not be cached', async () => {
    const response = await read(order.id, order.accessToken);
    expect(Object.keys(expectSuccess(response))).not.toEqual(expect.arrayContaining(['email']));
    expect(JSON.stringify(response.body)).not.toMatch(/sho_|@/);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('rejects a malformed id', async () => {
    expectError(await read('nothex', order.accessToken), 400, /^An identifier in the path/);
  });
});
