import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { payment, sendCustom } from '../payments/senders.js';
import { anOrder, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
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
  redeliver,
  reportPayment,
} from './delivery-actors.js';

describe('The deliveries of a deleted game server', () => {
  let app: TestApp;
  let shop: DeliveringShop;

  beforeAll(async () => {
    app = await startTestApp({ config: { sweepIntervalMs: 50 } });
  });
  beforeEach(async () => {
    shop = await aDeliveringShop(app.api, { takeBackCommands: ['take {nickname} vip'] });
  });
  afterAll(() => app.close());

  const deleteServer = async (): Promise<void> => {
    expectSuccess(await app.api.delete(`/servers/${shop.shopId}/${shop.serverId}`, { token: shop.owner.token }));
  };
  const failed = (order: TestOrder): Promise<boolean> =>
    eventually(async () => (await deliveryStatusOf(app.api, order)) === 'failed');
  /** Makes the job check the deleted server again at once. */
  const checkAgain = (fields: object = {}): Promise<unknown> =>
    inDatabase(app, (db) =>
      db
        .collection('game_servers')
        .updateOne({ _id: idOf(shop.serverId) }, { $set: { deliveriesEndAt: new Date(0), ...fields } }),
    );

  it('marks the deliveries of a deleted server as failed, and emails the owners what to do', async () => {
    const order = await aPaidOrder(app.api, shop);
    await deleteServer();
    await failed(order);
    const [email] = await app.mailbox.next(
      shop.owner.email,
      new RegExp(`^Subject: Order #${order.number} could not[^]*`, 'm'),
    );
    expect(email).toContain('The game server of this order was deleted');
  });

  it('marks the deliveries of a deleted server as failed in batches, however many there are', async () => {
    const order = await aPaidOrder(app.api, shop);
    await inDatabase(app, async (db) => {
      const [deliveries, orders] = [db.collection('deliveries'), db.collection('orders')];
      const [delivery, stored] = [
        await deliveries.findOne({ orderId: idOf(order.id) }),
        await orders.findOne({ _id: idOf(order.id) }),
      ];
      const ids = Array.from({ length: 120 }, (_, index) => idOf(index.toString(16).padStart(24, 'e')));
      await orders.insertMany(ids.map((_id, index) => ({ ...stored, _id, number: 1_000_000 + index })));
      await deliveries.insertMany(ids.map((_id) => ({ ...delivery, _id, orderId: _id })));
    });
    await deleteServer();
    const states = (): Promise<unknown[]> =>
      inDatabase(app, (db) => db.collection('orders').distinct('deliveryStatus', { shopId: idOf(shop.shopId) }));
    await eventually(async () => (await states()).join() === 'failed');
  });

  it('accepts the report of a delivery that was leased before its server was deleted, and fails it when the lease ends', async () => {
    const [reported, lost] = [await aPaidOrder(app.api, shop), await aPaidOrder(app.api, shop)];
    const leased = await lease(app.api, shop);
    const queued = await aPaidOrder(app.api, shop);
    await deleteServer();
    // The job that fails it has seen the leased deliveries too.
    await failed(queued);
    for (const order of [reported, lost]) expect(await deliveryStatusOf(app.api, order)).toBe('leased');
    for (const delivery of leased.filter(({ orderId }) => orderId === reported.id)) {
      await acknowledge(app.api, shop, delivery);
    }
    await endLeases(app, lost);
    await checkAgain();
    await failed(lost);
    expect(await deliveryStatusOf(app.api, reported)).toBe('delivered');
  });

  it('marks deliveries of a deleted server as failed when the order is paid later, and when the shop wins a dispute', async () => {
    const { productId, serverId, shopId } = shop;
    const [open, disputed] = [await anOrder(app.api, shopId, { productId, serverId }), await aPaidOrder(app.api, shop)];
    await reportPayment(app.api, shop, disputed, 'dispute.opened');
    await deleteServer();
    await checkAgain({ archivedAt: new Date(0) });
    await eventually(async () =>
      inDatabase(app, async (db) => {
        const server = await db.collection('game_servers').findOne({ _id: idOf(serverId) });
        return server !== null && !('deliveriesEndAt' in server);
      }),
    );
    expect(await deliveryStatusOf(app.api, disputed)).toBe('held');
    expectSuccess(await sendCustom(app.api, shop.webhook, payment(open)));
    expect(await deliveryStatusOf(app.api, open)).toBe('failed');
    await reportPayment(app.api, shop, disputed, 'dispute.won');
    expect(await deliveryStatusOf(app.api, disputed)).toBe('failed');
  });

  it('marks a take-back on a deleted server as failed after a refund', async () => {
    const order = await aPaidOrder(app.api, shop);
    for (const delivery of await lease(app.api, shop)) await acknowledge(app.api, shop, delivery);
    await deleteServer();
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    expect([await deliveryStatusOf(app.api, order), await kindsOf(app.api, shop, order)]).toEqual([
      'failed',
      ['purchase delivered', 'take_back failed'],
    ]);
  });

  it('rejects queueing a delivery of a deleted server again', async () => {
    const order = await aPaidOrder(app.api, shop);
    await deleteServer();
    await failed(order);
    expectError(await redeliver(app.api, shop, order), 409, /^The game server of the delivery was deleted/);
    expect(await deliveryStatusOf(app.api, order)).toBe('failed');
  });
});
