import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../../src/lib/time/durations.js';
import { payment, sendCustom } from '../payments/senders.js';
import { aProduct, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  deliveryStatusOf,
  kindsOf,
  lease,
  type Leased,
  type ListedDelivery,
  listed,
  redeliver,
  sendAck,
  reportPayment,
} from './delivery-actors.js';

const RACES = repetitions(5, 30);
const COMMANDS = { commands: ['give {nickname} vip'], takeBackCommands: ['take {nickname} vip'] };
const forDays = (durationDays: number): object => ({
  ...COMMANDS,
  durationDays,
  expiryCommands: [`end {nickname} ${durationDays} {quantity}`],
});

let app: TestApp;
let second: TestApp;
let shop: DeliveringShop;
let order: TestOrder;

beforeAll(async () => {
  app = await startTestApp();
  const { databaseUri } = app;
  second = await startTestApp({ databaseUri });
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, forDays(30));
});
afterAll(async () => {
  await second.close();
  await app.close();
});

const report = (type: string): Promise<void> => reportPayment(app.api, shop, order, type);
async function deliver(status = 'delivered'): Promise<readonly Leased[]> {
  const leased = await lease(app.api, shop);
  for (const one of leased) await acknowledge(app.api, shop, one, status);
  return leased;
}
const kinds = (): Promise<string[]> => kindsOf(app.api, shop, order);
const ofKind = async (kind: string): Promise<ListedDelivery[]> =>
  (await listed(app.api, shop, `?orderId=${order.id}`)).filter((one) => one.kind === kind);
/** Ends the time of the items, as if they had been delivered a year ago. */
const endTime = (of: object = {}): Promise<unknown> =>
  inDatabase(app, async (db) => {
    const fields = 'shopId' in of ? of : { orderId: idOf(order.id), ...of };
    const [startsAt, endsAt] = [365, 30].map((days) => new Date(Date.now() - days * DAY_MS));
    const deliveries = db.collection('deliveries');
    await deliveries.updateMany({ ...fields, kind: 'purchase' }, { $set: { deliveredAt: startsAt } });
    await deliveries.updateMany({ ...fields, kind: 'expiry' }, { $set: { dueAt: endsAt } });
    await db.collection('entitlements').updateMany(fields, { $set: { startsAt, endsAt } });
  });

