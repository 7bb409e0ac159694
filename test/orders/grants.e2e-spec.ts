import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aDeliveringShop, acknowledge, type DeliveringShop, lease } from '../deliveries/delivery-actors.js';
import { type Comparison, comparisonPath } from '../stats/comparisons.js';
import { aDiscount, aKey, aMember, anOrder, aProduct, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

interface Placed {
  readonly id: string;
  readonly origin: string;
  readonly paymentStatus: string;
  readonly deliveryStatus: string;
  readonly email: string | null;
  readonly total: number;
  readonly subtotal: number;
  readonly paidAt: string | null;
}

/** Steve_42, under a name that no other test has. */
const aName = (): string => `Steve_${unique().slice(-8)}`;

describe('Orders that staff place', () => {
  let app: TestApp;
  let shop: DeliveringShop;
  let token: string;

  const request = (kind: string, body: object = {}): object => ({
    items: [{ productId: shop.productId, quantity: 2 }],
    serverId: shop.serverId,
    nickname: 'Steve_42',
    kind,
    reason: 'Won the contest',
    ...body,
  });
  const send = (body: object, credentials: object = { token }, idempotencyKey = unique().padEnd(16, 'x')) =>
    app.api.post(`/orders/${shop.shopId}`, body, {
      ...credentials,
      headers: { 'Idempotency-Key': idempotencyKey },
    });
  const place = async (kind: string, body: object = {}): Promise<Placed> =>
    expectSuccess<Placed>(await send(request(kind, body)), 'Order placed');
  const figures = async (query: Record<string, string> = {}): Promise<Record<string, number | null>> => {
    const found = await app.api.get(comparisonPath(shop.shopId, { period: 'today', ...query }), { token });
    const { metrics } = expectSuccess<Comparison>(found);
    return Object.fromEntries(Object.entries(metrics).map(([name, { current }]) => [name, current]));
  };
  const list = async (query: string): Promise<Placed[]> =>
    expectSuccess<Placed[]>(await app.api.get(`/orders/${shop.shopId}?${query}`, { token }));
  const stockOf = async (productId: string): Promise<number> =>
    expectSuccess<{ stock: number }>(await app.api.get(`/products/${shop.shopId}/${productId}`, { token })).stock;

  beforeAll(async () => {
    app = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true' } });
    shop = await aDeliveringShop(app.api);
    token = shop.owner.token;
  });
  afterAll(() => app.close());

  it('delivers a grant, which has no payment and changes no figure', async () => {
    const before = await figures();
    const nickname = aName();
    const order = await place('grant', { nickname });
    const none = { paidAt: null, total: 0, email: null };
    expect(order).toMatchObject({ ...none, origin: 'grant', status: 'completed', deliveryStatus: 'queued' });
    expect(order.subtotal).toBeGreaterThan(0);
    const [delivery] = (await lease(app.api, shop)).filter(({ orderId }) => orderId === order.id);
    expect(delivery).toMatchObject({ kind: 'purchase', nickname, rehearsal: false });
    if (delivery !== undefined) await acknowledge(app.api, shop, delivery);
    expect(await figures()).toEqual(before);
    expect(await list('origin=grant')).toMatchObject([{ id: order.id, origin: 'grant', deliveryStatus: 'delivered' }]);
    const { history } = expectSuccess<{ history: object[] }>(
      await app.api.get(`/orders/${shop.shopId}/${order.id}`, { token }),
    );
    expect(history[0]).toMatchObject({
      actor: `user:${shop.owner.userId}`,
      action: 'created',
      detail: 'grant: Won the contest',
    });
  });

  it('counts a sale that was paid outside, with the method outside and what was paid', async () => {
    const before = await figures();
    const email = `${unique()}@example.com`;
    const order = await place('paid_outside', { nickname: aName(), email, amount: 5.5 });
    expect(order).toMatchObject({ origin: 'paid_outside', total: 5.5, paymentStatus: 'paid', email });
    const after = await figures();
    for (const [name, added] of Object.entries({ grossRevenue: 5.5, paidOrders: 1, itemsSold: 2, newBuyers: 1 })) {
      expect([name, after[name]]).toEqual([name, (before[name] ?? 0) + added]);
    }
    const split = await app.api.get(`/stats/${shop.shopId}/breakdown?period=today&by=paymentMethod`, { token });
    expect(JSON.stringify(expectSuccess(split))).toContain('"outside"');
    const movements = await app.api.get(`/payments/${shop.shopId}/movements`, { token });
    expect(expectSuccess<object[]>(movements)[0]).toMatchObject({ provider: 'outside', amount: 5.5, kind: 'payment' });
    const refund = (body: object): Promise<Response> => {
      const path = `/payments/${shop.shopId}/${order.id}/refund`;
      return app.api.post(path, { reason: 'Given back', ...body }, { token });
    };
    expect(expectSuccess<object>(await refund({ amount: 0.5 }))).toMatchObject({ state: 'succeeded', amount: 0.5 });
    expectError(await refund({ amount: 5.01 }), 409, /5.00/);
    expectSuccess(await refund({}));
    const refunded = { id: order.id, paymentStatus: 'refunded', deliveryStatus: 'revoked', refundedTotal: 5.5 };
    expect(await list('origin=paid_outside')).toMatchObject([refunded]);
    expect((await figures())['netRevenue']).toBe(before['netRevenue']);
    expect(await place('paid_outside', { nickname: aName() })).toMatchObject({ total: order.subtotal });
  });

  it('marks a rehearsal everywhere, and counts it nowhere', async () => {
    const receiver = await startWebhookReceiver();
    expectSuccess(
      await app.api.post(`/webhooks/${shop.shopId}`, { url: receiver.url, events: ['order.paid'] }, { token }),
    );
    const [before, email, nickname] = [await figures(), `${unique()}@example.com`, aName()];
    const productId = await aProduct(app.api, shop, { stock: 1, maxPerBuyer: 1 });
    const items = [{ productId, quantity: 2 }];
    const order = await place('rehearsal', { items, nickname, email });
    expect(order).toMatchObject({ origin: 'rehearsal', total: 0, paidAt: null });
    expect(await stockOf(productId)).toBe(1);
    await app.mailbox.next(email, /^Subject: \[Rehearsal\]/m);
    await app.mailbox.next(shop.owner.email, /^Subject: \[Rehearsal\]/m);
    const [delivery] = (await lease(app.api, shop)).filter(({ orderId }) => orderId === order.id);
    expect(delivery).toMatchObject({ rehearsal: true });
    const event = await eventually(() => Promise.resolve(receiver.received[0]));
    expect(JSON.parse(event.body)).toMatchObject({ type: 'order.paid', data: { order: { origin: 'rehearsal' } } });
    await receiver.close();
    expect(await figures()).toEqual(before);
    const csv = (await app.api.get(`/orders/${shop.shopId}/export?origin=rehearsal`, { token })).text;
    expect(csv).toMatch(/,rehearsal,\d+\r\n$/);
    // The player can still buy what a buyer can have once, with a code for a first purchase.
    const { code } = await aDiscount(app.api, shop, { firstPurchaseOnly: true });
    await anOrder(app.api, shop.shopId, { productId, serverId: shop.serverId, nickname, email, discountCode: code });
  });

  it('takes the stock, and no more than there is, also of what is not active', async () => {
    const productId = await aProduct(app.api, shop, { stock: 3, isActive: false, maxPerOrder: 1 });
    const items = [{ productId, quantity: 2 }];
    await place('grant', { items });
    expect(await stockOf(productId)).toBe(1);
    expectError(await send(request('grant', { items })), 409, /Only 1 of .* are left/);
  });

  it('places an order once for a key, and none without one', async () => {
    const [body, key] = [request('grant', { nickname: aName() }), unique().padEnd(16, 'y')];
    const [first, again] = [await send(body, { token }, key), await send(body, { token }, key)];
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(expectSuccess<Placed>(again).id).toBe(expectSuccess<Placed>(first).id);
    const without = await app.api.post(`/orders/${shop.shopId}`, body, { token });
    expectError(without, 400, /^Idempotency-Key is required/);
  });

  it.each([
    [{ kind: 'grant', amount: 1 }, 'amount is only for paid_outside: nobody pays for a grant'],
    [{ kind: 'paid_outside', amount: 0 }, 'amount must be more than 0; what is given away is a grant'],
    [{ kind: 'paid_outside', amount: 1.001 }, /amount/],
    [{ nickname: 'x y z' }, /nickname/],
    [{ kind: 'checkout' }, /kind/],
  ])('rejects %j', async (body, message) => {
    expectError(await send(request('grant', body)), 400, message);
  });

  it('is for owners, admins and managers, and for no key that a plugin or a storefront has', async () => {
    for (const [role, status] of [
      ['manager', 200],
      ['support', 403],
      ['developer', 403],
    ] as const) {
      const { token: other } = await aMember(app, shop, role);
      const response: Response = await send(request('grant', { nickname: aName() }), { token: other });
      expect([role, response.status]).toEqual([role, status]);
    }
    const { key } = await aKey(app.api, shop, 'secret', ['orders:grant']);
    expectSuccess(await send(request('grant', { nickname: aName() }), { key }));
    for (const type of ['plugin', 'storefront']) {
      const body = { shopId: shop.shopId, name: 'Shop', type, permissions: ['orders:grant'] };
      expectError(await app.api.post('/api-keys', body, { token }), 400, /cannot have orders:grant/);
    }
  });

  it('grants in a closed shop, and to a player who is banned', async () => {
    const closed = await aDeliveringShop(app.api);
    const own = { token: closed.owner.token };
    expectSuccess(await app.api.post(`/bans/${closed.shopId}`, { nickname: 'Steve_42', reason: 'Griefing' }, own));
    expectSuccess(await app.api.delete(`/shops/${closed.shopId}`, own));
    const items = [{ productId: closed.productId, quantity: 1 }];
    const body = {
      items,
      serverId: closed.serverId,
      nickname: 'Steve_42',
      kind: 'rehearsal',
      reason: 'Before opening',
    };
    const headers = { 'Idempotency-Key': unique().padEnd(16, 'z') };
    expectSuccess(await app.api.post(`/orders/${closed.shopId}`, body, { ...own, headers }));
  });

  it('erases a player with what was granted without an address', async () => {
    const [nickname, email] = [aName(), `${unique()}@example.com`];
    const { serverId, productId, shopId } = shop;
    const bought = await anOrder(app.api, shopId, { productId, serverId, nickname, email });
    expectSuccess(await app.api.post(`/orders/${shopId}/${bought.id}/cancel`, { reason: 'Asked' }, { token }));
    const granted = await place('grant', { nickname });
    const leased = (await lease(app.api, shop)).filter(({ orderId }) => orderId === granted.id);
    for (const delivery of leased) await acknowledge(app.api, shop, delivery);
    const erased = await app.api.post(
      `/buyers/${shopId}/erase`,
      { email, reason: 'A letter', running: 'drop' },
      { token },
    );
    expect(expectSuccess<object>(erased)).toMatchObject({ orders: 2 });
    for (const { id } of [bought, granted]) {
      const order = expectSuccess<object>(await app.api.get(`/orders/${shopId}/${id}`, { token }));
      expect(JSON.stringify(order)).not.toContain(nickname);
    }
  });
});
