import { expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type Order } from '../../orders/order/order.types.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type ShopEvent, type ShopEventType } from '../../events/shop-events/shop-event.types.js';
import { EventBodiesService } from './event-bodies.service.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const order = {
  ...{ id: ORDER, shopId: SHOP, nickname: 'Steve_42', email: 'steve@example.com', buyerKey: 'steve@example.com' },
  ...{ items: [], discount: null, subtotalMinor: 1_998, totalMinor: 1_998, currency: 'EUR' },
  ...{ createdAt: NOW, paidAt: NOW, expiresAt: NOW, status: 'completed', paymentStatus: 'paid' },
} as unknown as Order;
const calls: Call[] = [];
const bodies = new EventBodiesService(recording<OrdersService>(calls, { get: () => Promise.resolve(order) }));
const eventWith = (fields: Partial<ShopEvent>): ShopEvent => {
  return { id: 'event', type: 'order.paid', shopId: SHOP, subjectId: ORDER, at: NOW, ...fields };
};
const HEAD = { timestamp: NOW.toISOString(), shopId: SHOP };

it.each(['order.paid', 'delivery.failed'] as const)(
  'writes the order as its buyer sees it into the body of %s, without the email address',
  async (type) => {
    calls.length = 0;
    const body = await bodies.bodyOf(eventWith({ type }), TRANSACTION);
    const seen = { id: ORDER, total: 19.98, paymentStatus: 'paid', nickname: 'Steve_42' };
    expect(body).toEqual({ type, ...HEAD, data: { order: expect.objectContaining(seen) } });
    expect(JSON.stringify(body)).not.toContain('@example.com');
    expect(calls).toEqual([['get', SHOP, ORDER, TRANSACTION]]);
  },
);

it('writes the refunded amount, in major units, into the body of a refund', async () => {
  const { data } = await bodies.bodyOf(
    eventWith({ type: 'order.refunded', details: { amountMinor: 505 } }),
    TRANSACTION,
  );
  expect(data.refundedAmount).toBe(5.05);
});

it('writes the amounts of a review, a dispute and a failed refund in major units', async () => {
  const reason = { code: 'amount', message: '999.00 EUR arrived', currency: 'EUR' } as const;
  const reviewed = { type: 'order.review_needed', details: { reasons: [{ ...reason, amountMinor: 99_900 }] } } as const;
  const review = await bodies.bodyOf(eventWith(reviewed), TRANSACTION);
  expect(review.data['reasons']).toEqual([{ ...reason, amount: 999 }]);
  const payment = { provider: 'stripe', paymentId: 'pi_1', currency: 'JPY' };
  const types = ['order.disputed', 'order.dispute_won', 'order.dispute_lost', 'refund.failed', 'refund.unconfirmed'];
  for (const type of types as ShopEventType[]) {
    const body = await bodies.bodyOf(eventWith({ type, details: { ...payment, amountMinor: 500 } }), TRANSACTION);
    expect(body.data).toEqual({ order: expect.anything(), ...payment, amount: 500 });
  }
});

it.each([
  ['order.cancelled', { reason: 'Asked by the buyer' }],
  ['order.review_resolved', { decision: 'accept', reason: 'Seen in the bank' }],
  ['order.nickname_changed', { previousNickname: 'Steve', nickname: 'Steve_42', item: null }],
] as const)('writes the details of %s into its body', async (type, details) => {
  const { data } = await bodies.bodyOf(eventWith({ type, details }), TRANSACTION);
  expect(data).toEqual({ order: expect.anything(), ...details });
});

it('writes the subject and the details of any other event into its body', async () => {
  const event = eventWith({ type: 'server.offline', subjectId: 's', details: { name: 'Survival' } });
  expect(await bodies.bodyOf(event, TRANSACTION)).toEqual({
    type: 'server.offline',
    ...HEAD,
    data: { id: 's', name: 'Survival' },
  });
});
