import { type PaymentEvent, type PaymentEventType } from '../../src/orders/order/payment-event.types.js';

/** A time within the hour in which the payments of the specs happen. */
export const atMinute = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 12, minute));

let made = 0;

/** An event about a payment of 10.00 EUR, with an id of its own. */
export function paymentEvent(type: PaymentEventType, minute: number, fields: Partial<PaymentEvent> = {}): PaymentEvent {
  return {
    provider: 'stripe',
    eventId: `evt_${++made}`,
    type,
    paymentId: 'pay_1',
    amountMinor: 1_000,
    currency: 'EUR',
    occurredAt: atMinute(minute),
    cumulative: false,
    ...fields,
  };
}
