import { type MinorUnits } from '../../platform/money/money.js';
import { type PaymentReview, type PaymentStatus, type Reversal, type Settlement } from '../order/order.types.js';
import { type PaymentEvent, type PaymentEventType } from '../order/payment-event.types.js';
import { byTime, nameOf, paymentOf } from './payment-events.js';
import { refundsOf } from './refund-sums.js';

/** What can follow a payment. Each of these events counts, while those of a payment replace each other. */
const AFTER_PAYMENT: readonly PaymentEventType[] = [
  'refund.succeeded',
  'refund.failed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
];

/** An order with more refunds and disputes than this needs a review by staff. */
export const MAX_AFTER_PAYMENT = 100;

/** How many payments of an order count. No buyer pays more often. */
const MAX_PAYMENTS = 10;

/**
 * The most events that `decisiveEvents` returns: one before the payment, the payments, one of them with the right amount, with a
 * wrong one, in another currency and without a decision, a fraud warning, and one refund or dispute above the maximum.
 */
export const MAX_DECISIVE_EVENTS = 1 + MAX_PAYMENTS + 4 + 1 + MAX_AFTER_PAYMENT + 1;

/** Events about no money that has moved. Their currency does not matter. */
const WITHOUT_MONEY: readonly PaymentEventType[] = ['refund.pending', 'fraud.warning'];

/** The amount that an order owes, and the decision of staff about its payments. */
export interface Owed {
  readonly totalMinor: MinorUnits;
  readonly currency: string;
  readonly review: PaymentReview | null;
  readonly createdAt: Date;
}

const ofType = (events: readonly PaymentEvent[], ...types: PaymentEventType[]): PaymentEvent[] =>
  events.filter((event) => types.includes(event.type));

/** As `byTime`, but at one time the end of a dispute comes after its beginning. */
const byDispute = (left: PaymentEvent, right: PaymentEvent): number =>
  left.occurredAt.getTime() - right.occurredAt.getTime() || (left.type < right.type ? -1 : 1);

/** The first event of each payment. */
function onePerPayment(events: readonly PaymentEvent[]): PaymentEvent[] {
  const first = new Map<string, PaymentEvent>();
  for (const event of [...events].sort(byTime)) if (!first.has(paymentOf(event))) first.set(paymentOf(event), event);
  return [...first.values()];
}

const pays = (owed: Owed, event: PaymentEvent): boolean =>
  event.amountMinor === owed.totalMinor && event.currency === owed.currency;

const isInOtherCurrency = (owed: Owed, { type, currency }: PaymentEvent): boolean =>
  currency !== owed.currency && !WITHOUT_MONEY.includes(type);

/** Whether the provider suspects fraud, and staff have not accepted the order in spite of it. */
const isUnknownWarning = ({ review }: Owed, event: PaymentEvent): boolean =>
  event.type === 'fraud.warning' && !(review?.warnings.includes(nameOf(event)) ?? false);

const BEFORE_PAYMENT: Partial<Record<PaymentEventType, PaymentStatus>> = {
  'payment.pending': 'pending',
  'payment.authorized': 'authorized',
  'payment.failed': 'failed',
  'payment.canceled': 'failed',
  'payment.expired': 'failed',
};

/** While nothing is paid, the latest event counts: by the time that the provider gives, not by when we received it. */
function statusBeforePayment(events: readonly PaymentEvent[]): PaymentStatus {
  const latest = events
    .filter(({ type }) => type in BEFORE_PAYMENT)
    .sort(byTime)
    .at(-1);
  return (latest && BEFORE_PAYMENT[latest.type]) ?? 'pending';
}

const sumOf = (amounts: readonly { readonly amountMinor: MinorUnits }[]): MinorUnits =>
  amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** Whether a dispute about payments is open or lost; null for neither. */
