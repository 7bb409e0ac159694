import { type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { DAY_MS } from '../../../lib/time/durations.js';
import { IDENTIFIER, type JsonFields } from '../json-fields.js';
import { type PaymentDetails, type ProviderEvent, type StartedRefund } from '../provider.js';
import { amountIn, orderIdIn } from '../provider-fields.js';

interface State {
  readonly type: PaymentEventType;
  /** The field with the time at which the payment reached the state. */
  readonly since: string;
}

/** The states of a payment at Mollie. It stays `paid` after refunds and chargebacks. */
const STATES: ReadonlyMap<string, State> = new Map([
  ['open', { type: 'payment.pending', since: 'createdAt' }],
  ['pending', { type: 'payment.processing', since: 'createdAt' }],
  ['authorized', { type: 'payment.authorized', since: 'authorizedAt' }],
  ['paid', { type: 'payment.succeeded', since: 'paidAt' }],
  ['failed', { type: 'payment.failed', since: 'failedAt' }],
  ['canceled', { type: 'payment.canceled', since: 'canceledAt' }],
  ['expired', { type: 'payment.expired', since: 'expiredAt' }],
]);

/**
 * The states of a refund. When nobody can cancel it any more, because the bank has it, or the buyer, it counts. These two are one
 * event, because Mollie does not promise a request for each of them.
 */
const REFUND_STATES: ReadonlyMap<string, 'pending' | 'succeeded' | 'failed'> = new Map([
  ['queued', 'pending'],
  ['pending', 'pending'],
  ['processing', 'succeeded'],
  ['refunded', 'succeeded'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
]);

/** The state of a refund at Mollie; null for one that we do not know. */
export function mollieRefundState(refund: JsonFields): StartedRefund['state'] | null {
  return REFUND_STATES.get(refund.string('status', IDENTIFIER)) ?? null;
}

/** What all events of a payment have in common. */
type PaymentReference = Pick<PaymentDetails, 'orderId' | 'paymentId' | 'cumulative'>;

function stateOf(payment: JsonFields, reference: PaymentReference): ProviderEvent {
  const status = payment.string('status', IDENTIFIER);
  const eventId = `${reference.paymentId}-${status}`;
  const state = STATES.get(status);
  if (state === undefined) return { eventId, kind: `payment.${status}`, payment: null };
  const occurredAt = payment.instant(payment.value(state.since) == null ? 'createdAt' : state.since);
  const details = { type: state.type, ...reference, ...amountIn(payment, 'amount'), occurredAt };
  return { eventId, kind: `payment.${status}`, payment: details };
}

function refundOf(refund: JsonFields, reference: PaymentReference): ProviderEvent {
  const id = refund.string('id', IDENTIFIER);
  const status = refund.string('status', IDENTIFIER);
  const kind = `refund.${status}`;
  const state = mollieRefundState(refund);
  if (state === null) return { eventId: `${id}-${status}`, kind, payment: null };
  const occurredAt = refund.instant('createdAt');
  const details = {
    type: `refund.${state}` as const,
    refundId: id,
    ...reference,
    ...amountIn(refund, 'amount'),
    occurredAt,
  };
  return { eventId: state === 'succeeded' ? `${id}-refunded` : `${id}-${state}`, kind, payment: details };
}

/** How long a bank of a buyer may take to decide about a chargeback that the shop disputes. The networks of cards need the most. */
export const MOLLIE_DISPUTE_DAYS = 120;

/**
 * A chargeback, and how it ended: its reversal, or its loss when there is none after the longest time. Its money is gone from the first
 * moment, but it may come back. Mollie reports no loss.
 */
function chargebackOf(chargeback: JsonFields, reference: PaymentReference, now: Date): ProviderEvent[] {
  const id = chargeback.string('id', IDENTIFIER);
  const details = { ...reference, disputeId: id, ...amountIn(chargeback, 'amount') };
  const openedAt = chargeback.instant('createdAt');
  const opened: ProviderEvent = {
    eventId: `${id}-received`,
    kind: 'chargeback.received',
    payment: { type: 'dispute.opened', ...details, occurredAt: openedAt },
  };
  if (chargeback.value('reversedAt') == null) {
    const lostAt = new Date(openedAt.getTime() + MOLLIE_DISPUTE_DAYS * DAY_MS);
    const lost = { type: 'dispute.lost' as const, ...details, occurredAt: lostAt };
    return lostAt > now ? [opened] : [opened, { eventId: `${id}-lost`, kind: 'chargeback.lost', payment: lost }];
  }
  const reversed: ProviderEvent = {
    eventId: `${id}-reversed`,
    kind: 'chargeback.reversed',
    payment: { type: 'dispute.won', ...details, occurredAt: chargeback.instant('reversedAt') },
  };
  return [opened, reversed];
}

/**
 * Reads a payment that was fetched from Mollie: its state, and all its refunds and chargebacks so far. Each has an id of its own,
 * so a repetition has the same events.
 * @param now decides which chargebacks are lost
 * @throws AppError webhook_rejected when a field is not as expected
 */
export function readMolliePayment(payment: JsonFields, paymentId: string, now: Date): ProviderEvent[] {
  const reference = { orderId: orderIdIn(payment), paymentId, cumulative: false };
  const embedded = payment.value('_embedded') == null ? null : payment.child('_embedded');
  return [
    stateOf(payment, reference),
    ...(embedded?.children('refunds') ?? []).map((refund) => refundOf(refund, reference)),
    ...(embedded?.children('chargebacks') ?? []).flatMap((chargeback) => chargebackOf(chargeback, reference, now)),
  ];
}
