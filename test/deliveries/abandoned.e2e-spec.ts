import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
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
  lease,
} from './delivery-actors.js';

describe('A delivery whose fifth lease ended without a report', () => {
  let app: TestApp;
  let shop: DeliveringShop;

  beforeAll(async () => {
    app = await startTestApp({ config: { sweepIntervalMs: 50 } });
  });
  beforeEach(async () => {
    shop = await aDeliveringShop(app.api);
  });
  afterAll(() => app.close());

  /** Leases the delivery of an order five times. The last lease still runs. */
  async function leaseFiveTimes(order: TestOrder): Promise<{ deliveryId: string; attempt: number }> {
    let last = { deliveryId: '', attempt: 0 };
    for (let attempt = 1; attempt <= 5; attempt++) {
      if (attempt > 1) await endLeases(app, order);
      const [leased] = await lease(app.api, shop);
      expect(leased).toMatchObject({ orderId: order.id, attempt });
      last = { deliveryId: leased?.deliveryId ?? '', attempt };
    }
    return last;
  }

  it('marks the delivery as uncertain although its server sends no more requests; the history and the audit log name the service (complaint 26)', async () => {
    const order = await aPaidOrder(app.api, shop);
    await leaseFiveTimes(order);
    await endLeases(app, order);
    await eventually(async () => (await deliveryStatusOf(app.api, order)) === 'uncertain');
    const { token } = shop.owner;
    const failed = await app.api.get(`/deliveries/${shop.shopId}?state=uncertain`, { token });
    expect(expectSuccess(failed)).toMatchObject([{ orderId: order.id, leaseUntil: null }]);
    const audit = expectSuccess<{ action: string; subjectId: string }[]>(
      await app.api.get(`/shops/${shop.shopId}/audit`, { token }),
    );
    expect(audit.filter(({ subjectId }) => subjectId === order.id)[0]).toMatchObject({
      action: 'order.delivery_changed',
      actor: { type: 'system', id: null, name: null },
      changes: [{ field: 'deliveryStatus', before: 'leased', after: 'uncertain' }],
    });
    const stored = await inDatabase(app, (db) => db.collection('orders').findOne({ _id: idOf(order.id) }));
    expect(stored?.['history']).toContainEqual(expect.objectContaining({ actor: 'system', action: 'goods_uncertain' }));
  });

  it('marks the delivery as delivered when its plugin reports it later', async () => {
    const order = await aPaidOrder(app.api, shop);
    const attempt = await leaseFiveTimes(order);
    await endLeases(app, order);
    await eventually(async () => (await deliveryStatusOf(app.api, order)) === 'uncertain');
    expect(await acknowledge(app.api, shop, attempt)).toMatchObject({ status: 'delivered', accepted: true });
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
  });

  it('keeps the delivery while the lease runs, and while it can be leased again', async () => {
    const [leasedOnce, running, abandoned] = [
      await aPaidOrder(app.api, shop),
      await aPaidOrder(app.api, await aDeliveringShop(app.api)),
      await aPaidOrder(app.api, shop),
    ];
    await inDatabase(app, async (db) => {
      const set = (orderId: string, fields: object): Promise<unknown> =>
        db.collection('deliveries').updateOne({ orderId: idOf(orderId) }, { $set: { state: 'leased', ...fields } });
      // The orders first: the job writes the order as soon as its delivery is abandoned.
      await db
        .collection('orders')
        .updateMany(
          { _id: { $in: [leasedOnce.id, running.id, abandoned.id].map(idOf) } },
          { $set: { deliveryStatus: 'leased' } },
        );
      await set(leasedOnce.id, { attemptsLeft: 4, dueAt: new Date(0) });
      await set(running.id, { attemptsLeft: 0, dueAt: new Date(Date.now() + 3_600_000) });
      await set(abandoned.id, { attemptsLeft: 0, dueAt: new Date(0) });
    });
    await eventually(async () => (await deliveryStatusOf(app.api, abandoned)) === 'uncertain');
    expect([await deliveryStatusOf(app.api, leasedOnce), await deliveryStatusOf(app.api, running)]).toEqual([
      // Its lease is over, and the next one can begin.
      'queued',
      'leased',
    ]);
  });
});
