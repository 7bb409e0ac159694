import { type ReviewReason } from '../../domain/payments/payment-review.js';
import { formatAmount } from '../../lib/money/money.js';
import { ALL_BACK, type MissingPart } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { balancesOf, type PaymentBalance } from './payment-balances.js';
import {
  type AmountDue,
  holdingParts,
  paidAtOf,
  type CurrencyBalance,
  currencyBalancesOf,
} from './currency-balances.js';
import { byTime, paymentOf, sumOf } from './payment-events.js';
import { decisiveEvents, hasTooMany, isUnknownWarning, settle } from './settlement-rules.js';

/** As long as the details of a history entry. */
const MAX_MESSAGE = 250;

/** The reasons for an order without a payment of the right amount and currency. */
function reasonsOfUnpaid(
  { totalMinor, currency }: AmountDue,
  currencyBalances: readonly CurrencyBalance[],
): ReviewReason[] {
  const due = formatAmount(totalMinor, currency);
  return currencyBalances.map((currencyBalance) => {
    const amount = { amountMinor: currencyBalance.receivedMinor, currency: currencyBalance.currency };
    const code = currencyBalance.currency === currency ? 'amount' : 'currency';
    return {
      code,
      message: `${formatAmount(currencyBalance.receivedMinor, currencyBalance.currency)} arrived, ${due} was due`,
      ...amount,
    };
  });
}

/** The reasons for payments that arrived after staff had rejected those before: in each currency one for all of them. */
function reasonsOfRejected(amountDue: AmountDue, balances: readonly PaymentBalance[]): ReviewReason[] {
  const isUndecided = (balance: PaymentBalance): boolean => !amountDue.review?.payments.includes(paymentOf(balance));
  return currencyBalancesOf(amountDue, balances.filter(isUndecided))
    .filter(({ receivedMinor }) => receivedMinor > 0)
    .map(({ receivedMinor, currency }) => {
      const message = `${formatAmount(receivedMinor, currency)} arrived after the payment was rejected`;
      return { code: 'amount', message, amountMinor: receivedMinor, currency };
    });
}

const MISSING_IN_WORDS: Readonly<Record<MissingPart['code'], string>> = {
  base_missing: 'the lower tier that it replaces was used by another order, or its money is not there',
  tier_lower: 'the player owns a higher tier by now',
  upgrade_base_lost: 'the money of the lower tier that it replaced went back',
};

function missingReason({ code, amountMinor }: MissingPart, currency: string): ReviewReason {
  const amount = formatAmount(amountMinor, currency);
  const message =
    code === 'tier_lower'
      ? `${amount} was paid, and ${MISSING_IN_WORDS[code]}`
      : `${amount} was credited, and ${MISSING_IN_WORDS[code]}`;
  return { code, message, amountMinor, currency };
}

/** The reason for a payment with two amounts, two currencies, or more refunds than money. */
function contradictionOf({ currency, receivedMinor }: PaymentBalance): ReviewReason {
  const what = receivedMinor === 0 ? 'that never arrived' : `of ${formatAmount(receivedMinor, currency)}`;
  const message = `The reports about a payment ${what} contradict each other`;
  return { code: 'amount', message, amountMinor: receivedMinor, currency };
}

function surplusOf(
  amountDue: AmountDue,
  { currency, receivedMinor, dueMinor, surplusMinor }: CurrencyBalance,
): ReviewReason[] {
  if (surplusMinor === 0) return [];
  const due = currency === amountDue.currency ? formatAmount(dueMinor, currency) : `nothing in ${currency}`;
  const message = `${formatAmount(receivedMinor, currency)} arrived, ${due} was due; ${formatAmount(surplusMinor, currency)} can be refunded`;
  return [{ code: 'paid_twice', message, amountMinor: surplusMinor, currency }];
}

function partialLossOf({ currency, dueMinor, reversals }: CurrencyBalance): ReviewReason[] {
  const amountMinor = sumOf(reversals.filter(({ kind }) => kind === 'chargeback'));
  if (amountMinor === 0 || sumOf(reversals) >= dueMinor) return [];
  const message = `${formatAmount(amountMinor, currency)} of ${formatAmount(dueMinor, currency)} was lost in a dispute; nothing was revoked`;
  return [{ code: 'partial_loss', message, amountMinor, currency }];
}

/**
 * Why a person has to look at the payments of an order: why it needs a review, what can be refunded to its buyer, and what was lost
 * in part. Empty when nothing is to do. Like the payment state, it depends only on the set of events.
 */
export function reviewReasons(amountDue: AmountDue, events: readonly PaymentEvent[]): ReviewReason[] {
  const { review, totalMinor, currency } = amountDue;
  const decisive = decisiveEvents(amountDue, events).sort(byTime);
  const paid = decisive.filter(({ type }) => type === 'payment.succeeded');
  if (paid.length === 0) return [];
  const balances = balancesOf(decisive);
  if (review?.decision === 'reject') return reasonsOfRejected(amountDue, balances);
  const currencyBalances = currencyBalancesOf(amountDue, balances);
  const holding = holdingParts(amountDue);
  if (paidAtOf(amountDue, paid) === null) {
    const isExpected = (one: CurrencyBalance): boolean => one.currency === currency && one.receivedMinor === totalMinor;
    const others = currencyBalances.filter((one) => one.receivedMinor > 0 && !(holding.length > 0 && isExpected(one)));
    return [...holding.map((part) => missingReason(part, currency)), ...reasonsOfUnpaid(amountDue, others)];
  }
  const total = { amountMinor: totalMinor, currency };
  const tooMany: ReviewReason = {
    code: 'too_many_events',
    message: 'The order has more than 10 payments, or more than 100 refunds and disputes',
    ...total,
  };
  // Of an order whose money went back, a warning says nothing new.
  const isHeldByWarning =
    !ALL_BACK.includes(settle(amountDue, decisive).paymentStatus) &&
    decisive.some((event) => isUnknownWarning(amountDue, event));
  const lost = (amountDue.missing ?? []).filter(({ code }) => code === 'upgrade_base_lost');
  const fraud: ReviewReason = { code: 'fraud_warning', message: 'The payment provider suspects fraud', ...total };
  return [
    ...(hasTooMany(amountDue, decisive, balances) ? [tooMany] : []),
    ...(review === null ? balances.filter((balance) => balance.isContradictory).map(contradictionOf) : []),
    ...(isHeldByWarning ? [fraud] : []),
    ...lost.map((part) => missingReason(part, currency)),
    ...currencyBalances.flatMap((currencyBalance) => [
      ...surplusOf(amountDue, currencyBalance),
      ...partialLossOf(currencyBalance),
    ]),
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
