import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { payment, sendCustom } from '../payments/senders.js';
import { aProduct, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  endLeases,
  deliveryStatusOf,
  kindsOf,
  lease,
  type Leased,
  listed,
  redeliver,
  reportPayment,
} from './delivery-actors.js';

const RACES = repetitions(5, 50);
const COMMANDS = { commands: ['give {nickname} vip'], takeBackCommands: ['take {nickname} vip {quantity}'] };

let app: TestApp;
let shop: DeliveringShop;
let order: TestOrder;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, COMMANDS);
});
afterAll(() => app.close());

const report = (type: string, changes: object = {}): Promise<void> =>
  reportPayment(app.api, shop, order, type, changes);
/** Sends the same event however often it is called. */
const reportOnce = async (type: string): Promise<void> => {
  const eventId = `${type.replace('.', '-')}-${order.id}`;
  expectSuccess(await sendCustom(app.api, shop.webhook, payment(order, { type }), { eventId }));
};
/** Leases the only delivery that is due. */
async function next(players: readonly string[] = []): Promise<Leased> {
  const leased = await lease(app.api, shop, { players });
  expect(leased).toHaveLength(1);
  return leased[0] as Leased;
}
/** The plugin runs what is due and reports it. */
async function deliver(status = 'delivered'): Promise<Leased> {
  const leased = await next();
  expect(await acknowledge(app.api, shop, leased, status)).toMatchObject({ accepted: true });
  return leased;
}
async function deliveredOrder(body: object = {}): Promise<void> {
  order = await aPaidOrder(app.api, shop, body);
  await deliver();
  expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
}
const kinds = (): Promise<string[]> => kindsOf(app.api, shop, order);

describe('Delivered items', () => {
  it.each([
    ['a refund', ['refund.succeeded']],
    ['a lost dispute', ['dispute.opened', 'dispute.lost']],
    ['a dispute whose loss is reported before its beginning', ['dispute.lost', 'dispute.opened']],
    ['a refund and a lost dispute', ['refund.succeeded', 'dispute.lost']],
  ])('revokes delivered items once after %s (complaint 18)', async (_, events) => {
    await deliveredOrder({ items: [{ productId: shop.productId, quantity: 3 }] });
    // The provider sends each event twice.
    for (const type of [...events, ...events]) await reportOnce(type);
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
    const takeBack = await deliver();
    expect(takeBack).toMatchObject({ orderId: order.id, kind: 'take_back', attempt: 1, possiblyExecuted: false });
    expect(takeBack.commands).toEqual(['take Steve_42 vip 3']);
    expect(await deliveryStatusOf(app.api, order)).toBe('revoked');
    for (const type of events) await reportOnce(type);
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await kinds()).toEqual(['purchase delivered', 'take_back delivered']);
    const audit = await app.api.get(`/shops/${shop.shopId}/audit?limit=100`, { token: shop.owner.token });
    const changes = expectSuccess<{ subjectId: string; action: string; changes: object[] }[]>(audit).filter(
      ({ subjectId, action }) => subjectId === order.id && action === 'order.delivery_changed',
    );
    expect(changes[0]?.changes).toEqual([{ field: 'deliveryStatus', before: 'delivered', after: 'revoked' }]);
  });

  it.each([
    ['a partial refund', [{ type: 'refund.succeeded', amount: 1 }]],
    ['a dispute that is not decided', [{ type: 'dispute.opened' }]],
    ['a dispute that the shop won', [{ type: 'dispute.opened' }, { type: 'dispute.won' }]],
  ])('leaves delivered items with the buyer after %s', async (_, events) => {
    await deliveredOrder();
    for (const { type, ...changes } of events) await report(type, changes);
    expect(await lease(app.api, shop)).toEqual([]);
    expect([await deliveryStatusOf(app.api, order), await kinds()]).toEqual(['delivered', ['purchase delivered']]);
  });

  it('leaves items with the buyer when their product has no commands for taking back', async () => {
    const productId = await aProduct(app.api, shop, { commands: ['give {nickname} hat'] });
    await deliveredOrder({ items: [{ productId, quantity: 1 }] });
    await report('refund.succeeded');
    expect([await deliveryStatusOf(app.api, order), await kinds()]).toEqual(['delivered', ['purchase delivered']]);
  });

  it('revokes item by item, and holds back what was not delivered', async () => {
    const other = await aProduct(app.api, shop, { ...COMMANDS, requiresOnline: true });
    const items = [shop.productId, other].map((productId) => ({ productId, quantity: 1 }));
    order = await aPaidOrder(app.api, shop, { items });
    await deliver();
    await report('refund.succeeded');
    expect(await kinds()).toEqual(['purchase delivered', 'purchase revoked', 'take_back queued']);
    expect(await deliveryStatusOf(app.api, order)).toBe('revoked');
    await deliver();
    expect(await deliveryStatusOf(app.api, order)).toBe('revoked');
    expect(await lease(app.api, shop, { players: ['Steve_42'] })).toEqual([]);
  });

  it('revokes items that need the player online when the player is online', async () => {
    const productId = await aProduct(app.api, shop, { ...COMMANDS, requiresOnline: true });
    order = await aPaidOrder(app.api, shop, { items: [{ productId, quantity: 1 }] });
    await acknowledge(app.api, shop, await next(['Steve_42']));
    await report('refund.succeeded');
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await next(['steve_42'])).toMatchObject({ kind: 'take_back', requiresOnline: true });
  });

  it('rejects renaming a redelivery, and takes the items back from the player who received them', async () => {
    await deliveredOrder();
    expectSuccess(await redeliver(app.api, shop, order));
    const body = { newNickname: 'Alex_42', reason: 'Typing mistake' };
    const renamed = await app.api.post(`/orders/${shop.shopId}/${order.id}/nickname`, body, {
      token: shop.owner.token,
    });
    expectError(renamed, 400, /^The nickname can no longer be changed/);
    await report('refund.succeeded');
    expect(await deliver()).toMatchObject({
      kind: 'take_back',
      nickname: 'Steve_42',
      commands: ['take Steve_42 vip 1'],
    });
  });
});

