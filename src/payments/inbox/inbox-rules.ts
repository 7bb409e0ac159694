import { type PaymentEvent, type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { DAY_MS } from '../../platform/time/durations.js';
import { INBOX_TRANSITIONS, type InboxEvent } from './inbox.types.js';

/** What a provider reports of money that it has accepted, but not received. */
const ON_ITS_WAY: readonly PaymentEventType[] = ['payment.processing', 'payment.authorized'];

/** A stored event as its order gets it. @param confirmationDays of its provider */
export function paymentEventOf({ provider, eventId, payment }: InboxEvent, confirmationDays: number): PaymentEvent {
  if (payment === null) throw new Error('an event without a payment cannot be applied');
  const event = { provider, eventId, ...payment };
  if (!ON_ITS_WAY.includes(event.type)) return event;
  return { ...event, awaitedUntil: new Date(event.occurredAt.getTime() + confirmationDays * DAY_MS) };
}

/** Whether the state of an event cannot change any more, whatever is repeated. */
export function isFinal({ state }: Pick<InboxEvent, 'state'>): boolean {
  return INBOX_TRANSITIONS[state].length === 0;
}

/**
 * Names of the records that a transaction about a payment of an order writes, for `oneAtATime`. Many events name only one of the two,
 * so both count.
 */
export function paymentRecordsOf({
  shopId,
  provider,
  orderId,
  payment,
}: Pick<InboxEvent, 'shopId' | 'provider' | 'orderId'> & {
  readonly payment: { readonly paymentId: string } | null;
}): string[] {
  return [
    ...(orderId === null ? [] : [`payments of order ${orderId}`]),
    ...(payment === null ? [] : [`payment ${shopId} ${provider} ${payment.paymentId}`]),
  ];
}
