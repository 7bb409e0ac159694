import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aWebhook, sendCustom, type TestWebhook } from '../payments/senders.js';
import { aDiscount, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, leftOf, OVERDUE, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('The stock of a product', () => {
  let app: TestApp;
  let records: Records;
  let shop: TestShop;
  let serverId: string;
  let webhook: TestWebhook;
  const buy = (productId: string, quantity = 1, body: object = {}): Promise<Response> => {
    const name = `b${unique()}`.slice(0, 16);
    return app.api.post(`/checkout/${shop.shopId}/orders`, {
      items: [{ productId, quantity }],
      serverId,
      nickname: name,
      email: `${name}@example.com`,
      ...body,
    });
  };
  const quote = (productId: string, quantity: number, body: object = {}): Promise<Response> =>
    app.api.post(`/checkout/${shop.shopId}/quote`, { items: [{ productId, quantity }], serverId, ...body });
  const product = (productId: string): string => `/products/${shop.shopId}/${productId}`;
  const stockOf = async (productId: string): Promise<unknown> =>
    expectSuccess(await app.api.get(product(productId), { token: shop.owner.token }))['stock'];
  /** What is left of a product as everybody sees it. */
  const publicStockOf = async (productId: string): Promise<unknown> => {
    const products = expectSuccess<{ id: string; stock: unknown }[]>(
      await app.api.get(`/products/public/${shop.shopId}?limit=100`),
    );
    return products.find(({ id }) => id === productId)?.stock;
  };
  const change = (productId: string, body: object): Promise<Response> =>
    app.api.patch(product(productId), body, { token: shop.owner.token });
  const storedStock = (productId: string): Promise<number> => leftOf(records.db, productId);
  const expire = async (...ids: string[]): Promise<void> => {
    const orders = records.db.collection('orders');
    const named = { _id: { $in: ids.map(idOf) } };
    await orders.updateMany(named, { $set: OVERDUE });
    await eventually(async () => (await orders.countDocuments({ ...named, status: 'open' })) === 0);
  };
  const pay = async ({ id, total }: { id: string; total: number }): Promise<void> => {
    const paid = { type: 'payment.succeeded', orderId: id, paymentId: `pay-${id}`, amount: total, currency: 'EUR' };
    expectSuccess(await sendCustom(app.api, webhook, { ...paid, occurredAt: new Date().toISOString() }));
  };

  beforeAll(async () => {
    app = await startTestApp({ config: { sweepIntervalMs: 100 } });
    records = await recordsOf(app);
    shop = await aShop(app.api);
    serverId = await aServer(app.api, shop);
    webhook = await aWebhook(app.api, shop, 'custom');
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  it('sells the stock of a product exactly once: of 60 parallel orders of a product with 10 units, 10 succeed', async () => {
    const vip = await aProduct(app.api, shop, { stock: 10 });
    const responses = await Promise.all(Array.from({ length: 60 }, () => buy(vip)));
    const rejected = responses.filter(({ status }) => status !== 200);
    expect(rejected).toHaveLength(50);
    for (const response of rejected) expectError(response, 409, 'VIP rank is sold out');
    expect(await stockOf(vip)).toBe(0);
  });

  it('takes stock in units, and all units of an order or none', async () => {
    const [vip, coins] = [await aProduct(app.api, shop, { stock: 5 }), await aProduct(app.api, shop, { stock: 9 })];
    expectSuccess(await buy(vip, 3));
    expectError(await buy(vip, 3), 409, 'Only 2 of VIP rank are left');
    const both = [coins, vip].map((productId) => ({ productId, quantity: 3 }));
    expectError(await buy(vip, 1, { items: both }), 409, 'Only 2 of VIP rank are left');
    expect([await stockOf(vip), await stockOf(coins)]).toEqual([2, 9]);
  });

  it('names the stock in a quote, which takes nothing', async () => {
    const vip = await aProduct(app.api, shop, { stock: 2 });
    expect(expectSuccess(await quote(vip, 3))).toMatchObject({
      orderable: false,
      problems: [{ code: 'out_of_stock', message: 'Only 2 of VIP rank are left', productId: vip }],
    });
    expect(expectSuccess(await quote(vip, 2))).toMatchObject({ problems: [] });
    expect(await stockOf(vip)).toBe(2);
  });

  it('gets the units back when an order expires, once', async () => {
    const vip = await aProduct(app.api, shop, { stock: 10 });
    const orders = await Promise.all([1, 2, 3].map(async (quantity) => expectSuccess(await buy(vip, quantity))));
    expect(await stockOf(vip)).toBe(4);
    const ids = orders.map(({ id }) => String(id));
    await expire(...ids.slice(0, 2));
    expect(await stockOf(vip)).toBe(7);
    await expire(...ids);
    expect(await stockOf(vip)).toBe(10);
  });

  it('loses the units of an order that is paid after it expired, also when somebody else has bought the last ones', async () => {
    const vip = await aProduct(app.api, shop, { stock: 1 });
    const late = expectSuccess<{ id: string; total: number }>(await buy(vip));
    await expire(late.id);
    const quick = expectSuccess<{ id: string; total: number }>(await buy(vip));
    await pay(late);
    expectSuccess(await change(vip, { name: 'VIP II' }));
    expect([await stockOf(vip), await publicStockOf(vip), await storedStock(vip)]).toEqual([0, 0, -1]);
    expectError(await buy(vip), 409, 'VIP II is sold out');
    await expire(quick.id);
    expect([await stockOf(vip), await storedStock(vip)]).toEqual([0, 0]);
  });

  it('keeps the units of an order that is paid in time', async () => {
    const vip = await aProduct(app.api, shop, { stock: 2 });
    const order = expectSuccess<{ id: string; total: number }>(await buy(vip));
    await pay(order);
    await expire(expectSuccess<{ id: string }>(await buy(vip)).id);
    expect(await stockOf(vip)).toBe(1);
  });

  it('sets the stock for the shop, and keeps it in a change of another field', async () => {
    const vip = await aProduct(app.api, shop, { stock: 1 });
    expectSuccess(await buy(vip));
    expect(expectSuccess(await change(vip, { name: 'Renamed' }))).toMatchObject({ stock: 0 });
    expect(expectSuccess(await change(vip, { stock: 4 }))).toMatchObject({ stock: 4 });
    expectSuccess(await buy(vip, 4));
    expect(expectSuccess(await change(vip, { stock: null }))).toMatchObject({ stock: null });
    expectSuccess(await buy(vip, 50));
  });

  it('loses no unit when the shop changes other fields while buyers order', async () => {
    const vip = await aProduct(app.api, shop, { stock: 20 });
    const changes = Array.from({ length: 10 }, (_, index) => change(vip, { name: `Name ${index}` }));
    const orders = Array.from({ length: 20 }, () => buy(vip));
    for (const response of await Promise.all([...changes, ...orders])) expectSuccess(response);
    expect(await stockOf(vip)).toBe(0);
  });

  it('limits one order to maxPerOrder units', async () => {
    const vip = await aProduct(app.api, shop, { maxPerOrder: 2 });
    expectSuccess(await buy(vip, 2));
    expectError(await buy(vip, 3), 400, 'One order may have at most 2 of VIP rank');
    expect(expectSuccess(await quote(vip, 3))).toMatchObject({ problems: [{ code: 'quantity_not_allowed' }] });
  });

  it('limits one buyer, known by mailbox or player, over all open and completed orders', async () => {
    const vip = await aProduct(app.api, shop, { maxPerBuyer: 3 });
    const steve = { nickname: `s${unique()}`.slice(0, 16), email: `steve-${unique()}@example.com` };
    const first = expectSuccess<{ id: string }>(await buy(vip, 2, steve));
    expectError(await buy(vip, 2, steve), 409, 'One buyer may have at most 3 of VIP rank, and this one has 2');
    expectError(await buy(vip, 2, { email: steve.email }), 409, /has 2$/);
    expect(expectSuccess(await quote(vip, 2, steve))).toMatchObject({ problems: [{ code: 'product_limit_reached' }] });
    expectSuccess(await buy(vip, 3));
    await expire(first.id);
    const paid = expectSuccess<{ id: string; total: number }>(await buy(vip, 3, steve));
    await pay(paid);
    expectError(await buy(vip, 1, { nickname: steve.nickname.toUpperCase() }), 409, /has 3$/);
  });

  it('lets nobody lock a player out with unpaid orders for their nickname', async () => {
    const vip = await aProduct(app.api, shop, { maxPerBuyer: 1 });
    const nickname = `s${unique()}`.slice(0, 16);
    expectSuccess(await buy(vip, 1, { nickname }));
    expectSuccess(await buy(vip, 1, { nickname }));
  });

  it('counts no order for the limit of a buyer, and for a first purchase, whose money went back', async () => {
    const vip = await aProduct(app.api, shop, { maxPerBuyer: 1 });
    const { code: discountCode } = await aDiscount(app.api, shop, { firstPurchaseOnly: true });
    const steve = { nickname: `s${unique()}`.slice(0, 16), email: `steve-${unique()}@example.com` };
    const first = expectSuccess<{ id: string; total: number }>(await buy(vip, 1, steve));
    await pay(first);
    expectError(await buy(vip, 1, steve), 409, /this one has 1$/);
    const event = { orderId: first.id, paymentId: `pay-${first.id}`, currency: 'EUR' };
    const refund = { type: 'refund.succeeded', refundId: `re-${first.id}`, ...event, amount: first.total };
    expectSuccess(await sendCustom(app.api, webhook, { ...refund, occurredAt: new Date().toISOString() }));
    expectSuccess(await buy(vip, 1, { ...steve, discountCode }));
  });

  it('gives one buyer no more than maxPerBuyer with parallel orders', async () => {
    const vip = await aProduct(app.api, shop, { maxPerBuyer: 2 });
    const name = `s${unique()}`.slice(0, 16);
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => buy(vip, 1, { email: `${name}+${index}@example.com` })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
  });
});
