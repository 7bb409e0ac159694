import { type UnappliedProblem } from '../../domain/payments/provider-problems.js';
import { type LockName, lockOn } from '../../domain/limits/lock-names.js';
import { type PaymentEvent, type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { formatAmount } from '../../lib/money/money.js';
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
}): LockName[] {
  return [
    ...(orderId === null ? [] : [lockOn('paymentsOfOrder', orderId)]),
    ...(payment === null ? [] : [lockOn('payment', shopId, provider, payment.paymentId)]),
  ];
}

/** What a provider reports when money has come or gone, or is about to. */
const ABOUT_MONEY: readonly PaymentEventType[] = [
  'payment.authorized',
  'payment.succeeded',
  'refund.succeeded',
  'dispute.opened',
  'dispute.lost',
];

/** Whether an event is about money of the shop, so that somebody has to know when it belongs to no order. */
export function isAboutMoney({ payment }: Pick<InboxEvent, 'payment'>): boolean {
  return payment !== null && ABOUT_MONEY.includes(payment.type);
}

/** Why an event could not be applied, in one sentence for owners. */
export function unappliedReason(
  { kind, orderId, payment }: Pick<InboxEvent, 'kind' | 'orderId' | 'payment'>,
  problem: UnappliedProblem,
): string {
  const of =
    payment && ` of the payment ${payment.paymentId} over ${formatAmount(payment.amountMinor, payment.currency)}`;
  const event = `The event ${payment?.type ?? kind}${of ?? ''}`;
  switch (problem) {
    case 'order_not_found':
      return `${event} names the order ${orderId ?? ''}, which the shop does not have`;
    case 'internal_error':
      return `${event} could not be applied because of an error of this service`;
  }
}