describe('Items that a plugin has leased', () => {
  it('revokes leased items after a refund, and takes them back as soon as the plugin reports that it delivered them', async () => {
    order = await aPaidOrder(app.api, shop);
    const leased = await next();
    await report('refund.succeeded');
    expect([await deliveryStatusOf(app.api, order), await kinds()]).toEqual(['revoked', ['purchase revoked']]);
    expect(await lease(app.api, shop)).toEqual([]);
    await acknowledge(app.api, shop, leased);
    await acknowledge(app.api, shop, leased);
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
    expect(await kinds()).toEqual(['purchase delivered', 'take_back queued']);
  });

  it('takes nothing back when the plugin reports that it failed, even if an older attempt is reported as delivered later', async () => {
    order = await aPaidOrder(app.api, shop);
    const first = await next();
    await endLeases(app, order);
    await deliver('failed');
    await report('refund.succeeded');
    expect(await kinds()).toEqual(['purchase failed']);
    // The second attempt was reported, so the first one does not count any more.
    expect(await acknowledge(app.api, shop, first)).toMatchObject({ accepted: false });
    expect(await kinds()).toEqual(['purchase failed']);
  });

  it(`takes items back once, whether the refund or the report arrives first (${RACES} orders, both at once)`, async () => {
    const orders = await Promise.all(Array.from({ length: RACES }, () => aPaidOrder(app.api, shop)));
    const leased = await lease(app.api, shop, { limit: RACES });
    await Promise.all(
      orders.flatMap((one) => {
        const delivery = leased.find(({ orderId }) => orderId === one.id) as Leased;
        const refund = payment(one, { type: 'refund.succeeded' });
        const eventId = `refund-${one.id}`;
        return [
          sendCustom(app.api, shop.webhook, refund, { eventId }),
          acknowledge(app.api, shop, delivery),
          sendCustom(app.api, shop.webhook, refund, { eventId }),
          acknowledge(app.api, shop, delivery),
        ];
      }),
    );
    const deliveries = await listed(app.api, shop, '?limit=100');
    const takeBacks = deliveries.filter(({ kind }) => kind === 'take_back');
    expect(takeBacks.map(({ orderId }) => orderId).sort()).toEqual(orders.map(({ id }) => id).sort());
    expect(deliveries.filter(({ kind }) => kind === 'purchase').map(({ state }) => state)).toEqual(
      orders.map(() => 'delivered'),
    );
  });
});

describe('A take-back', () => {
  it('marks an order as failed when a plugin could not run its take-back, and takes the items back with a redelivery', async () => {
    await deliveredOrder();
    await report('refund.succeeded');
    await deliver('failed');
    expect(await deliveryStatusOf(app.api, order)).toBe('failed');
    expectSuccess(await redeliver(app.api, shop, order));
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
    expect(await deliver()).toMatchObject({ kind: 'take_back', attempt: 2, possiblyExecuted: false });
    expect(await deliveryStatusOf(app.api, order)).toBe('revoked');
  });

  it('lets staff run a take-back again, but not the delivery of a refunded order', async () => {
    await deliveredOrder();
    await report('refund.succeeded');
    expectError(await redeliver(app.api, shop, order), 409, 'The order has no delivery that can be queued again');
    await deliver();
    expectSuccess(await redeliver(app.api, shop, order));
    expect(await deliver()).toMatchObject({ kind: 'take_back', attempt: 2 });
    expect(await kinds()).toEqual(['purchase delivered', 'take_back delivered']);
  });

  it('leases no take-back while the refund is in doubt, and queues it again when the order is refunded after all', async () => {
    await deliveredOrder();
    await report('refund.succeeded');
    // More than was paid is refunded, so the order needs a review by staff.
    await report('refund.succeeded', { amount: 1 });
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await kinds()).toEqual(['purchase delivered', 'take_back revoked']);
    const path = `/orders/${shop.shopId}/${order.id}/resolve`;
    const resolution = { decision: 'accept', reason: 'The second refund was outside of the shop' };
    expectSuccess(await app.api.post(path, resolution, { token: shop.owner.token }));
    expect(await deliver()).toMatchObject({ kind: 'take_back' });
  });

  it('revokes a take-back when the order counts as paid again, and queues it again with the next refund', async () => {
    await deliveredOrder();
    await report('refund.succeeded');
    // The buyer pays once more after the refund.
    await report('payment.succeeded', { paymentId: 'second' });
    expect([await deliveryStatusOf(app.api, order), await kinds()]).toEqual([
      'delivered',
      ['purchase delivered', 'take_back revoked'],
    ]);
    expect(await lease(app.api, shop)).toEqual([]);
    await report('refund.succeeded', { paymentId: 'second', occurredAt: '2026-11-22T08:00:00.000Z' });
    expect(await deliver()).toMatchObject({ kind: 'take_back' });
    expect(await kinds()).toEqual(['purchase delivered', 'take_back delivered']);
  });
});
