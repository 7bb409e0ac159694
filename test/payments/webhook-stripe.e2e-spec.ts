import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { appliedTo, PAID, stateOf } from './paid-orders.js';
import { aSellingShop, type SellingShop, sendStripe } from './senders.js';

describe('POST /payments/webhooks/stripe/{shopId}/{webhookSecret}', () => {
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

  const events = ({ id }: TestOrder) => {
    const common = { payment_intent: `pi_${id}`, currency: 'eur', metadata: {} };
    const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 8, minute));
    return [
      {
        type: 'checkout.session.completed',
        object: { ...common, id: `cs_${id}`, payment_status: 'paid', amount_total: 1999, client_reference_id: id },
        at: at(1),
      },
      {
        type: 'payment_intent.succeeded',
        object: { ...common, id: `pi_${id}`, amount_received: 1999 },
        at: at(2),
      },
      { type: 'charge.refunded', object: { ...common, id: `ch_${id}`, amount_refunded: 500 }, at: at(3) },
      {
        type: 'charge.dispute.created',
        object: { ...common, id: `dp_${id}`, charge: 'ch', amount: 1999 },
        at: at(4),
      },
      {
        type: 'charge.dispute.closed',
        object: { ...common, id: `dp_${id}`, charge: 'ch', amount: 1999, status: 'won' },
        at: at(5),
      },
    ] as const;
  };

  it('counts the part of a lost dispute that Stripe did not give back', async () => {
    const bought = await shop.anOrder();
    const [paid, , , opened] = events(bought);
    const balance_transactions = [
      { id: 'txn_1', amount: -1999, currency: 'eur', fee: 2000 },
      { id: 'txn_2', amount: 1500, currency: 'eur', fee: 0 },
    ];
    const closed = {
      ...opened,
      type: 'charge.dispute.closed',
      object: { ...opened.object, status: 'lost', balance_transactions },
    };
    for (const { type, object, at } of [paid, opened, closed]) {
      expectSuccess(await sendStripe(app.api, shop.stripe, type, object, { at }));
    }
    expect(await stateOf(app.api, bought)).toEqual({ ...PAID, paymentStatus: 'partially_refunded' });
  });

  it('counts the session and the intent of one payment as one payment', async () => {
    const bought = await shop.anOrder();
    for (const { type, object, at } of events(bought).slice(0, 2)) {
      expectSuccess(await sendStripe(app.api, shop.stripe, type, object, { at }));
    }
    expect(await stateOf(app.api, bought)).toEqual(PAID);
    expect(await appliedTo(records.db, bought)).toHaveLength(2);
  });

  it.each([[[0, 1, 2, 3, 4]], [[4, 3, 2, 1, 0]], [[2, 3, 4, 1, 0]], [[3, 0, 4, 2, 1]], [[1, 4, 0, 3, 2]]])(
    'reaches the same state when the events of an order arrive as %j, although only one of them names the order',
    async (arrival) => {
      const bought = await shop.anOrder();
      for (const at of arrival) {
        const event = events(bought)[at];
        if (event) expectSuccess(await sendStripe(app.api, shop.stripe, event.type, event.object, { at: event.at }));
      }
      expect(await appliedTo(records.db, bought)).toHaveLength(5);
      expect(await stateOf(app.api, bought)).toEqual({ ...PAID, paymentStatus: 'partially_refunded' });
    },
  );

  it('applies all of 120 events that waited for the one that names their order, and keeps the order small', async () => {
    const bought = await shop.anOrder();
    const [paid, , refund] = events(bought);
    const cumulative = (index: number): object => ({ ...refund.object, amount_refunded: index });
    for (let index = 1; index <= 120; index++) {
      expectSuccess(await sendStripe(app.api, shop.stripe, refund.type, cumulative(index), { at: refund.at }));
    }
    expect(await appliedTo(records.db, bought)).toEqual([]);
    expectSuccess(await sendStripe(app.api, shop.stripe, paid.type, paid.object, { at: paid.at }));
    expect(await appliedTo(records.db, bought)).toHaveLength(121);
    expect(await stateOf(app.api, bought)).toMatchObject({ status: 'completed', paymentStatus: 'needs_review' });
    const stored = await records.db.collection('orders').findOne({ _id: idOf(bought.id) });
    expect([stored?.['payments'].length, stored?.['history'].length]).toEqual([102, 100]);
  });

  it('reaches the same state when they arrive in parallel', async () => {
    const bought = await shop.anOrder();
    const sent = await Promise.all(
      events(bought).map(({ type, object, at }) => sendStripe(app.api, shop.stripe, type, object, { at })),
    );
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await appliedTo(records.db, bought)).toHaveLength(5);
    expect(await stateOf(app.api, bought)).toEqual({ ...PAID, paymentStatus: 'partially_refunded' });
  });
});
