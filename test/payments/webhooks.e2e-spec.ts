import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aShop } from '../support/actors.js';
import { anInstant, expectSuccess } from '../support/envelope.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { ignored, appliedTo, OPEN, PAID, received, stateOf } from './paid-orders.js';
import { aSellingShop, aWebhook, payment, type SellingShop, sendCustom, sendStripe } from './senders.js';

/** Why the payment of an order is not applied: it is the same for an unknown order and for one of another shop. */
const notOfShop = (orderId: string): string =>
  `The event payment.succeeded of the payment pay_${orderId} over 19.99 EUR names the order ${orderId}, which the shop does not have`;

describe('POST /payments/webhooks/{provider}/{shopId}/{webhookSecret}', () => {
  let app: TestApp;
  let records: Records;
  let shop: SellingShop;

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    shop = await aSellingShop(app.api);
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  it('accepts an empty body as a check that the webhook exists, and changes nothing', async () => {
    for (const body of [undefined, Buffer.alloc(0)]) {
      const response = await app.api.post(shop.custom.path, body);
      expect(expectSuccess(response, 'Notification received')).toEqual({ received: false, events: [] });
    }
  });

  it('marks an order as paid and queues its deliveries (complaint 20)', async () => {
    const bought = await shop.anOrder();
    const response = await sendCustom(app.api, shop.custom, payment(bought), { eventId: 'msg_first' });
    expect(expectSuccess(response, 'Notification received')).toEqual(received('msg_first', 'processed'));
    expect(await stateOf(app.api, bought)).toEqual(PAID);
  });

  it('returns the same for a repeated event and changes nothing', async () => {
    const bought = await shop.anOrder();
    const again = { eventId: `msg_${bought.id}` };
    await sendCustom(app.api, shop.custom, payment(bought), again);
    const response = await sendCustom(app.api, shop.custom, payment(bought), again);
    expect(expectSuccess(response)).toEqual(received(again.eventId, 'processed', true));
    expect(await appliedTo(records.db, bought)).toEqual([again.eventId]);
  });

  it('returns 200 to each of 50 parallel copies of an event, with one effect', async () => {
    const bought = await shop.anOrder();
    const once = { eventId: `msg_${bought.id}` };
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => sendCustom(app.api, shop.custom, payment(bought), once)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(responses.filter(({ body }) => body.data.events[0].duplicate === false)).toHaveLength(1);
    expect(responses.every(({ body }) => body.data.events[0].state === 'processed')).toBe(true);
    expect(await appliedTo(records.db, bought)).toEqual([once.eventId]);
    const deliveries = { orderId: idOf(bought.id) };
    expect(await records.db.collection('deliveries').countDocuments(deliveries)).toBe(1);
  });

  it('applies a repeated event that was stored before the process died', async () => {
    const bought = await shop.anOrder();
    const eventId = `msg_${bought.id}`;
    await sendCustom(app.api, shop.custom, payment(bought, { type: 'payment.pending' }), { eventId });
    // The state after a process was killed between storing and applying the event.
    await records.db
      .collection('payment_events')
      .updateOne({ eventId }, { $set: { state: 'received', settledAt: null } });
    await records.db.collection('orders').updateOne({ _id: idOf(bought.id) }, { $set: { payments: [] } });
    await records.db.collection('audit_log').deleteMany({ action: 'order.payment_changed', subjectId: bought.id });
    const response = await sendCustom(app.api, shop.custom, payment(bought, { type: 'payment.pending' }), { eventId });
    expect(expectSuccess(response)).toEqual(received(eventId, 'processed', true));
    expect(await appliedTo(records.db, bought)).toEqual([eventId]);
  });

  it.each<[string, object, object]>([
    ['too little', { amount: 19.98 }, { code: 'amount', message: '19.98 EUR arrived, 19.99 EUR was due' }],
    ['too much', { amount: 999 }, { code: 'amount', message: '999.00 EUR arrived, 19.99 EUR was due' }],
    ['another currency', { currency: 'USD' }, { code: 'currency', message: '19.99 USD arrived, 19.99 EUR was due' }],
  ])(
    'marks an order that is paid with %s for review, and says why in the response, the event and the order',
    async (_, changes, reason) => {
      const bought = await shop.anOrder();
      const { message } = reason as { message: string };
      const eventId = `msg_${bought.id}`;
      const sent = await sendCustom(app.api, shop.custom, payment(bought, changes), { eventId });
      expect(expectSuccess(sent)).toEqual(received(eventId, 'processed', false, message));
      const again = await sendCustom(app.api, shop.custom, payment(bought, changes), { eventId });
      expect(expectSuccess(again)).toEqual(received(eventId, 'processed', true, message));
      expect(await stateOf(app.api, bought)).toEqual({ ...OPEN, paymentStatus: 'needs_review' });
      const staff = { token: shop.owner.token };
      const [event] = expectSuccess<object[]>(
        await app.api.get(`/payments/${shop.shopId}/events?orderId=${bought.id}`, staff),
      );
      expect(event).toMatchObject({ eventId, problem: message });
      const { history, reviewReasons } = expectSuccess<{ history: object[]; reviewReasons: object[] }>(
        await app.api.get(`/orders/${shop.shopId}/${bought.id}`, staff),
      );
      expect(history.at(-1)).toMatchObject({ action: 'payment.succeeded', detail: `needs_review: ${message}` });
      expect(reviewReasons).toMatchObject([reason]);
    },
  );

  it('stores an event of an unknown kind and does not change the order', async () => {
    const response = await sendCustom(app.api, shop.custom, { type: 'customer.updated' }, { eventId: 'msg_unknown' });
    expect(expectSuccess(response)).toEqual(ignored('msg_unknown'));
  });

  it('stores an event of an unknown order as failed', async () => {
    const nobodys = payment({ ...(await shop.anOrder()), id: '655f1c2ab1e4a9d3f0c80000' });
    const response = await sendCustom(app.api, shop.custom, nobodys, { eventId: 'msg_nobody' });
    expect(expectSuccess(response)).toEqual(
      received('msg_nobody', 'failed', false, notOfShop('655f1c2ab1e4a9d3f0c80000')),
    );
  });

  it('changes no order of another shop', async () => {
    const bought = await shop.anOrder();
    const elsewhere = await aShop(app.api);
    const theirs = await aWebhook(app.api, elsewhere, 'custom');
    const response = await sendCustom(app.api, theirs, payment(bought), { eventId: 'msg_foreign' });
    expect(expectSuccess(response)).toEqual(received('msg_foreign', 'failed', false, notOfShop(bought.id)));
    expect(await stateOf(app.api, bought)).toEqual(OPEN);
    expect(await appliedTo(records.db, bought)).toEqual([]);
  });

  it('treats the same event id of two shops as two events', async () => {
    const [one, other] = [await shop.anOrder(), await shop.anOrder()];
    const same = { eventId: `evt_${one.id}` };
    await sendCustom(app.api, shop.custom, payment(one), same);
    const intent = { id: 'pi_same', amount_received: 1999, currency: 'eur', metadata: { orderId: other.id } };
    expectSuccess(await sendStripe(app.api, shop.stripe, 'payment_intent.succeeded', intent, same));
    expect([await stateOf(app.api, one), await stateOf(app.api, other)]).toEqual([PAID, PAID]);
  });

  it('accepts any content type, because the signature covers the bytes (complaint 21)', async () => {
    const bought = await shop.anOrder();
    const headers = { 'Content-Type': 'text/plain; charset=latin1' };
    expectSuccess(await sendCustom(app.api, shop.custom, payment(bought), { headers }));
    expect(await stateOf(app.api, bought)).toEqual(PAID);
  });

  it('stores the event with its times and its state', async () => {
    const stored = await records.db
      .collection('payment_events')
      .findOne({ eventId: 'msg_first' }, { projection: { _id: 0 } });
    expect(JSON.parse(JSON.stringify(stored))).toEqual({
      shopId: shop.shopId,
      provider: 'custom',
      eventId: 'msg_first',
      kind: 'payment.succeeded',
      state: 'processed',
      failure: null,
      problem: null,
      attempts: 1,
      orderId: expect.any(String),
      payment: {
        type: 'payment.succeeded',
        paymentId: expect.stringMatching(/^pay_/),
        amountMinor: 1999,
        currency: 'EUR',
        occurredAt: '2026-11-21T08:00:00.000Z',
        cumulative: false,
      },
      receivedAt: anInstant,
      settledAt: anInstant,
      forgetAt: null,
    });
  });
});
