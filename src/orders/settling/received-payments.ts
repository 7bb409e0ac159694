import { type MinorUnits } from '../../lib/money/money.js';
import { type Reversal } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { balancesOf, type PaymentBalance } from './payment-balances.js';
import { sumOf } from './payment-events.js';
import { type Owed, poolsOf } from './payment-pools.js';
import { decisiveEvents, settle } from './settlement-rules.js';

/** A payment that arrived for an order, as staff see it. */
export interface ReceivedPayment extends Pick<PaymentBalance, 'provider' | 'paymentId' | 'currency' | 'isDisputed'> {
  readonly receivedAt: Date;
  readonly amountMinor: MinorUnits;
  readonly refundedMinor: MinorUnits;
  /** Lost in disputes. */
  readonly chargedBackMinor: MinorUnits;
  /** What of it is due to the buyer: the order does not need it, and it has not gone back. */
  readonly surplusMinor: MinorUnits;
}

/** The surplus of an order in each currency. What arrived for an order that staff rejected is all due to the buyer. */
function surplusesOf(owed: Owed, balances: readonly PaymentBalance[], isPaid: boolean): Map<string, MinorUnits> {
  if (!isPaid && owed.review === null) return new Map();
  return new Map(
    poolsOf(owed, balances).map(({ currency, surplusMinor }) => [currency, isPaid ? surplusMinor : Infinity]),
  );
}

type Received = PaymentBalance & { readonly receivedAt: Date };

const byReceipt = (left: Received, right: Received): number => left.receivedAt.getTime() - right.receivedAt.getTime();

/**
 * The payments that arrived for an order, oldest first. The surplus is in the latest ones, except that the first one of the right
 * amount is never a surplus while another payment has something left.
 */
export function receivedPayments(owed: Owed, events: readonly PaymentEvent[]): ReceivedPayment[] {
  const balances = balancesOf(decisiveEvents(owed, events));
  const surpluses = surplusesOf(owed, balances, settle(owed, events).paidAt !== null);
  const received = balances
    .flatMap(({ receivedAt, ...balance }) => (receivedAt === null ? [] : [{ ...balance, receivedAt }]))
    .sort(byReceipt);
  const right = received.find(
    ({ receivedMinor, currency }) => receivedMinor === owed.totalMinor && currency === owed.currency,
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
