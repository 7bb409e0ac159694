import { nextAttemptAt } from '../../platform/jobs/backoff.js';
import { formatAmount, type MinorUnits } from '../../platform/money/money.js';
import { MINUTE_MS } from '../../platform/time/durations.js';
import { type Order } from '../../orders/order/order.types.js';
import { type PaymentEvent } from '../../orders/order/payment-event.types.js';
import { balancesOf } from '../../orders/settling/payment-balances.js';
import { refundsOf } from '../../orders/settling/refund-sums.js';
import { type Refund, type RefundState } from './refund.types.js';

/** The limit of refunds of one order: its payment state considers at most 100 refunds and disputes. */
export const MAX_REFUNDS = 50;

/** Shorter than the time for which any provider remembers an idempotency key (Mollie: an hour). Later, a repetition could pay twice. */
const REQUEST_WINDOW_MS = 45 * MINUTE_MS;

/** Until when the service may request a refund again that the provider has not confirmed. */
export function requestUntil({ createdAt }: Pick<Refund, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + REQUEST_WINDOW_MS);
}

/** When the service checks a refund again whose state is still unknown: never later than the time to give it up. */
export function nextCheck(refund: Pick<Refund, 'createdAt' | 'state' | 'checks'>, now: Date): Date {
  const next = nextAttemptAt(refund.checks, now);
  const end = requestUntil(refund);
  return refund.state === 'requested' && now < end && end < next ? end : next;
}

type Payment = Pick<Refund, 'provider' | 'paymentId'>;
type OrderEvents = Pick<Order, 'payments'>;

const isOf =
  ({ provider, paymentId }: Payment) =>
  (other: Payment): boolean =>
    other.provider === provider && other.paymentId === paymentId;

const sum = (amounts: readonly MinorUnits[]): MinorUnits => amounts.reduce((total, amount) => total + amount, 0);

/** The types of the order's events about a refund. */
function typesOf({ provider, refundId }: Pick<Refund, 'provider' | 'refundId'>, { payments }: OrderEvents): string[] {
  const own = payments.filter((event) => event.provider === provider && (event.refundId ?? '') === refundId);
  return own.map(({ type }) => type);
}

/** The state of a refund, from its stored state and the events of its order. */
export function stateOf(refund: Pick<Refund, 'provider' | 'refundId' | 'state'>, order: OrderEvents): RefundState {
  const types = typesOf(refund, order);
  if (types.includes('refund.failed')) return 'failed';
  return types.includes('refund.succeeded') ? 'succeeded' : refund.state;
}

/** Whether the outcome of a refund is known: it failed, or the order has an event about it. */
export function isSettled(refund: Refund, order: OrderEvents): boolean {
  return refund.state === 'failed' || typesOf(refund, order).length > 0;
}

/**
 * The amount of a payment that was refunded outside of this service, such as in the provider's dashboard. For a provider that
 * reports single refunds: those that are not ours. For a provider that reports their sum: the sum without ours.
 */
function othersOf(events: readonly PaymentEvent[], ours: readonly Refund[]): MinorUnits {
  const ids = new Set(ours.map(({ refundId }) => refundId));
  const single = events.filter(
    ({ cumulative, refundId = null }) => !cumulative && (refundId === null || !ids.has(refundId)),
  );
  const known = sum(ours.filter(({ refundId }) => refundId !== null).map(({ amountMinor }) => amountMinor));
  const total = (some: readonly PaymentEvent[]): MinorUnits =>
    sum(refundsOf(some).map(({ amountMinor }) => amountMinor));
  return Math.max(total(single), total(events) - known, 0);
}

/** A payment with the amount that can still be refunded. */
export interface RefundablePayment extends Payment {
  readonly leftMinor: MinorUnits;
  readonly currency: string;
  /** Whether a bank decides about the money. */
  readonly isDisputed: boolean;
}

/**
 * The payments of an order with what is left of each: what was paid, without our refunds that have not failed, without refunds from
 * outside of this service, and without what disputes took.
 * @param refunds all refunds of the order
 */
export function refundablePayments(order: OrderEvents, refunds: readonly Refund[]): RefundablePayment[] {
  const received = balancesOf(order.payments).filter(({ receivedAt }) => receivedAt !== null);
  return received.map(({ provider, paymentId, currency, receivedMinor, reversals, isDisputed }) => {
    const isOwn = isOf({ provider, paymentId });
    const ours = refunds.filter((refund) => isOwn(refund) && stateOf(refund, order) !== 'failed');
    const gone = [
      ...ours.map(({ amountMinor }) => amountMinor),
      othersOf(order.payments.filter(isOwn), ours),
      ...reversals.filter(({ kind }) => kind === 'chargeback').map(({ amountMinor }) => amountMinor),
    ];
    return { provider, paymentId, currency, leftMinor: Math.max(0, receivedMinor - sum(gone)), isDisputed };
  });
}

/** The payment that a request is about, or the reason why none matches, in one sentence. */
export function choosePayment(
  payments: readonly RefundablePayment[],
  paymentId: string | undefined,
): RefundablePayment | string {
  const named = payments.filter((payment) => paymentId === undefined || payment.paymentId === paymentId);
  const [first] = named;
  if (first === undefined) return paymentId === undefined ? 'Nothing was paid' : 'The order has no such payment';
  const open = named.filter(({ leftMinor }) => leftMinor > 0);
  if (open.length <= 1) return open[0] ?? first;
  return `The order has several payments; send one of them as paymentId: ${open.map((one) => one.paymentId).join(', ')}`;
}

/** Why an amount of a payment cannot be refunded, in one sentence; null when it can. */
export function refundProblem(payment: RefundablePayment, amountMinor: MinorUnits, count: number): string | null {
  const { leftMinor, currency, isDisputed } = payment;
  if (count >= MAX_REFUNDS) return `The order has ${MAX_REFUNDS} refunds already; refund the rest at the provider`;
  if (isDisputed) return 'The payment is disputed, so the bank decides about the money';
  if (leftMinor === 0) return 'The whole payment went back, or waits for the provider';
  if (amountMinor <= leftMinor) return null;
  return `At most ${formatAmount(leftMinor, currency)} of the payment can still be refunded`;
}