describe('Items with an expiry', () => {
  it('expires an item so many days after its delivery: until then no plugin gets the commands, and then one does, once', async () => {
    order = await aPaidOrder(app.api, shop);
    expect(await kinds()).toEqual(['purchase queued']);
    await deliver();
    const [purchase] = await ofKind('purchase');
    const [expiry] = await ofKind('expiry');
    const deliveredAt = Date.parse(purchase?.attempts[0]?.acknowledgedAt ?? '');
    expect(Date.parse(expiry?.dueAt ?? '')).toBe(deliveredAt + 30 * DAY_MS);
    expect(await lease(app.api, shop)).toEqual([]);
    await endTime();
    const leases = await Promise.all([1, 2, 3, 4].map((count) => lease(count % 2 === 0 ? app.api : second.api, shop)));
    expect(leases.flat()).toMatchObject([
      { orderId: order.id, kind: 'expiry', attempt: 1, commands: ['end Steve_42 30 1'], nickname: 'Steve_42' },
    ]);
    for (const one of leases.flat()) await acknowledge(app.api, shop, one);
    expect(await kinds()).toEqual(['expiry delivered', 'purchase delivered']);
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
    await endTime();
    expect(await lease(app.api, shop)).toEqual([]);
  });

  it('expires an item once when two processes take the same report at the same time', async () => {
    order = await aPaidOrder(app.api, shop);
    const [leased] = await lease(app.api, shop);
    const reports = [app, second, app, second].map(({ api }) => acknowledge(api, shop, leased as Leased));
    expect((await Promise.all(reports)).map((outcome) => outcome?.accepted)).toEqual([true, true, true, true]);
    expect(await kinds()).toEqual(['expiry queued', 'purchase delivered']);
  });

  it('expires each item of an order at its time, with its quantity, and keeps an item that has no end', async () => {
    const [week, ever] = [await aProduct(app.api, shop, forDays(7)), await aProduct(app.api, shop, COMMANDS)];
    const items = [shop.productId, week, ever].map((productId, index) => ({ productId, quantity: index + 1 }));
    order = await aPaidOrder(app.api, shop, { items });
    // The product changes after the sale. The order keeps what was sold.
    const change = { durationDays: 1, expiryCommands: ['end everything'] };
    const path = `/products/${shop.shopId}/${shop.productId}`;
    expectSuccess(await app.api.patch(path, change, { token: shop.owner.token }));
    await deliver();
    const days = (await ofKind('expiry')).map(({ dueAt }) =>
      Math.round((Date.parse(dueAt ?? '') - Date.now()) / DAY_MS),
    );
    expect(days.sort()).toEqual([14, 30]);
    await endTime({ position: 1 });
    expect(await deliver()).toMatchObject([{ kind: 'expiry', commands: ['end Steve_42 7 2'] }]);
    await endTime();
    expect(await deliver()).toMatchObject([{ kind: 'expiry', commands: ['end Steve_42 30 1'] }]);
  });

  it('expires no item before it was delivered, and none whose delivery failed', async () => {
    order = await aPaidOrder(app.api, shop);
    await deliver('failed');
    expect(await kinds()).toEqual(['purchase failed']);
  });

  it('expires no item that was revoked', async () => {
    order = await aPaidOrder(app.api, shop);
    await deliver();
    await report('refund.succeeded');
    expect(await kinds()).toEqual(['expiry revoked', 'purchase delivered', 'take_back queued']);
    await deliver();
    await endTime();
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await deliveryStatusOf(app.api, order)).toBe('revoked');
  });

  it('revokes no item that has expired, also when a plugin ends it during the refund', async () => {
    order = await aPaidOrder(app.api, shop);
    await deliver();
    await endTime();
    const [expiry] = await lease(app.api, shop);
    await report('refund.succeeded');
    expect(await kinds()).toEqual(['expiry leased', 'purchase delivered']);
    await acknowledge(app.api, shop, expiry as Leased);
    expect(await kinds()).toEqual(['expiry delivered', 'purchase delivered']);
    await report('dispute.lost');
    expect(await lease(app.api, shop)).toEqual([]);
  });

  it('revokes an item when the plugin that should have ended it during the refund failed', async () => {
    order = await aPaidOrder(app.api, shop);
    await deliver();
    await endTime();
    const [expiry] = await lease(app.api, shop);
    await report('refund.succeeded');
    await acknowledge(app.api, shop, expiry as Leased, 'failed');
    expect(await kinds()).toEqual(['expiry failed', 'purchase delivered', 'take_back queued']);
  });

  it(`revokes an item, whether the refund or the failed end arrives first (${RACES} orders, both at once)`, async () => {
    const orders = await Promise.all(
      Array.from({ length: RACES }, (_, at) => aPaidOrder(app.api, shop, { nickname: `Steve_${at}` })),
    );
    for (const leased of await lease(app.api, shop)) await acknowledge(app.api, shop, leased);
    await endTime({ shopId: idOf(shop.shopId) });
    const ends = await lease(app.api, shop);
    expect(ends).toHaveLength(orders.length);
    await Promise.all(
      orders.flatMap((one) => {
        const end = ends.find(({ orderId }) => orderId === one.id) as Leased;
        const refund = payment(one, { type: 'refund.succeeded' });
        return [sendCustom(app.api, shop.webhook, refund), acknowledge(second.api, shop, end, 'failed')];
      }),
    );
    const takeBacks = (await listed(app.api, shop, '?limit=100')).filter(({ kind }) => kind === 'take_back');
    expect(takeBacks.map(({ state }) => state)).toEqual(orders.map(() => 'queued'));
  });

  it('expires an item also after a refund when its product has no commands for taking back', async () => {
    const productId = await aProduct(app.api, shop, { ...forDays(3), takeBackCommands: [] });
    order = await aPaidOrder(app.api, shop, { items: [{ productId, quantity: 1 }] });
    await deliver();
    await report('refund.succeeded');
    expect(await kinds()).toEqual(['expiry queued', 'purchase delivered']);
    await endTime();
    expect(await deliver()).toMatchObject([{ kind: 'expiry', commands: ['end Steve_42 3 1'] }]);
  });

  it('keeps the end of an item that staff deliver again: after the end, the game server removes it once more', async () => {
    order = await aPaidOrder(app.api, shop);
    await deliver();
    await endTime();
    // The time is over, but no plugin has sent a request yet.
    expectSuccess(await redeliver(app.api, shop, order));
    expect(await deliver()).toMatchObject([{ kind: 'expiry' }, { kind: 'purchase' }]);
    const again = await ofKind('expiry');
    expect(again).toMatchObject([{ state: 'queued' }]);
    expect(Date.parse(again[0]?.dueAt ?? '')).toBeLessThan(Date.now() - 300 * DAY_MS);
  });

  it('expires an item again when a plugin ends it and delivers it again, and reports both in one request', async () => {
    order = await aPaidOrder(app.api, shop);
    await deliver();
    await endTime();
    expectSuccess(await redeliver(app.api, shop, order));
    const leased = await lease(app.api, shop);
    expect(leased).toMatchObject([{ kind: 'expiry' }, { kind: 'purchase' }]);
    expectSuccess(
      await sendAck(
        app.api,
        shop,
        leased.map(({ deliveryId, attempt }) => ({ deliveryId, attempt, status: 'delivered' })),
      ),
    );
    expect(await kinds()).toEqual(['expiry queued', 'purchase delivered']);
  });

  it('leaves an item whose expiry failed to staff: a redelivery runs the expiry again, and the item stays delivered', async () => {
    order = await aPaidOrder(app.api, shop);
    await deliver();
    await endTime();
    await deliver('failed');
    expect([await deliveryStatusOf(app.api, order), await kinds()]).toEqual([
      'delivered',
      ['expiry failed', 'purchase delivered'],
    ]);
    expectSuccess(await redeliver(app.api, shop, order));
    expect(await deliver()).toMatchObject([{ kind: 'expiry', attempt: 2, possiblyExecuted: false }]);
  });

  it('expires an item after the process that stored its delivery died', async () => {
    const victim = await startTestApp({ databaseUri: app.databaseUri });
    order = await aPaidOrder(app.api, shop);
    const [leased] = await lease(app.api, shop);
    const report = acknowledge(victim.api, shop, leased as Leased).catch(() => undefined);
    await victim.kill();
    await report;
    // The report is stored with the expiry, or neither is. The plugin repeats it.
    expect([['purchase leased'], ['expiry queued', 'purchase delivered']]).toContainEqual(await kinds());
    await acknowledge(app.api, shop, leased as Leased);
    expect(await kinds()).toEqual(['expiry queued', 'purchase delivered']);
    await victim.close();
  });
});
