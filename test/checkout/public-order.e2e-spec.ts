import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import {
  acknowledge,
  aDeliveringShop,
  type DeliveringShop,
  lease,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { anOrder, aProduct, aServer, aShop, type TestOrder } from '../support/actors.js';
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

  it('returns neither token nor email address but the masked one, and must not be cached', async () => {
    const response = await read(order.id, order.accessToken);
    expect(expectSuccess(response)).toMatchObject({ emailMasked: 'b***@example.com' });
    expect(JSON.stringify(response.body)).not.toMatch(/sho_|"email"|buyer-/);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('rejects a malformed id', async () => {
    expectError(await read('nothex', order.accessToken), 400, /^An identifier in the path/);
  });
});

describe('What a buyer sees of an order', () => {
  const SELLER = {
    ...{ sellerName: 'Sky Realm GmbH', address: 'Hauptstr. 1\n10115 Berlin', vatId: null },
    ...{ taxNote: 'Prices include VAT.', disclaimer: null },
  };
  let app: TestApp;
  let shop: DeliveringShop;
  let order: TestOrder;
  const read = async (): Promise<Record<string, unknown>> =>
    expectSuccess(await app.api.get(`/orders/public/${order.id}`, { headers: { 'X-Order-Token': order.accessToken } }));
  const line = (state: string, reason: string | null, more: object = {}) => ({
    ...{ productId: shop.productId, name: 'VIP rank', quantity: 1, unitPrice: 9.99, total: 9.99 },
    ...{ state, reason, deliveredAt: null, lastCallAt: null },
    ...more,
  });

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aDeliveringShop(app.api, { requiresOnline: true });
    const owner = { token: shop.owner.token };
    const address = 'play.sky-realm.example';
    expectSuccess(await app.api.patch(`/servers/${shop.shopId}/${shop.serverId}`, { address }, owner));
    expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, { legal: SELLER }, owner));
  });
  beforeEach(async () => {
    order = await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId: shop.serverId });
  });
  afterAll(() => app.close());

  it('has the number, each line, the server, the payment, the refunds and the seller, from the checkout to a refund', async () => {
    const placed = await read();
    expect(placed).toEqual({
      ...{ id: order.id, number: order.number, shopId: shop.shopId, origin: 'checkout', serverId: shop.serverId },
      ...{ nickname: 'Steve_42', status: 'open', paymentStatus: 'pending', deliveryStatus: 'none' },
      items: [line('none', 'awaits_payment')],
      ...{ subtotal: 9.99, discountCode: null, discountAmount: 0, total: 9.99, currency: 'EUR' },
      ...{ createdAt: expect.any(String), paidAt: null, expiresAt: expect.any(String) },
      emailMasked: 'b***@example.com',
      server: { name: 'Survival', address: 'play.sky-realm.example' },
      ...{ payment: null, refunds: [], seller: SELLER, consents: [] },
      withdrawal: { until: null, requestedAt: null, requestedItems: [], items: [] },
    });

    await reportPayment(app.api, shop, order, 'payment.succeeded');
    const payment = { title: 'Online payment', failure: null, until: null };
    expect(await read()).toMatchObject({ items: [line('queued', 'server_silent')], payment });

    // The plugin calls, and the player is not there.
    expect(await lease(app.api, shop)).toEqual([]);
    const lastCallAt = expect.any(String);
    expect(await read()).toMatchObject({ items: [line('queued', 'player_needed', { lastCallAt })] });

    const [leased] = await lease(app.api, shop, { players: ['Steve_42'] });
    if (leased === undefined) throw new Error('nothing was leased');
    expect(await read()).toMatchObject({ items: [line('leased', null, { lastCallAt })] });
    await acknowledge(app.api, shop, leased);
    const deliveredAt = expect.any(String);
    expect(await read()).toMatchObject({ items: [line('delivered', null, { deliveredAt })] });

    await reportPayment(app.api, shop, order, 'refund.succeeded', { amount: 4 });
    const refunds = [{ kind: 'refund', amount: 4, at: expect.any(String) }];
    expect(await read()).toMatchObject({ paymentStatus: 'partially_refunded', refunds, payment });

    const path = `/servers/${shop.shopId}/${shop.serverId}`;
    expectSuccess(await app.api.patch(path, { isHidden: true }, { token: shop.owner.token }));
    expect(await read()).toMatchObject({ server: null });
    expectSuccess(await app.api.patch(path, { isHidden: false }, { token: shop.owner.token }));
  });

  it('says how a payment failed, and that nothing is delivered of an order that has ended', async () => {
    await reportPayment(app.api, shop, order, 'payment.failed');
    const payment = { title: 'Online payment', failure: 'declined', until: null };
    expect(await read()).toMatchObject({ paymentStatus: 'failed', payment, items: [line('none', 'awaits_payment')] });
    const reason = { reason: 'Sold out' };
    const cancel = `/orders/${shop.shopId}/${order.id}/cancel`;
    expectSuccess(await app.api.post(cancel, reason, { token: shop.owner.token }));
    expect(await read()).toMatchObject({ items: [line('none', 'order_ended')] });
  });

  it('names no server when the shop has deleted it', async () => {
    const serverId = await aServer(app.api, shop);
    order = await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId });
    expectSuccess(await app.api.delete(`/servers/${shop.shopId}/${serverId}`, { token: shop.owner.token }));
    expect(await read()).toMatchObject({ serverId, server: null });
  });
});
