import { type MinorUnits } from '../../lib/money/money.js';
import { type MissingPart, type PaymentReview, type Reversal } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { reversalsAbove, byReversal, type PaymentBalance } from './payment-balances.js';
import { paymentOf, sumOf } from './payment-events.js';

/** The amount that an order owes, and the decision of staff about its payments. */
export interface AmountDue {
  readonly totalMinor: MinorUnits;
  readonly currency: string;
  readonly review: PaymentReview | null;
  readonly missing?: readonly MissingPart[];
  readonly createdAt: Date;
}

/** What keeps an order unpaid until staff decide, whatever money arrives. */
export function holdingParts({ missing = [], review }: Pick<AmountDue, 'missing' | 'review'>): readonly MissingPart[] {
  return review === null ? missing.filter(({ code }) => code !== 'upgrade_base_lost') : [];
}

/** Whether a payment is exactly what an order owes. */
export const isExactPayment = (amountDue: AmountDue, event: PaymentEvent): boolean =>
  event.amountMinor === amountDue.totalMinor && event.currency === amountDue.currency;

/**
 * When an order was paid: as staff decided, when it was placed if nothing is to pay, or by the first payment of the right amount.
 * @param paid by time
 */
export function paidAtOf(amountDue: AmountDue, paid: readonly PaymentEvent[]): Date | null {
  if (amountDue.review !== null) return amountDue.review.paidAt;
  if (holdingParts(amountDue).length > 0) return null;
  if (amountDue.totalMinor === 0) return amountDue.createdAt;
  return paid.find((event) => isExactPayment(amountDue, event))?.occurredAt ?? null;
}

/** All payments of an order in one currency: what they received, how much of it the order keeps, and what went back. */
export interface CurrencyBalance {
  readonly currency: string;
  readonly receivedMinor: MinorUnits;
  /** What belongs to the sale. The rest is a surplus, which goes back to the buyer. */
  readonly dueMinor: MinorUnits;
  /** The part of the surplus that has not gone back yet. */
  readonly surplusMinor: MinorUnits;
  /** What went back beyond the surplus. */
  readonly reversals: readonly Reversal[];
  readonly isChargedBack: boolean;
}

/** What an order keeps of its payments in a currency. Staff accept payments as they are: also too little, or another currency. */
function dueOf(
  { totalMinor, currency, review }: AmountDue,
  paidCurrency: string,
  balances: readonly PaymentBalance[],
): MinorUnits {
  if (review === null) return paidCurrency === currency ? totalMinor : 0;
  const accepted = balances
    .filter((balance) => balance.currency === paidCurrency && review.payments.includes(paymentOf(balance)))
    .reduce((sum, { receivedMinor }) => sum + receivedMinor, 0);
  return paidCurrency === currency ? Math.min(totalMinor, accepted) : accepted;
}

/** The payments of an order by currency: amounts are never summed across currencies. */
export function currencyBalancesOf(amountDue: AmountDue, balances: readonly PaymentBalance[]): CurrencyBalance[] {
  return [...new Set(balances.map(({ currency }) => currency))].map((currency) => {
    const own = balances.filter((balance) => balance.currency === currency);
    const receivedMinor = own.reduce((sum, balance) => sum + balance.receivedMinor, 0);
    const dueMinor = dueOf(amountDue, currency, balances);
    const excessMinor = Math.max(0, receivedMinor - dueMinor);
    const reversals = own.flatMap((balance) => balance.reversals).sort(byReversal);
    return {
      ...{ currency, receivedMinor, dueMinor },
      surplusMinor: Math.max(0, excessMinor - sumOf(reversals)),
      reversals: reversalsAbove(excessMinor, reversals),
      isChargedBack: own.some((balance) => balance.isChargedBack),
    };
  });
}
