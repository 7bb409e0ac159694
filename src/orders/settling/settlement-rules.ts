import { type PaymentReview, type PaymentStatus, type Settlement } from '../order/order.types.js';
import { type PaymentEvent, type PaymentEventType } from '../order/payment-event.types.js';
import { balancesOf, type PaymentBalance } from './payment-balances.js';
import { byTime, nameOf, paymentOf, sumOf } from './payment-events.js';
import {
  type AmountDue,
  paidAtOf,
  isExactPayment,
  type CurrencyBalance,
  currencyBalancesOf,
} from './currency-balances.js';

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

/** An order with more payments than this needs a review by staff. No buyer pays more often. */
const MAX_PAYMENTS = 10;

/**
 * The most events that `decisiveEvents` returns: the latest before a payment, of one payment above the maximum the latest before it and
 * the first right and the first wrong report, the first right one and the first without a decision of all payments, a fraud warning, and one refund or dispute above
 * the maximum.
 */
export const MAX_DECISIVE_EVENTS = 1 + 3 * (MAX_PAYMENTS + 1) + 2 + 1 + MAX_AFTER_PAYMENT + 1;

const ofType = (events: readonly PaymentEvent[], ...types: PaymentEventType[]): PaymentEvent[] =>
  events.filter((event) => types.includes(event.type));

/** Whether the provider suspects fraud, and staff have not accepted the order in spite of it. */
export const isUnknownWarning = ({ review }: AmountDue, event: PaymentEvent): boolean =>
  event.type === 'fraud.warning' && !(review?.warnings.includes(nameOf(event)) ?? false);

/** In the order in which a payment reports them. */
const BEFORE_PAYMENT: Partial<Record<PaymentEventType, PaymentStatus>> = {
  'payment.pending': 'pending',
  'payment.processing': 'processing',
  'payment.authorized': 'authorized',
  'payment.failed': 'failed',
  'payment.canceled': 'failed',
  'payment.expired': 'failed',
};

const PROGRESS = Object.keys(BEFORE_PAYMENT);

/** The events before a payment by time. At one time, an end comes after what it ends: the times of some providers are seconds. */
function beforePayment(events: readonly PaymentEvent[]): PaymentEvent[] {
  return events
    .filter(({ type }) => type in BEFORE_PAYMENT)
    .sort(
      (left, right) =>
        left.occurredAt.getTime() - right.occurredAt.getTime() ||
        PROGRESS.indexOf(left.type) - PROGRESS.indexOf(right.type) ||
        byTime(left, right),
    );
}

/**
 * While nothing is paid, the latest event counts: by the time that the provider gives, not by when we received it. But money that is
 * on its way counts whatever happens to another payment.
 */
function statusBeforePayment(events: readonly PaymentEvent[]): PaymentStatus {
  const before = beforePayment(events);
  const latest = new Map(before.map((event) => [paymentOf(event), event.type]));
  const onItsWay = (['payment.authorized', 'payment.processing'] as const).find((type) =>
    [...latest.values()].includes(type),
  );
  const type = onItsWay ?? before.at(-1)?.type;
  return (type && BEFORE_PAYMENT[type]) ?? 'pending';
}

const isDecided = ({ payments }: PaymentReview, paid: readonly PaymentEvent[]): boolean =>
  paid.every((event) => payments.includes(paymentOf(event)));

/** Everything that decides about an order that was paid. */
interface PaidOrder {
  readonly amountDue: AmountDue;
  readonly events: readonly PaymentEvent[];
  readonly balances: readonly PaymentBalance[];
  readonly currencyBalances: readonly CurrencyBalance[];
}

/** Whether an order has more payments, or more refunds and disputes, than any sale has. */
export const hasTooMany = (
  { review }: AmountDue,
  events: readonly PaymentEvent[],
  balances: readonly PaymentBalance[],
): boolean =>
  ofType(events, ...AFTER_PAYMENT).length > MAX_AFTER_PAYMENT ||
  (review === null && balances.filter(({ receivedAt }) => receivedAt !== null).length > MAX_PAYMENTS);

/** Whether all that belongs to the sale went back. */
const isAllBack = (sale: readonly CurrencyBalance[]): boolean =>
  sale.length > 0 && sale.every(({ dueMinor, reversals }) => sumOf(reversals) >= dueMinor);

/** The status of a paid order: the first rule that applies counts. */
const PAID_RULES: readonly (readonly [
  PaymentStatus,
  (paid: PaidOrder, sale: readonly CurrencyBalance[]) => boolean,
])[] = [
  ['needs_review', ({ amountDue, events, balances }) => hasTooMany(amountDue, events, balances)],
  ['disputed', ({ balances }) => balances.some(({ isDisputed }) => isDisputed)],
  [
    'needs_review',
    ({ amountDue, balances }) => amountDue.review === null && balances.some((one) => one.isContradictory),
  ],
  ['charged_back', (_, sale) => isAllBack(sale) && sale.some(({ isChargedBack }) => isChargedBack)],
  ['refunded', (_, sale) => isAllBack(sale)],
  ['needs_review', ({ amountDue, events }) => events.some((event) => isUnknownWarning(amountDue, event))],
  ['partially_refunded', (_, sale) => sale.some(({ reversals }) => reversals.length > 0)],
];

