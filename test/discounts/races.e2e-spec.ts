import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aWebhook, payment, sendCustom, type TestWebhook } from '../payments/senders.js';
import { aDiscount, anOrder, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, OVERDUE, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('A discount that several requests change at once', () => {
  let app: TestApp;
  let records: Records;
  let shop: TestShop;
  let webhook: TestWebhook;
  let orderRequest: { productId: string; serverId: string };
  const path = (id: string): string => `/discounts/${shop.shopId}/${id}`;
  const update = (id: string, body: object): Promise<Response> =>
    app.api.patch(path(id), body, { token: shop.owner.token });
  const read = async (id: string): Promise<Record<string, unknown>> =>
    expectSuccess(await app.api.get(path(id), { token: shop.owner.token }));
  const checkout = (discountCode: string): Promise<Response> =>
    app.api.post(`/checkout/${shop.shopId}/orders`, {
      items: [{ productId: orderRequest.productId, quantity: 1 }],
      serverId: orderRequest.serverId,
      nickname: 'Steve_42',
      email: `buyer-${unique()}@example.com`,
      discountCode,
    });
  const usesOf = (id: string): Promise<number> =>
    records.db.collection('redemptions').countDocuments({ discountId: idOf(id), state: { $ne: 'released' } });

  beforeAll(async () => {
    app = await startTestApp({ config: { sweepIntervalMs: 100 } });
    records = await recordsOf(app);
    shop = await aShop(app.api);
    webhook = await aWebhook(app.api, shop, 'custom');
    orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  it('keeps every change to a different field', async () => {
    const { id } = await aDiscount(app.api, shop);
    const changes = [{ value: 20 }, { maxUses: 7 }, { minOrderValue: 5 }, { isActive: false }, { maxUsesPerBuyer: 2 }];
    for (const response of await Promise.all(changes.map((change) => update(id, change)))) expectSuccess(response);
    expect(await read(id)).toMatchObject(Object.assign({}, ...changes) as object);
  });

  it('combines no two changes into terms that would be rejected', async () => {
    const { id } = await aDiscount(app.api, shop, { type: 'fixed', value: 50 });
    const responses = await Promise.all([update(id, { type: 'percent' }), update(id, { value: 500 })]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { type, value } = await read(id);
    expect([
      ['percent', 50],
      ['fixed', 500],
    ]).toContainEqual([type, value]);
  });

  it('counts as many uses as orders got one while maxUses is lowered', async () => {
    const { id, code } = await aDiscount(app.api, shop, { maxUses: 100 });
    const checkouts = Array.from({ length: 10 }, () => checkout(code));
    const [lowered, ...ordered] = await Promise.all([update(id, { maxUses: 3 }), ...checkouts]);
    expectSuccess(lowered);
    const successes = ordered.filter(({ status }) => status === 200).length;
    for (const response of ordered.filter(({ status }) => status !== 200)) {
      expectError(response, 400, 'The code has no uses left');
    }
    expect(await read(id)).toMatchObject({ maxUses: 3, used: successes, overused: successes > 3 });
    expect(await usesOf(id)).toBe(successes);
    if (successes >= 3) expectError(await checkout(code), 400, 'The code has no uses left');
  });

  it('gives each use of a discount to one of 200 parallel orders, and rejects all others because no use is left', async () => {
    const { id, code } = await aDiscount(app.api, shop, { maxUses: 10 });
    const responses = await Promise.all(Array.from({ length: 200 }, () => checkout(code)));
    const rejected = responses.filter(({ status }) => status !== 200);
    expect(rejected).toHaveLength(190);
    for (const response of rejected) expectError(response, 400, 'The code has no uses left');
    expect(await read(id)).toMatchObject({ used: 10 });
    expect(await usesOf(id)).toBe(10);
  });

  it('deletes a discount while orders reserve it: each order gets the discount or is rejected, and none pays the full price', async () => {
    const { id, code } = await aDiscount(app.api, shop, { value: 50 });
    const deletion = app.api.delete(path(id), { token: shop.owner.token });
    const [deleted, ...ordered] = await Promise.all([deletion, ...Array.from({ length: 8 }, () => checkout(code))]);
    expectSuccess(deleted);
    for (const response of ordered) {
      if (response.status === 200) expect(expectSuccess(response)).toMatchObject({ discountAmount: 5, total: 4.99 });
      else expectError(response, 400, 'There is no such code');
    }
    expect(await usesOf(id)).toBe(ordered.filter(({ status }) => status === 200).length);
    expectError(await checkout(code), 400, 'There is no such code');
  });

  describe('by a payment that arrives after the order expired', () => {
    const expiredOrder = async (code: string): Promise<Awaited<ReturnType<typeof anOrder>>> => {
      const order = await anOrder(app.api, shop.shopId, { ...orderRequest, discountCode: code });
      const orders = records.db.collection('orders');
      await orders.updateOne({ _id: idOf(order.id) }, { $set: OVERDUE });
      await eventually(async () => (await orders.findOne({ _id: idOf(order.id) }))?.['status'] === 'expired');
      return order;
    };

    it('counts the use again, also above maxUses, and says overused', async () => {
      const { id, code } = await aDiscount(app.api, shop, { maxUses: 1 });
      const order = await expiredOrder(code);
      expect(await read(id)).toMatchObject({ used: 0, overused: false });
      await anOrder(app.api, shop.shopId, { ...orderRequest, discountCode: code });
      expectSuccess(await sendCustom(app.api, webhook, payment(order)));
      expect(await read(id)).toMatchObject({ maxUses: 1, used: 2, overused: true });
      expectError(await checkout(code), 400, 'The code has no uses left');
    });

    it('completes the order also when the discount was deleted', async () => {
      const { id, code } = await aDiscount(app.api, shop);
      const order = await expiredOrder(code);
      expectSuccess(await app.api.delete(path(id), { token: shop.owner.token }));
      expectSuccess(await sendCustom(app.api, webhook, payment(order)));
      const headers = { 'X-Order-Token': order.accessToken };
      expect(expectSuccess(await app.api.get(`/orders/public/${order.id}`, { headers }))).toMatchObject({
        status: 'completed',
        paymentStatus: 'paid',
        discountCode: code,
      });
    });
  });
});
