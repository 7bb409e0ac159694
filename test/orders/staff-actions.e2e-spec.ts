import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  deliveryStatusOf,
  lease,
  type Leased,
} from '../deliveries/delivery-actors.js';
import { payment, sendCustom } from '../payments/senders.js';
import { aDiscount, aKey, aMember, anOrder, aProduct, type TestOrder } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Details {
  readonly status: string;
  readonly paymentStatus: string;
  readonly deliveryStatus: string;
  readonly deliveries: readonly { readonly id: string; readonly position: number; readonly nickname: string }[];
  readonly history: { readonly action: string; readonly actor: string; readonly detail: string | null }[];
}

describe('What staff do with orders', () => {
  let app: TestApp;
  let shop: DeliveringShop;
  let elsewhere: DeliveringShop;
  let token: string;
  let code: { id: string; code: string };

  const act = (order: TestOrder, action: string, body: object = { reason: 'Because' }): Promise<Response> =>
    app.api.post(`/orders/${shop.shopId}/${order.id}/${action}`, body, { token });
  const detailsOf = async ({ id }: TestOrder): Promise<Details> =>
    expectSuccess<Details>(await app.api.get(`/orders/${shop.shopId}/${id}`, { token }));
  const statesOf = async (order: TestOrder): Promise<string[]> => {
    const { status, paymentStatus, deliveryStatus } = await detailsOf(order);
    return [status, paymentStatus, deliveryStatus];
  };
  const usesOfCode = async (): Promise<number> =>
    expectSuccess<{ used: number }>(await app.api.get(`/discounts/${shop.shopId}/${code.id}`, { token })).used;
  const newestEntry = async (): Promise<object> =>
    expectSuccess<object[]>(await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { token }))[0] ?? {};
  const anOpenOrder = (body: object = {}): Promise<TestOrder> => {
    const { productId, serverId } = shop;
    return anOrder(app.api, shop.shopId, { productId, serverId, discountCode: code.code, ...body });
  };
  const pay = async (order: TestOrder, changes: object = {}): Promise<void> => {
    expectSuccess(await sendCustom(app.api, shop.webhook, payment(order, changes)));
  };
  const anOrderInReview = async (): Promise<TestOrder> => {
    const order = await anOpenOrder();
    await pay(order, { amount: order.total - 1 });
    expect(await statesOf(order)).toEqual(['open', 'needs_review', 'none']);
    return order;
  };

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aDeliveringShop(app.api);
    elsewhere = await aDeliveringShop(app.api);
    token = shop.owner.token;
    code = await aDiscount(app.api, shop, { maxUses: 1000 });
  });
  afterAll(() => app.close());

  describe('notes', () => {
    it('adds a note of several lines to the history, for staff only, and removes its text with the buyer', async () => {
      const order = await anOpenOrder({ nickname: 'Forgetful', email: 'forgetful@example.com' });
      const text = 'Lost the sword.\nHis brother paid';
      const noted = expectSuccess<Details>(await act(order, 'notes', { text }), 'Note added');
      const entry = { at: anInstant, actor: `user:${shop.owner.userId}`, actorName: 'Olivia', action: 'note' };
      expect(noted.history.at(-1)).toEqual({ ...entry, detail: text });
      expect(await newestEntry()).toMatchObject({ action: 'order.note_added', subjectId: order.id, changes: [] });
      const seen = await app.api.get(`/orders/public/${order.id}`, { headers: { 'X-Order-Token': order.accessToken } });
      expect(JSON.stringify(seen.body)).not.toContain('sword');
      expectSuccess(await act(order, 'cancel'));
      const erasure = { email: 'forgetful@example.com', reason: 'A letter' };
      expectSuccess(await app.api.post(`/buyers/${shop.shopId}/erase`, erasure, { token }));
      expect((await detailsOf(order)).history.find(({ action }) => action === 'note')).toMatchObject({ detail: null });
    });

    it.each([
      ['nothing', '', 'text must have 1 to 1000 characters'],
      ['1001 characters', 'x'.repeat(1001), 'text must have 1 to 1000 characters'],
      ['a space', ' ', /^text/],
    ])('rejects a note of %s', async (_, text, message) => {
      expectError(await act(await anOpenOrder(), 'notes', { text }), 400, message);
    });
  });

  describe('cancel', () => {
    it('ends an open order, gives back its use of a code, and says why in the history and the audit log', async () => {
      const before = await usesOfCode();
      const order = await anOpenOrder();
      expect(await usesOfCode()).toBe(before + 1);
      const cancelled = expectSuccess(await act(order, 'cancel', { reason: 'The buyer asked' }), 'Order cancelled');
      expect(cancelled).toMatchObject({ id: order.id, status: 'cancelled', email: order.email });
      expect(await usesOfCode()).toBe(before);
      const { history } = await detailsOf(order);
      const actor = `user:${shop.owner.userId}`;
      const cancelling = { action: 'cancelled', detail: 'The buyer asked' };
      expect(history.at(-1)).toEqual({ at: anInstant, actor, actorName: 'Olivia', ...cancelling });
      expect(await newestEntry()).toMatchObject({
        action: 'order.cancelled',
        subjectId: order.id,
        changes: [{ field: 'reason', before: null, after: 'The buyer asked' }],
      });
    });

    it('cancels an order once, and no paid order', async () => {
      const order = await anOpenOrder();
      expectSuccess(await act(order, 'cancel'));
      for (const one of [order, await aPaidOrder(app.api, shop)]) {
        expectError(await act(one, 'cancel'), 409, 'Only an open order can be cancelled');
      }
    });

    it('cancels an order once when 10 people do it at the same time', async () => {
      const before = await usesOfCode();
      const order = await anOpenOrder();
      const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await act(order, 'cancel')).status));
      expect(statuses.sort()).toEqual([200, ...Array<number>(9).fill(409)]);
      expect(await usesOfCode()).toBe(before);
      expect((await detailsOf(order)).history.filter(({ action }) => action === 'cancelled')).toHaveLength(1);
    });

    it('leaves an order that is cancelled and paid at the same time either queued or cancelled, and its discount code with the right uses', async () => {
      const before = await usesOfCode();
      const orders = await Promise.all(Array.from({ length: 8 }, () => anOpenOrder()));
      await Promise.all(orders.flatMap((order) => [act(order, 'cancel'), pay(order)]));
      for (const order of orders) {
        expect([
          ['completed', 'paid', 'queued'],
          ['cancelled', 'paid', 'none'],
        ]).toContainEqual(await statesOf(order));
      }
      expect(await usesOfCode()).toBe(before + orders.length);
    });

    it('makes room for another open order of the same player', async () => {
      const small = await startTestApp({ env: { QUOTAS: 'openOrdersPerNickname=1,openOrdersPerAddress=100' } });
      const own = await aDeliveringShop(small.api);
      const { productId, serverId, shopId } = own;
      const order = await anOrder(small.api, shopId, { productId, serverId });
      const path = `/orders/${shopId}/${order.id}/cancel`;
      expectSuccess(await small.api.post(path, { reason: 'Again' }, { token: own.owner.token }));
      await anOrder(small.api, shopId, { productId, serverId });
      await small.close();
    });
  });

  describe('nickname', () => {
    const rename = (order: TestOrder, newNickname: string): Promise<Response> =>
      act(order, 'nickname', { newNickname, reason: 'A typing mistake' });

    it('renames an order and its waiting delivery, says why in the history, and emails the address of the order', async () => {
      const order = await aPaidOrder(app.api, shop);
      const change = { orderId: order.id, previousNickname: 'Steve_42', nickname: 'Alex_42', changedAt: anInstant };
      expect(expectSuccess(await rename(order, 'Alex_42'), 'Nickname changed')).toEqual(change);
      expect(await app.mailbox.next(order.email, /The nickname of your order was changed/)).toHaveLength(1);
      const details = await detailsOf(order);
      expect(details).toMatchObject({ nickname: 'Alex_42', deliveries: [{ nickname: 'Alex_42' }] });
      expect(details.history.at(-1)).toMatchObject({
        action: 'nickname_changed',
        detail: 'Steve_42 -> Alex_42: A typing mistake',
      });
      expectError(await rename(order, 'Alex_42'), 409, 'The order already has this nickname');
    });

    it('rejects a nickname that breaks the rule of the shop, and every nickname once a plugin has the order', async () => {
      const order = await aPaidOrder(app.api, shop);
      expectError(await rename(order, 'no spaces'), 400, 'The nickname does not follow the rule of this shop');
      const leased = await lease(app.api, shop, { limit: 100 });
      expect(leased.map(({ orderId }) => orderId)).toContain(order.id);
      expectError(await rename(order, 'Alex_42'), 400, /^The nickname can no longer be changed/);
      expect(await detailsOf(order)).toMatchObject({ nickname: 'Steve_42' });
    });

    it('renames a disputed order that no plugin had, and delivers it to the new player when the dispute is won', async () => {
      const order = await aPaidOrder(app.api, shop);
      await pay(order, { type: 'dispute.opened' });
      expectSuccess(await rename(order, 'Alex_42'));
      await pay(order, { type: 'dispute.won' });
      const leased = await lease(app.api, shop, { limit: 100 });
      expect(leased.find(({ orderId }) => orderId === order.id)).toMatchObject({ nickname: 'Alex_42' });
    });

    it('renames an order whose delivery failed, redelivers to the new player, and then rejects another nickname', async () => {
      const order = await aPaidOrder(app.api, shop);
      const leasedDelivery = async (): Promise<Leased> => {
        const leased = await lease(app.api, shop, { limit: 100 });
        return leased.find(({ orderId }) => orderId === order.id) as Leased;
      };
      await acknowledge(app.api, shop, await leasedDelivery(), 'failed');
      expectSuccess(await rename(order, 'Alex_42'));
      expectSuccess(await act(order, 'redeliver'));
      expectError(await rename(order, 'Third_42'), 400, /^The nickname can no longer be changed/);
      const leased = await leasedDelivery();
      expect(leased).toMatchObject({ nickname: 'Alex_42', attempt: 2 });
      await acknowledge(app.api, shop, leased);
      expectError(await rename(order, 'Third_42'), 400, /^The nickname can no longer be changed/);
    });
  });

  describe('one item', () => {
    /** An order of two items for the player: the first one is delivered, the second one failed. */
    async function aHalfDeliveredOrder(): Promise<{ order: TestOrder; delivered: string; failed: string }> {
      const second = await aProduct(app.api, shop, { name: 'Crate key' });
      const items = [shop.productId, second].map((productId) => ({ productId, quantity: 1 }));
      const order = await aPaidOrder(app.api, shop, { items });
      const leased = await lease(app.api, shop, { limit: 100 });
      const { deliveries } = await detailsOf(order);
      const idAt = (position: number): string => deliveries.find((one) => one.position === position)?.id ?? '';
      for (const delivery of leased) {
        await acknowledge(app.api, shop, delivery, delivery.deliveryId === idAt(1) ? 'failed' : 'delivered');
      }
      expect(await deliveryStatusOf(app.api, order)).toBe('failed');
      return { order, delivered: idAt(0), failed: idAt(1) };
    }
    const leasedOf = async ({ id }: TestOrder): Promise<(readonly [string, string])[]> =>
      (await lease(app.api, shop, { limit: 100 }))
        .filter(({ orderId }) => orderId === id)
        .map(({ deliveryId, nickname }) => [deliveryId, nickname] as const);

    it('queues a delivered item again while another one failed, and names it in the history', async () => {
      const { order, delivered } = await aHalfDeliveredOrder();
      const body = { reason: 'It was lost', deliveryId: delivered };
      expect(expectSuccess(await act(order, 'redeliver', body))).toMatchObject({ deliveryStatus: 'failed' });
      expect(await leasedOf(order)).toEqual([[delivered, 'Steve_42']]);
      const { history } = await detailsOf(order);
      expect(history.at(-1)).toMatchObject({ action: 'redelivered', detail: expect.stringMatching(/: It was lost$/) });
    });

    it('renames a failed item alone, and rejects renaming the item that the first player has', async () => {
      const { order, delivered, failed } = await aHalfDeliveredOrder();
      const rename = (deliveryId: string, newNickname = 'Alex_42'): Promise<Response> =>
        act(order, 'nickname', { newNickname, reason: 'A typing mistake', deliveryId });
      expectError(await rename(delivered), 400, /^The nickname can no longer be changed/);
      expectError(await act(order, 'nickname', { newNickname: 'Alex_42', reason: 'x' }), 400, /no longer be changed/);
      expectError(await rename(failed, 'no spaces'), 400, 'The nickname does not follow the rule of this shop');
      expect(expectSuccess(await rename(failed))).toMatchObject({ previousNickname: 'Steve_42', nickname: 'Alex_42' });
      expectError(await rename(failed), 409, 'The delivery already has this nickname');
      const [email] = await app.mailbox.next(order.email, /^The nickname for Crate key[^]*?to Alex_42\.$/m);
      expect(email).toContain('was changed from');
      expectSuccess(await act(order, 'redeliver', { reason: 'Again', deliveryId: failed }));
      expectError(await rename(failed, 'Third_42'), 400, /^The nickname can no longer be changed/);
      expect(await leasedOf(order)).toEqual([[failed, 'Alex_42']]);
      expect(await detailsOf(order)).toMatchObject({ nickname: 'Steve_42' });
    });

    it.each(['redeliver', 'nickname'])('returns 404 to %s for an item of another order', async (action) => {
      const { order } = await aHalfDeliveredOrder();
      const { failed } = await aHalfDeliveredOrder();
      const body = { reason: 'x', deliveryId: failed, ...(action === 'nickname' && { newNickname: 'Alex_42' }) };
      expectError(await act(order, action, body), 404, 'The order has no such delivery');
    });

    it('rejects queueing an item again while it waits', async () => {
      const order = await aPaidOrder(app.api, shop);
      const { deliveries } = await detailsOf(order);
      const body = { reason: 'x', deliveryId: deliveries[0]?.id };
      expectError(await act(order, 'redeliver', body), 409, 'The order has no delivery that can be queued again');
    });
  });

  describe('resolve', () => {
    it('accepts a payment: queues the deliveries, uses the code, counts the sale, and reverses all of it after a full refund', async () => {
      const uses = await usesOfCode();
      const revenue = async (): Promise<number> => {
        const stats = await app.api.get(`/stats/${shop.shopId}/comparison?period=today`, { token });
        return expectSuccess<{ metrics: { paidOrders: { current: number } } }>(stats).metrics.paidOrders.current;
      };
      const sold = await revenue();
      const order = await anOrderInReview();
      const accepted = expectSuccess(
        await act(order, 'resolve', { decision: 'accept', reason: 'Seen' }),
        'Payment reviewed',
      );
      expect(accepted).toMatchObject({ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' });
      expect([await usesOfCode(), await revenue()]).toEqual([uses + 1, sold + 1]);
      expect(await deliveryStatusOf(app.api, order)).toBe('queued');
      expect((await detailsOf(order)).history.at(-1)).toMatchObject({ action: 'review_accepted', detail: 'Seen' });
      expect(await newestEntry()).toMatchObject({ action: 'order.payment_reviewed', subjectId: order.id });
      // The same payment again, an old failure, then the refund of all that was paid.
      await pay(order, { amount: order.total - 1 });
      await pay(order, { type: 'payment.failed' });
      expect(await statesOf(order)).toEqual(['completed', 'paid', 'queued']);
      await pay(order, { type: 'refund.succeeded', amount: order.total - 1 });
      expect(await detailsOf(order)).toMatchObject({ refundedTotal: 7.99 });
      expect(await statesOf(order)).toEqual(['completed', 'refunded', 'revoked']);
    });

    it('rejects a payment: the order ends, the use of the code is free, and a refund changes nothing', async () => {
      const uses = await usesOfCode();
      const order = await anOrderInReview();
      const rejected = expectSuccess(await act(order, 'resolve', { decision: 'reject', reason: 'Too little' }));
      expect(rejected).toMatchObject({ status: 'cancelled', paymentStatus: 'failed', deliveryStatus: 'none' });
      expect(await usesOfCode()).toBe(uses);
      await pay(order, { type: 'refund.succeeded', amount: order.total - 1 });
      expect(await statesOf(order)).toEqual(['cancelled', 'failed', 'none']);
      await pay(order, { paymentId: 'another' });
      expect(await statesOf(order)).toEqual(['cancelled', 'needs_review', 'none']);
      expectSuccess(await act(order, 'resolve', { decision: 'reject', reason: 'Given back too' }));
      expect(await statesOf(order)).toEqual(['cancelled', 'failed', 'none']);
    });

    it('releases the deliveries after a fraud warning, and cannot reject a payment of the right amount', async () => {
      const order = await aPaidOrder(app.api, shop);
      await pay(order, { type: 'fraud.warning' });
      expect(await statesOf(order)).toEqual(['completed', 'needs_review', 'held']);
      const reject = await act(order, 'resolve', { decision: 'reject', reason: 'No' });
      expectError(reject, 409, 'The order was paid correctly: accept the payment, or refund it');
      expectSuccess(await act(order, 'resolve', { decision: 'accept', reason: 'A known player' }));
      expect(await statesOf(order)).toEqual(['completed', 'paid', 'queued']);
    });

    it('delivers nothing of an order with a fraud warning that is refunded, without a decision', async () => {
      const order = await aPaidOrder(app.api, shop);
      await pay(order, { type: 'fraud.warning' });
      await pay(order, { type: 'refund.succeeded' });
      expect(await statesOf(order)).toEqual(['completed', 'refunded', 'revoked']);
    });

    it('resolves a payment once, also for 10 people at once, and only when it needs a review', async () => {
      const order = await anOrderInReview();
      const decide = async (_: unknown, turn: number): Promise<number> =>
        (await act(order, 'resolve', { decision: turn % 2 ? 'accept' : 'reject', reason: 'Race' })).status;
      const statuses = await Promise.all(Array.from({ length: 10 }, decide));
      expect(statuses.sort()).toEqual([200, ...Array<number>(9).fill(409)]);
      const paid = await aPaidOrder(app.api, shop);
      expectError(
        await act(paid, 'resolve', { decision: 'accept', reason: 'No' }),
        409,
        'Only an order whose payment needs a review can be resolved',
      );
    });

    it('requires payments:write to resolve a payment', async () => {
      const order = await anOrderInReview();
      const support = await aMember(app, shop, 'support');
      const path = `/orders/${shop.shopId}/${order.id}/resolve`;
      const body = { decision: 'accept', reason: 'Seen' };
      const refused = 'The credential lacks the permission payments:write';
      expectError(await app.api.post(path, body, { token: support.token }), 403, refused);
      const { key } = await aKey(app.api, shop, 'plugin');
      expectError(await app.api.post(path, body, { key }), 403, refused);
    });
  });

  it.each([
    ['cancel', {}, 'reason is required, for example "The server had crashed"'],
    ['cancel', { reason: '' }, 'reason must have 1 to 200 characters'],
    ['nickname', { newNickname: 'Alex_42' }, 'reason is required, for example "The server had crashed"'],
    ['redeliver', { reason: 'x', deliveryId: 'one' }, /^deliveryId must be/],
    ['resolve', { reason: 'x', decision: 'maybe' }, 'decision must be one of accept, reject'],
    ['resolve', { reason: 'x', decision: 'accept', amount: 1 }, 'amount is not a known field'],
  ])('rejects in %s the body %j', async (action, body, sentence) => {
    expectError(await act(await anOpenOrder(), action, body), 400, sentence);
  });

  it.each([
    ['cancel', {}],
    ['nickname', { newNickname: 'Alex_42' }],
    ['resolve', { decision: 'accept' }],
  ])('returns 404 in %s for an order of another shop', async (action, body) => {
    const order = await aPaidOrder(app.api, elsewhere);
    expectError(await act(order, action, { reason: 'x', ...body }), 404, 'There is no such order');
  });
});
