import { expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type Order } from '../../orders/order/order.types.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type ShopEventDetails, type ShopEventType } from '../../events/shop-events/shop-event-details.js';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { type EventBody, EventBodiesService } from './event-bodies.service.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const order = {
  ...{ id: ORDER, shopId: SHOP, nickname: 'Steve_42', email: 'steve@example.com', buyerKey: 'steve@example.com' },
  ...{ items: [], discount: null, subtotalMinor: 1_998, totalMinor: 1_998, currency: 'EUR' },
  ...{ createdAt: NOW, paidAt: NOW, expiresAt: NOW, status: 'completed', paymentStatus: 'paid' },
} as unknown as Order;
const bodies = new EventBodiesService(
  recording<OrdersService>([], { getAll: () => Promise.resolve((id) => ({ ...order, id })) }),
);
async function bodyOf<Type extends ShopEventType>(type: Type, details?: ShopEventDetails[Type]): Promise<EventBody> {
  const event = { id: 'event', type, shopId: SHOP, subjectId: ORDER, at: NOW, details } as ShopEvent;
  return (await bodies.bodiesOf(SHOP, [event], TRANSACTION))(event);
}
const HEAD = { timestamp: NOW.toISOString(), shopId: SHOP };

it.each(['order.paid', 'delivery.failed'] as const)(
  'writes the order as its buyer sees it into the body of %s, without the email address',
  async (type) => {
    const body = await bodyOf(type);
    const seen = { id: ORDER, total: 19.98, paymentStatus: 'paid', nickname: 'Steve_42' };
    expect(body).toEqual({ type, ...HEAD, data: { order: expect.objectContaining(seen) } });
    expect(JSON.stringify(body)).not.toContain('@example.com');
  },
);

it('writes the refunded amount, in major units, into the body of a refund', async () => {
  expect((await bodyOf('order.refunded', { amountMinor: 505 })).data).toMatchObject({ refundedAmount: 5.05 });
});

it('writes the amounts of a review, a dispute and a failed refund in major units', async () => {
  const reason = { code: 'amount', message: '999.00 EUR arrived', currency: 'EUR' } as const;
  const review = await bodyOf('order.review_needed', { reasons: [{ ...reason, amountMinor: 99_900 }] });
  expect(review.data).toEqual({ order: expect.anything(), reasons: [{ ...reason, amount: 999 }] });
  const payment = { provider: 'stripe', paymentId: 'pi_1', currency: 'JPY' };
  const details = { ...payment, amountMinor: 500 };
  const data = { order: expect.anything(), ...payment, amount: 500 };
  for (const type of ['order.surplus_refunded', 'order.disputed', 'order.dispute_won', 'order.dispute_lost'] as const)
    expect((await bodyOf(type, details)).data).toEqual(data);
  const failed = await bodyOf('refund.failed', { ...details, reason: null });
  expect(failed.data).toEqual({ ...data, reason: null });
  const unconfirmed = await bodyOf('refund.unconfirmed', { ...details, refundId: 're_1' });
  expect(unconfirmed.data).toEqual({ ...data, refundId: 're_1' });
});

it.each([
  ['order.cancelled', { reason: 'Asked by the buyer' }],
  ['order.nickname_changed', { previousNickname: 'Steve', nickname: 'Steve_42', item: null }],
] as const)('writes the details of %s into its body', async (type, details) => {
  const { data } = await bodyOf(type, details);
  expect(data).toEqual({ order: expect.anything(), ...details });
});

it('writes a decision about a review into its body, without whether the order was paid', async () => {
  const decided = { decision: 'accept', reason: 'Seen in the bank' } as const;
  const { data } = await bodyOf('order.review_resolved', { ...decided, wasPaid: true });
  expect(data).toEqual({ order: expect.anything(), ...decided });
});

it('writes the subject and the details of any other event into its body', async () => {
  expect(await bodyOf('server.offline', { name: 'Survival' })).toEqual({
    type: 'server.offline',
    ...HEAD,
    data: { id: ORDER, name: 'Survival' },
  });
});