function statusOfPaid(paid: PaidOrder): PaymentStatus {
  const sale = paid.currencyBalances.filter(({ dueMinor }) => dueMinor > 0);
  return PAID_RULES.find(([, applies]) => applies(paid, sale))?.[0] ?? 'paid';
}

/** Without the events that are sent twice, by time. */
const inOrder = (events: readonly PaymentEvent[]): PaymentEvent[] =>
  [...new Map(events.map((event) => [nameOf(event), event])).values()].sort(byTime);

/**
 * The names of the payments that count. They are chosen by name and not by time, because an event of an earlier time can arrive at
 * any moment: a payment that does not count now will never count.
 */
function countedPayments(reports: readonly PaymentEvent[]): string[] {
  return [...new Set(reports.map(paymentOf))].sort().slice(0, MAX_PAYMENTS + 1);
}

/**
 * The events that decide the payment state: `settle` returns the same for them as for all events, also when more events are
 * added to both. There are never more than `MAX_DECISIVE_EVENTS`, so an order does not grow with the number of its events.
 * Everything else is in the inbox only: what a later event of the same kind replaces, and what exceeds 11 payments and the first
 * 101 refunds and disputes.
 */
export function decisiveEvents(amountDue: AmountDue, events: readonly PaymentEvent[]): PaymentEvent[] {
  const sorted = inOrder(events);
  const paid = ofType(sorted, 'payment.succeeded');
  const before = beforePayment(sorted);
  const decisive = [
    before.at(-1),
    ...countedPayments(before).map((payment) => before.findLast((event) => paymentOf(event) === payment)),
    ...countedPayments(paid).flatMap((payment) => {
      const reports = paid.filter((event) => paymentOf(event) === payment);
      return [
        reports.find((event) => isExactPayment(amountDue, event)),
        reports.find((event) => !isExactPayment(amountDue, event)),
      ];
    }),
    paid.find((event) => isExactPayment(amountDue, event)),
    paid.find((event) => amountDue.review !== null && !isDecided(amountDue.review, [event])),
    sorted.find((event) => isUnknownWarning(amountDue, event)),
    ...ofType(sorted, ...AFTER_PAYMENT).slice(0, MAX_AFTER_PAYMENT + 1),
  ];
  return [...new Set(decisive)].filter((event) => event !== undefined);
}

/**
 * Computes the payment state of an order from the *set* of its events. Providers send events late, twice and out of order.
 * Because only the set counts, the result is the same in every order of arrival.
 *
 * An order is paid by one payment of exactly its amount and currency, or by what staff accepted. Without that, what arrived is
 * `needs_review`. Whatever else arrives for a paid order is a surplus, which changes nothing; what goes back reduces the surplus first.
 * An order is `disputed` while any dispute of any of its payments is open. What staff rejected stays rejected; only a payment that
 * they did not know needs another decision.
 */
export function settle(amountDue: AmountDue, events: readonly PaymentEvent[]): Settlement {
  const decisive = inOrder(decisiveEvents(amountDue, events));
  const paid = ofType(decisive, 'payment.succeeded');
  const { review } = amountDue;
  if (review?.decision === 'reject') {
    return { paymentStatus: isDecided(review, paid) ? 'failed' : 'needs_review', paidAt: null, reversals: [] };
  }
  const paidAt = paidAtOf(amountDue, paid);
  // A refund or dispute that arrives before its payment counts when the payment arrives.
  if (paid.length === 0) {
    return { paymentStatus: paidAt === null ? statusBeforePayment(decisive) : 'paid', paidAt, reversals: [] };
  }
  // Without a correct payment of something there is no revenue that could be reduced.
  if (paidAt === null) return { paymentStatus: 'needs_review', paidAt, reversals: [] };
  const balances = balancesOf(decisive);
  const currencyBalances = currencyBalancesOf(amountDue, balances);
  return {
    paymentStatus: statusOfPaid({ amountDue, events: decisive, balances, currencyBalances }),
    paidAt,
    // The surplus was never revenue, so giving it back does not reduce any. Amounts of other currencies do not reach the statistics.
    reversals:
      currencyBalances.find(({ currency, dueMinor }) => currency === amountDue.currency && dueMinor > 0)?.reversals ??
      [],
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
  const paid = ofType(payments, 'payment.succeeded');
  const warnings = ofType(payments, 'fraud.warning').map(nameOf);
  return { decision, payments: [...new Set(paid.map(paymentOf))], warnings, paidAt };
}
