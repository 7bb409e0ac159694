import { type MinorUnits } from '../../lib/money/money.js';
import { type Reversal } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { balancesOf, type PaymentBalance } from './payment-balances.js';
import { sumOf } from './payment-events.js';
import { type AmountDue, currencyBalancesOf } from './currency-balances.js';
import { decisiveEvents, settle } from './settlement-rules.js';

/** A payment that arrived for an order, as staff see it. */
export interface ReceivedPayment extends Pick<PaymentBalance, 'provider' | 'paymentId' | 'currency' | 'isDisputed'> {
  readonly receivedAt: Date;
  readonly amountMinor: MinorUnits;
  readonly refundedMinor: MinorUnits;
  /** Lost in disputes. */
  readonly chargedBackMinor: MinorUnits;
  /** The surplus to refund: received, not needed for the order, not refunded yet. */
  readonly surplusMinor: MinorUnits;
}

/** The surplus of an order in each currency. What arrived for an order that staff rejected is all due to the buyer. */
function surplusesOf(
  amountDue: AmountDue,
  balances: readonly PaymentBalance[],
  isPaid: boolean,
): Map<string, MinorUnits> {
  if (!isPaid && amountDue.review === null) return new Map();
  return new Map(
    currencyBalancesOf(amountDue, balances).map(({ currency, surplusMinor }) => [
      currency,
      isPaid ? surplusMinor : Infinity,
    ]),
  );
}

type Received = PaymentBalance & { readonly receivedAt: Date };

const byReceipt = (left: Received, right: Received): number => left.receivedAt.getTime() - right.receivedAt.getTime();

/**
 * The payments that arrived for an order, oldest first. The surplus is in the latest ones, except that the first one of the right
 * amount is never a surplus while another payment has something left.
 */
export function receivedPayments(amountDue: AmountDue, events: readonly PaymentEvent[]): ReceivedPayment[] {
  const balances = balancesOf(decisiveEvents(amountDue, events));
  const surpluses = surplusesOf(amountDue, balances, settle(amountDue, events).paidAt !== null);
  const received = balances
    .flatMap(({ receivedAt, ...balance }) => (receivedAt === null ? [] : [{ ...balance, receivedAt }]))
    .sort(byReceipt);
  const right = received.find(
    ({ receivedMinor, currency }) => receivedMinor === amountDue.totalMinor && currency === amountDue.currency,
  );
  const surplusOf = new Map<Received, MinorUnits>();
  for (const payment of [
    ...received.filter((one) => one !== right).reverse(),
    ...(right === undefined ? [] : [right]),
  ]) {
    const left = surpluses.get(payment.currency) ?? 0;
    const surplusMinor = Math.min(left, payment.receivedMinor - sumOf(payment.reversals));
    surpluses.set(payment.currency, left - surplusMinor);
    surplusOf.set(payment, surplusMinor);
  }
  return received.map((payment): ReceivedPayment => {
    const { provider, paymentId, currency, isDisputed, receivedAt, receivedMinor, reversals } = payment;
    const back = (kind: Reversal['kind']): MinorUnits => sumOf(reversals.filter((one) => one.kind === kind));
    return {
      ...{ provider, paymentId, currency, isDisputed, receivedAt },
      amountMinor: receivedMinor,
      refundedMinor: back('refund'),
      chargedBackMinor: back('chargeback'),
      surplusMinor: surplusOf.get(payment) ?? 0,
    };
  });
}
