import { expect, it } from '@jest/globals';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { PAYMENT_EVENT_TYPES } from '../../orders/order/payment-event.types.js';
import { isFinal, paymentEventOf, paymentRecordsOf } from './inbox-rules.js';
import { INBOX_STATES, type InboxEvent } from './inbox.types.js';

it('accepts only applied, ignored and rejected events as final', () => {
  expect(INBOX_STATES.filter((state) => isFinal({ state }))).toEqual(['processed', 'ignored', 'rejected']);
});

it('adds the time until which the provider confirms it to an event about money on its way, and to no other event', () => {
  for (const type of PAYMENT_EVENT_TYPES) {
    const { provider, eventId, ...payment } = paymentEvent(type, 0);
    const event = paymentEventOf({ provider, eventId, payment } as InboxEvent, 21);
    const isOnItsWay = type === 'payment.processing' || type === 'payment.authorized';
    const awaitedUntil = new Date(payment.occurredAt.getTime() + 21 * DAY_MS);
    expect(event).toEqual({ provider, eventId, ...payment, ...(isOnItsWay ? { awaitedUntil } : {}) });
  }
});

it.each([
  ['order1', { paymentId: 'pi_1' }, ['paymentsOfOrder:order1', 'payment:shop1:stripe:pi_1']],
  [null, { paymentId: 'pi_1' }, ['payment:shop1:stripe:pi_1']],
  ['order1', null, ['paymentsOfOrder:order1']],
])('names what a transaction about the order %s and the payment %j writes', (orderId, payment, names) => {
  expect(paymentRecordsOf({ shopId: 'shop1', provider: 'stripe', orderId, payment })).toEqual(names);
});
