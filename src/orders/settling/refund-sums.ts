import { type MinorUnits } from '../../lib/money/money.js';
import { type Reversal } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { byTime, nameOf, paymentOf } from './payment-events.js';

/** The refunds of one payment, as its events report them. */
interface RefundSums {
  /** The sum of its single refunds. */
  readonly single: MinorUnits;
  /** The greatest sum that the provider reported, without the refunds that failed afterwards. */
  readonly reported: MinorUnits;
}

const NOTHING: RefundSums = { single: 0, reported: 0 };

const totalOf = ({ single, reported }: RefundSums): MinorUnits => Math.max(single, reported);

/** Names a refund of a payment. An event without its id is about a refund of its own. */
export const refundOf = (event: PaymentEvent): string => `${paymentOf(event)}\n${event.refundId ?? nameOf(event)}`;

/** As `byTime`, but at one time a failure comes after what failed. */
function byRefund(left: PaymentEvent, right: PaymentEvent): number {
  const time = left.occurredAt.getTime() - right.occurredAt.getTime();
  if (time !== 0 || left.type === right.type) return byTime(left, right);
  return left.type === 'refund.failed' ? 1 : -1;
}

/** The refunds that have happened, each once: not one that failed, whenever its other events arrived. */
function countedOf(events: readonly PaymentEvent[]): PaymentEvent[] {
  const failed = new Set(events.filter(({ type }) => type === 'refund.failed').map(refundOf));
  const seen = new Set<string>();
  return events.filter((event) => {
    const isFailure = event.type === 'refund.failed';
    if (event.cumulative && !isFailure) return true;
    const refund = refundOf(event);
    // Stripe reports one failure twice, as `refund.updated` and as `refund.failed`.
    const counts = !seen.has(refund) && (isFailure ? event.cumulative : !failed.has(refund));
    if (counts) seen.add(refund);
    return counts;
  });
}

function add({ single, reported }: RefundSums, { type, cumulative, amountMinor }: PaymentEvent): RefundSums {
  if (type === 'refund.failed') return { single, reported: Math.max(0, reported - amountMinor) };
  return cumulative
    ? { single, reported: Math.max(reported, amountMinor) }
    : { single: single + amountMinor, reported };
}

/** The refunds without the last `amount` of a payment. */
function without(amount: MinorUnits, payment: string, refunds: readonly PaymentRefund[]): PaymentRefund[] {
  let left = amount;
  return refunds
    .toReversed()
    .map((refund) => {
      const gone = refund.payment === payment ? Math.min(left, refund.amountMinor) : 0;
      left -= gone;
      return { ...refund, amountMinor: refund.amountMinor - gone };
    })
    .filter(({ amountMinor }) => amountMinor > 0)
    .reverse();
}

type PaymentRefund = Reversal & { readonly payment: string };

/**
 * The single refunds that payment events report, by time. Some providers report each refund, some the sum of all refunds of a
 * payment, some both: then both report the same money, and the greater one counts. A refund that failed does not count.
 */
export function refundsOf(events: readonly PaymentEvent[]): Reversal[] {
  const refundEvents = events.filter(({ type }) => type === 'refund.succeeded' || type === 'refund.failed');
  const sums = new Map<string, RefundSums>();
  let refunds: PaymentRefund[] = [];
  for (const event of countedOf(refundEvents.sort(byRefund))) {
    const payment = paymentOf(event);
    const before = sums.get(payment) ?? NOTHING;
    const after = add(before, event);
    sums.set(payment, after);
    const amountMinor = totalOf(after) - totalOf(before);
    if (amountMinor > 0) refunds.push({ kind: 'refund', amountMinor, at: event.occurredAt, payment });
    else if (amountMinor < 0) refunds = without(-amountMinor, payment, refunds);
  }
  return refunds.map(({ kind, amountMinor, at }) => ({ kind, amountMinor, at }));
}
