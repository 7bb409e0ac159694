import { type ReviewReason } from '../../domain/payments/payment-review.js';
import { formatAmount } from '../../lib/money/money.js';
import { type PaymentStatus } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { balancesOf, type PaymentBalance } from './payment-balances.js';
import { type Owed, paidAtOf, type Pool, poolsOf } from './payment-pools.js';
import { byTime, paymentOf, sumOf } from './payment-events.js';
import { decisiveEvents, hasTooMany, isUnknownWarning, settle } from './settlement-rules.js';

/** As long as the details of a history entry. */
const MAX_MESSAGE = 250;
const ALL_BACK: readonly PaymentStatus[] = ['refunded', 'charged_back'];

/** The reasons for an order without a payment of the right amount and currency. */
function reasonsOfUnpaid({ totalMinor, currency }: Owed, pools: readonly Pool[]): ReviewReason[] {
  const due = formatAmount(totalMinor, currency);
  return pools.map((pool) => {
    const amount = { amountMinor: pool.receivedMinor, currency: pool.currency };
    const code = pool.currency === currency ? 'amount' : 'currency';
    return { code, message: `${formatAmount(pool.receivedMinor, pool.currency)} arrived, ${due} was due`, ...amount };
  });
}

/** The reasons for payments that arrived after staff had rejected those before: in each currency one for all of them. */
function reasonsOfRejected(owed: Owed, balances: readonly PaymentBalance[]): ReviewReason[] {
  const isUndecided = (balance: PaymentBalance): boolean => !owed.review?.payments.includes(paymentOf(balance));
  return poolsOf(owed, balances.filter(isUndecided))
    .filter(({ receivedMinor }) => receivedMinor > 0)
    .map(({ receivedMinor, currency }) => {
      const message = `${formatAmount(receivedMinor, currency)} arrived after the payment was rejected`;
      return { code: 'amount', message, amountMinor: receivedMinor, currency };
    });
}

/** The reason for a payment with two amounts, two currencies, or more refunds than money. */
function contradictionOf({ currency, receivedMinor }: PaymentBalance): ReviewReason {
  const what = receivedMinor === 0 ? 'that never arrived' : `of ${formatAmount(receivedMinor, currency)}`;
  const message = `The reports about a payment ${what} contradict each other`;
  return { code: 'amount', message, amountMinor: receivedMinor, currency };
}

function surplusOf(owed: Owed, { currency, receivedMinor, dueMinor, surplusMinor }: Pool): ReviewReason[] {
  if (surplusMinor === 0) return [];
  const due = currency === owed.currency ? formatAmount(dueMinor, currency) : `nothing in ${currency}`;
  const message = `${formatAmount(receivedMinor, currency)} arrived, ${due} was due; ${formatAmount(surplusMinor, currency)} can be refunded`;
  return [{ code: 'paid_twice', message, amountMinor: surplusMinor, currency }];
}

function partialLossOf({ currency, dueMinor, reversals }: Pool): ReviewReason[] {
  const amountMinor = sumOf(reversals.filter(({ kind }) => kind === 'chargeback'));
  if (amountMinor === 0 || sumOf(reversals) >= dueMinor) return [];
  const message = `${formatAmount(amountMinor, currency)} of ${formatAmount(dueMinor, currency)} was lost in a dispute; nothing was revoked`;
  return [{ code: 'partial_loss', message, amountMinor, currency }];
}

/**
 * Why a person has to look at the payments of an order: why it needs a review, what can be refunded to its buyer, and what was lost
 * in part. Empty when nothing is to do. Like the payment state, it depends only on the set of events.
 */
export function reviewReasons(owed: Owed, events: readonly PaymentEvent[]): ReviewReason[] {
  const { review, totalMinor, currency } = owed;
  const decisive = decisiveEvents(owed, events).sort(byTime);
  const paid = decisive.filter(({ type }) => type === 'payment.succeeded');
  if (paid.length === 0) return [];
  const balances = balancesOf(decisive);
  if (review?.decision === 'reject') return reasonsOfRejected(owed, balances);
  const pools = poolsOf(owed, balances);
  if (paidAtOf(owed, paid) === null)
    return reasonsOfUnpaid(
      owed,
      pools.filter(({ receivedMinor }) => receivedMinor > 0),
    );
  const total = { amountMinor: totalMinor, currency };
  const tooMany: ReviewReason = {
    code: 'too_many_events',
    message: 'The order has more than 10 payments, or more than 100 refunds and disputes',
    ...total,
  };
  // Of an order whose money went back, a warning says nothing new.
  const isHeldByWarning =
    !ALL_BACK.includes(settle(owed, decisive).paymentStatus) && decisive.some((event) => isUnknownWarning(owed, event));
  const fraud: ReviewReason = { code: 'fraud_warning', message: 'The payment provider suspects fraud', ...total };
  return [
    ...(hasTooMany(owed, decisive, balances) ? [tooMany] : []),
    ...(review === null ? balances.filter((balance) => balance.isContradictory).map(contradictionOf) : []),
    ...(isHeldByWarning ? [fraud] : []),
    ...pools.flatMap((pool) => [...surplusOf(owed, pool), ...partialLossOf(pool)]),
  ];
}

/** The reasons that were not there before, or are about more money now. */
export function newReasons(before: readonly ReviewReason[], after: readonly ReviewReason[]): ReviewReason[] {
  return after.filter(
    ({ code, currency, amountMinor }) =>
      !before.some((known) => known.code === code && known.currency === currency && known.amountMinor >= amountMinor),
  );
}

/** The reasons as one message, for the history of an order and the event that caused them; null without any. */
export function messageOf(reasons: readonly ReviewReason[]): string | null {
  return reasons.length === 0
    ? null
    : reasons
        .map(({ message }) => message)
        .join('; ')
        .slice(0, MAX_MESSAGE);
}
