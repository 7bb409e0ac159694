import { type MinorUnits } from '../../lib/money/money.js';
import { type Reversal, REVERSAL_KINDS } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { disputesOf } from './disputes.js';
import { byTime, nameOf, paymentOf, sumOf } from './payment-events.js';
import { refundsOf } from './refund-sums.js';

/** The money of one payment: what arrived, and what went back. */
export interface PaymentBalance {
  readonly provider: string;
  readonly paymentId: string;
  /** When it arrived; null for a payment that only a refund or a dispute names. */
  readonly receivedAt: Date | null;
  /** ISO 4217. */
  readonly currency: string;
  readonly receivedMinor: MinorUnits;
  /** Refunds and lost disputes by time, together never more than what arrived. */
  readonly reversals: readonly Reversal[];
  readonly isDisputed: boolean;
  /** Whether a dispute was lost. */
  readonly isChargedBack: boolean;
  /** Whether its events contradict each other: two amounts, two currencies, or more refunded than arrived. */
  readonly isContradictory: boolean;
}

/** No two different reversals compare as equal, so nothing depends on the order in which their events arrived. */
export const byReversal = (left: Reversal, right: Reversal): number =>
  left.at.getTime() - right.at.getTime() ||
  REVERSAL_KINDS.indexOf(left.kind) - REVERSAL_KINDS.indexOf(right.kind) ||
  left.amountMinor - right.amountMinor;

/** The reversals up to a sum. */
function reversalsWithin(limit: MinorUnits, reversals: readonly Reversal[]): Reversal[] {
  let left = limit;
  return reversals.flatMap((reversal) => {
    const amountMinor = Math.min(left, reversal.amountMinor);
    left -= amountMinor;
    return amountMinor > 0 ? [{ ...reversal, amountMinor }] : [];
  });
}

/** The reversals without the first `covered` of them. */
export function reversalsAbove(covered: MinorUnits, reversals: readonly Reversal[]): Reversal[] {
  let left = covered;
  return reversals.flatMap((reversal) => {
    const part = Math.min(left, reversal.amountMinor);
    left -= part;
    return reversal.amountMinor > part ? [{ ...reversal, amountMinor: reversal.amountMinor - part }] : [];
  });
}

/** What a payment received, from the events that report it. With two amounts, certainly the smaller one arrived. */
function receiptOf(paid: readonly PaymentEvent[], first: PaymentEvent): PaymentEvent {
  return paid
    .filter(({ currency }) => currency === first.currency)
    .reduce((least, event) => (event.amountMinor < least.amountMinor ? event : least), first);
}

const isMoney = ({ type }: PaymentEvent): boolean =>
  type === 'payment.succeeded' ||
  type === 'refund.succeeded' ||
  type === 'refund.failed' ||
  type.startsWith('dispute.');

function balanceOf(events: readonly [PaymentEvent, ...PaymentEvent[]]): PaymentBalance {
  const paid = events.filter(({ type }) => type === 'payment.succeeded');
  const [first] = paid;
  const { provider, paymentId, currency } = first ?? events[0];
  const receivedMinor = first === undefined ? 0 : receiptOf(paid, first).amountMinor;
  const inCurrency = events.filter((event) => event.currency === currency);
  const refunds = refundsOf(inCurrency);
  const lost = disputesOf(inCurrency)
    .losses.filter(({ amountMinor }) => amountMinor > 0)
    .map((loss): Reversal => ({ kind: 'chargeback', ...loss }));
  const amounts = new Set(paid.map(({ amountMinor }) => amountMinor));
  return {
    provider,
    paymentId,
    receivedAt: first?.occurredAt ?? null,
    currency,
    receivedMinor,
    reversals: reversalsWithin(receivedMinor, [...refunds, ...lost].sort(byReversal)),
    isDisputed: disputesOf(events).isOpen,
    isChargedBack: lost.length > 0,
    isContradictory:
      amounts.size > 1 ||
      inCurrency.length < events.length ||
      sumOf(refunds) > receivedMinor ||
      (first === undefined && lost.length > 0),
  };
}

/** The payments that events name, each with the money that it moved. The result depends only on the set of events. */
export function balancesOf(events: readonly PaymentEvent[]): PaymentBalance[] {
  const ofPayment = new Map<string, [PaymentEvent, ...PaymentEvent[]]>();
  const distinct = new Map(events.filter(isMoney).map((event) => [nameOf(event), event]));
  for (const event of [...distinct.values()].sort(byTime)) {
    const known = ofPayment.get(paymentOf(event));
    if (known === undefined) ofPayment.set(paymentOf(event), [event]);
    else known.push(event);
  }
  return [...ofPayment.values()].map(balanceOf);
}
