import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { aDiscount, aKey, anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { OVERDUE } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('An unpaid order', () => {
  let app: TestApp;
  let shop: TestShop;
  let key: string;
  let orderRequest: { productId: string; serverId: string };
  const usesLeft = async (code: string): Promise<unknown> =>
    expectSuccess(await app.api.post(`/discounts/${shop.shopId}/validate`, { code, orderValue: 10 }, { key }))['valid'];
  const statusOf = async ({ id, accessToken }: { id: string; accessToken: string }): Promise<unknown> =>
    expectSuccess(await app.api.get(`/orders/public/${id}`, { headers: { 'x-order-token': accessToken } }))['status'];

  const letTimePass = ({ id }: { id: string }): Promise<unknown> =>
    inDatabase(app, (database) =>
      database.collection('orders').updateOne({ _id: new ObjectId(id) }, { $set: OVERDUE }),
    );

  beforeAll(async () => {
    app = await startTestApp({ config: { sweepIntervalMs: 100 } });
    shop = await aShop(app.api);
    ({ key } = await aKey(app.api, shop));
    orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
  });
  afterAll(() => app.close());

  it('expires an order after its time and releases its use of a limited code, once (complaint 12)', async () => {
    const { code } = await aDiscount(app.api, shop, { maxUses: 2 });
    const order = await anOrder(app.api, shop.shopId, { ...orderRequest, discountCode: code });
    await anOrder(app.api, shop.shopId, { ...orderRequest, discountCode: code });
    const third = await app.api.post(`/checkout/${shop.shopId}/orders`, {
      items: [{ productId: orderRequest.productId, quantity: 1 }],
      serverId: orderRequest.serverId,
      nickname: 'Steve_42',
      email: 'third@example.com',
      discountCode: code,
    });
    expectError(third, 400, 'The code has no uses left');

    await letTimePass(order);
    await eventually(async () => (await statusOf(order)) === 'expired');
    expect(await usesLeft(code)).toBe(true);
    await anOrder(app.api, shop.shopId, { ...orderRequest, discountCode: code });
    expect(await usesLeft(code)).toBe(false);
  });

  it('keeps an unpaid order open until its time is over', async () => {
    const order = await anOrder(app.api, shop.shopId, orderRequest);
    const other = await anOrder(app.api, shop.shopId, orderRequest);
    await letTimePass(other);
    await eventually(async () => (await statusOf(other)) === 'expired');
    expect(await statusOf(order)).toBe('open');
  });
});