export function disputeStatus(events: readonly PaymentEvent[]): 'charged_back' | 'disputed' | null {
  if (ofType(events, 'dispute.lost').length > 0) return 'charged_back';
  // A payment can be disputed again after a dispute that was won, so its latest one counts.
  const disputes = ofType(events, 'dispute.opened', 'dispute.won').sort(byDispute);
  const latest = new Map(disputes.map((event) => [paymentOf(event), event]));
  return [...latest.values()].some(({ type }) => type === 'dispute.opened') ? 'disputed' : null;
}

function statusOfPaid(
  owed: Owed,
  paid: readonly PaymentEvent[],
  events: readonly PaymentEvent[],
  refunds: readonly Reversal[],
): PaymentStatus {
  const refunded = sumOf(refunds);
  // Too little, too much, another currency, paid twice, more refunded than paid, or too many refunds and
  // disputes: staff must check it, also when there are other events.
  if (onePerPayment(paid).length > 1 || !paid.every((event) => pays(owed, event))) return 'needs_review';
  if (events.some((event) => isInOtherCurrency(owed, event))) return 'needs_review';
  if (refunded > owed.totalMinor || ofType(events, ...AFTER_PAYMENT).length > MAX_AFTER_PAYMENT) return 'needs_review';
  const disputed = disputeStatus(events);
  if (disputed !== null) return disputed;
  if (refunded === owed.totalMinor && refunded > 0) return 'refunded';
  if (events.some((event) => isUnknownWarning(owed, event))) return 'needs_review';
  return refunded > 0 ? 'partially_refunded' : 'paid';
}

const isDecided = ({ payments }: PaymentReview, paid: readonly PaymentEvent[]): boolean =>
  paid.every((event) => payments.includes(paymentOf(event)));

/** What was paid above the total in the order's currency: it can be refunded without an effect on the order. */
function surplusOf({ totalMinor, currency }: Owed, { received }: PaymentReview): MinorUnits {
  return Math.max(0, sumOf(received.filter((sum) => sum.currency === currency)) - totalMinor);
}

/** The refunds without the first `surplus` of them. */
function beyond(surplus: MinorUnits, refunds: readonly Reversal[]): Reversal[] {
  let left = surplus;
  return refunds.flatMap((refund) => {
    const covered = Math.min(left, refund.amountMinor);
    left -= covered;
    return refund.amountMinor > covered ? [{ ...refund, amountMinor: refund.amountMinor - covered }] : [];
  });
}

/**
 * The status after staff accepted the payments: only refunds, disputes and further payments change it. It is `refunded` when all
 * that was received went back.
 */
function statusOfAccepted(
  owed: Owed,
  review: PaymentReview,
  paid: readonly PaymentEvent[],
  events: readonly PaymentEvent[],
): PaymentStatus {
  if (!isDecided(review, paid) || ofType(events, ...AFTER_PAYMENT).length > MAX_AFTER_PAYMENT) return 'needs_review';
  const disputed = disputeStatus(events);
  if (disputed !== null) return disputed;
  const back = review.received.map(({ currency, amountMinor }) => {
    const refunded = sumOf(refundsOf(events.filter((event) => event.currency === currency)));
    const free = currency === owed.currency ? surplusOf(owed, review) : 0;
    return { isAll: refunded >= amountMinor, reducesRevenue: refunded > free };
  });
  const reducesRevenue = back.some((sum) => sum.reducesRevenue);
  if (reducesRevenue && back.every(({ isAll }) => isAll)) return 'refunded';
  if (events.some((event) => isUnknownWarning(owed, event))) return 'needs_review';
  return reducesRevenue ? 'partially_refunded' : 'paid';
}

/** Without the events that are sent twice, by time. */
const inOrder = (events: readonly PaymentEvent[]): PaymentEvent[] =>
  [...new Map(events.map((event) => [nameOf(event), event])).values()].sort(byTime);

/**
 * The events that decide the payment state: `settle` returns the same for them as for all events, also when more events are
 * added to both. There are never more than `MAX_DECISIVE_EVENTS`, so an order does not grow with the number of its events.
 * Everything else is in the inbox only: what a later event of the same kind replaces, and what follows the first 10 payments and
 * the first 101 refunds and disputes.
 */
