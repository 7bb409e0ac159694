import { type DisputeEventType } from '../../events/shop-events/shop-event-details.js';
import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { type Order, type Reversal, type SettledChange } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { nameOf, paymentOf, sumOf } from './payment-events.js';
import { refundOf } from './refund-sums.js';
import { type ReceivedPayment, receivedPayments } from './received-payments.js';
import { newReasons, reviewReasons } from './review-reasons.js';

type Settled = Pick<SettledChange, 'paidAt' | 'reversals' | 'payments' | 'missing' | 'review' | 'history'>;
type Before = Omit<Settled, 'history'> & Pick<Order, 'id' | 'totalMinor' | 'currency' | 'createdAt'>;

const refundedMinor = (reversals: readonly Reversal[]): MinorUnits =>
  sumOf(reversals.filter(({ kind }) => kind === 'refund'));

/** What began or ended in the disputes about one payment. */
function disputeEventOf(
  before: ReceivedPayment | undefined,
  after: ReceivedPayment,
  added: readonly PaymentEvent[],
): DisputeEventType | null {
  if (after.chargedBackMinor > (before?.chargedBackMinor ?? 0)) return 'order.dispute_lost';
  const wasDisputed = before?.isDisputed ?? false;
  if (after.isDisputed) return wasDisputed ? null : 'order.disputed';
  // A lost dispute can be won by an appeal.
  const isWon = added.some((event) => event.type === 'dispute.won' && paymentOf(event) === paymentOf(after));
  return wasDisputed || (isWon && before !== undefined && after.chargedBackMinor < before.chargedBackMinor)
    ? 'order.dispute_won'
    : null;
}

/** A payment as it is now, and as it was before the change. */
type ChangedPayment = readonly [after: ReceivedPayment, before: ReceivedPayment | undefined];

function changedPayments(before: Before, after: Settled): ChangedPayment[] {
  const known = new Map(receivedPayments(before, before.payments).map((payment) => [paymentOf(payment), payment]));
  return receivedPayments({ ...before, ...after }, after.payments).map((payment) => [
    payment,
    known.get(paymentOf(payment)),
  ]);
}

const refundedNow = ([after, before]: ChangedPayment): MinorUnits => after.refundedMinor - (before?.refundedMinor ?? 0);

/**
 * What a change refunds of the sale, in the currency of the order. An acceptance by staff makes earlier refunds a part of the sale:
 * these are published already.
 */
function saleRefundMinor(before: Before, after: Settled, payments: readonly ChangedPayment[]): MinorUnits {
  const ofSaleMinor = refundedMinor(after.reversals) - refundedMinor(before.reversals);
  const inCurrency = payments.filter(([{ currency }]) => currency === before.currency);
  return Math.min(
    ofSaleMinor,
    inCurrency.reduce((sum, payment) => sum + refundedNow(payment), 0),
  );
}

/**
 * What was refunded beyond the refunds of the sale: a surplus, what was rejected, or an amount that never paid the order.
 * @param ofSaleMinor what the change refunds of the sale, in the currency of the order
 */
function surplusRefundEvents(
  order: Before,
  payments: readonly ChangedPayment[],
  ofSaleMinor: MinorUnits,
): NewShopEvent[] {
  return payments.flatMap((payment) => {
    const [{ provider, paymentId, currency }] = payment;
    const ofSale = currency === order.currency ? Math.max(0, ofSaleMinor) : 0;
    const amountMinor = refundedNow(payment) - ofSale;
    const details = { provider, paymentId, amountMinor, currency };
    return amountMinor > 0 ? [{ type: 'order.surplus_refunded', subjectId: order.id, details } as const] : [];
  });
}

function disputeEvents(
  before: Before,
  payments: readonly ChangedPayment[],
  added: readonly PaymentEvent[],
): NewShopEvent[] {
  return payments.flatMap(([payment, earlier]) => {
    const type = disputeEventOf(earlier, payment, added);
    if (type === null) return [];
    const { provider, paymentId, currency } = payment;
    const lostMinor = payment.chargedBackMinor - (earlier?.chargedBackMinor ?? 0);
    const amountMinor = type === 'order.dispute_lost' ? lostMinor : payment.amountMinor;
    return [{ type, subjectId: before.id, details: { provider, paymentId, amountMinor, currency } }];
  });
}

function reviewEvents(before: Before, after: Settled): NewShopEvent[] {
  const known = reviewReasons(before, before.payments);
  const left = reviewReasons({ ...before, ...after }, after.payments);
  const isDecided = after.review !== before.review;
  // The person who decides reads in the response what is left to do, such as the refund of a surplus.
  const reasons = isDecided ? [] : newReasons(known, left);
  const isResolved = isDecided || (known.length > 0 && left.length === 0);
  const decided = { decision: after.review?.decision ?? null, reason: after.history.detail };
  const decision = isDecided ? decided : { decision: null, reason: null };
  const details = { ...decision, wasPaid: before.paidAt !== null };
  return [
    ...(reasons.length > 0
      ? [{ type: 'order.review_needed', subjectId: before.id, details: { reasons } } as const]
      : []),
    ...(isResolved ? [{ type: 'order.review_resolved', subjectId: before.id, details } as const] : []),
  ];
}

/** The event of a refund that failed. @param reason in the word of the provider; null: it gave none */
export function failedRefundOf(
  subjectId: string,
  {
    provider,
    paymentId,
    amountMinor,
    currency,
  }: Pick<PaymentEvent, 'provider' | 'paymentId' | 'amountMinor' | 'currency'>,
  reason: string | null,
): NewShopEvent {
  return { type: 'refund.failed', subjectId, details: { provider, paymentId, amountMinor, currency, reason } };
}

/**
 * The refunds of which the first failure was added. A provider can report one failure several times, and a late repetition would have
 * the owner refund again what was refunded again already.
 */
function failedRefunds(subjectId: string, before: Before, added: readonly PaymentEvent[]): NewShopEvent[] {
  const isFailure = ({ type }: PaymentEvent): boolean => type === 'refund.failed';
  const known = new Set(before.payments.filter(isFailure).map(refundOf));
  const first = new Map<string, PaymentEvent>();
  for (const event of added.filter(isFailure)) {
    const refund = refundOf(event);
    if (!known.has(refund) && !first.has(refund)) first.set(refund, event);
  }
  return [...first.values()].map((event) => failedRefundOf(subjectId, event, event.failure ?? null));
}

/**
 * The events of a change of an order's payments, or of a decision of staff about them. The first correct payment is published once,
 * a refund that failed too, and a dispute when it opens and when it ends.
 */
export function eventsOfSettlement(before: Before, after: Settled): NewShopEvent[] {
  const { id: subjectId } = before;
  const known = new Set(before.payments.map(nameOf));
  const added = after.payments.filter((event) => !known.has(nameOf(event)));
  const payments = changedPayments(before, after);
  const newRefunds = saleRefundMinor(before, after, payments);
  const isPaid = before.paidAt === null && after.paidAt !== null;
  return [
    ...(isPaid ? [{ type: 'order.paid', subjectId } as const] : []),
    ...(newRefunds > 0 ? [{ type: 'order.refunded', subjectId, details: { amountMinor: newRefunds } } as const] : []),
    ...surplusRefundEvents(before, payments, newRefunds),
    ...failedRefunds(subjectId, before, added),
    ...disputeEvents(before, payments, added),
    ...reviewEvents(before, after),
  ];
}