export function decisiveEvents(owed: Owed, events: readonly PaymentEvent[]): PaymentEvent[] {
  const sorted = inOrder(events);
  const paid = ofType(sorted, 'payment.succeeded');
  const decisive = [
    sorted.findLast(({ type }) => type in BEFORE_PAYMENT),
    ...onePerPayment(paid).slice(0, MAX_PAYMENTS),
    paid.find((event) => pays(owed, event)),
    paid.find((event) => !pays(owed, event)),
    paid.find((event) => owed.review !== null && !isDecided(owed.review, [event])),
    sorted.find((event) => isInOtherCurrency(owed, event)),
    sorted.find((event) => isUnknownWarning(owed, event)),
    ...ofType(sorted, ...AFTER_PAYMENT).slice(0, MAX_AFTER_PAYMENT + 1),
  ];
  return [...new Set(decisive)].filter((event) => event !== undefined);
}

/**
 * Computes the payment state of an order from the *set* of its events. Providers send events late, twice and out of order.
 * Because only the set counts, the result is the same in every order of arrival. An amount or a currency other than the
 * order's is `needs_review`, never `paid`, unless staff accepted it. What staff decided stays, whatever is refunded or disputed
 * later; only a payment that they did not know needs another decision.
 */
export function settle(owed: Owed, events: readonly PaymentEvent[]): Settlement {
  const decisive = inOrder(decisiveEvents(owed, events));
  const paid = ofType(decisive, 'payment.succeeded');
  const { review } = owed;
  if (review?.decision === 'reject') {
    return { paymentStatus: isDecided(review, paid) ? 'failed' : 'needs_review', paidAt: null, reversals: [] };
  }
  // An order with nothing to pay was paid when it was placed, whatever a provider reports of it.
  const freeSince = owed.totalMinor === 0 ? owed.createdAt : null;
  // A refund or dispute that arrives before its payment counts when the payment arrives.
  if (paid.length === 0) {
    return freeSince === null
      ? { paymentStatus: statusBeforePayment(decisive), paidAt: null, reversals: [] }
      : { paymentStatus: 'paid', paidAt: freeSince, reversals: [] };
  }
  // An event in another currency makes the order `needs_review`. Its amount must not reach the statistics of this currency.
  const ours = decisive.filter((event) => event.currency === owed.currency);
  const refunds = refundsOf(ours);
  const chargebacks = onePerPayment(ofType(ours, 'dispute.lost')).map((event): Reversal => ({
    kind: 'chargeback',
    amountMinor: event.amountMinor,
    at: event.occurredAt,
  }));
  if (review !== null) {
    return {
      paymentStatus: statusOfAccepted(owed, review, paid, decisive),
      paidAt: review.paidAt,
      // The surplus was never revenue, so giving it back does not reduce any.
      reversals: [...beyond(surplusOf(owed, review), refunds), ...chargebacks],
    };
  }
  const paidAt = freeSince ?? paid.find((event) => pays(owed, event))?.occurredAt ?? null;
  return {
    paymentStatus: statusOfPaid(owed, paid, decisive, refunds),
    paidAt,
    // Without a correct payment of something there is no revenue that could be reduced.
    reversals: paidAt === null || freeSince !== null ? [] : [...refunds, ...chargebacks],
  };
}

/**
 * A decision about the payments and the fraud warnings of an order that are known now.
 * @param paidAt when the order counts as paid; null for a rejection
 */
export function reviewOf(
  decision: PaymentReview['decision'],
  payments: readonly PaymentEvent[],
  paidAt: Date | null,
): PaymentReview {
  const paid = onePerPayment(ofType(payments, 'payment.succeeded'));
  const received = [...new Set(paid.map(({ currency }) => currency))].map((currency) => ({
    currency,
    amountMinor: sumOf(paid.filter((event) => event.currency === currency)),
  }));
  const warnings = ofType(payments, 'fraud.warning').map(nameOf);
  return { decision, payments: paid.map(paymentOf), warnings, received, paidAt };
}
