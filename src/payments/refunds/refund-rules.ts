import { nextAttemptAt } from '../../infrastructure/jobs/backoff.js';
import { formatAmount, type MinorUnits } from '../../lib/money/money.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type Order } from '../../orders/order/order.types.js';
import { OUTSIDE_PROVIDER, type PaymentEvent } from '../../orders/order/payment-event.types.js';
import { balancesOf } from '../../orders/settling/payment-balances.js';
import { refundsOf } from '../../orders/settling/refund-sums.js';
import { type PaymentDetails } from '../providers/provider.js';
import { NOT_CONFIRMED, type Refund, type RefundState } from './refund.types.js';

/** The limit of refunds of one order: its payment state considers at most 100 refunds and disputes. */
export const MAX_REFUNDS = 50;

/** Shorter than the time for which any provider remembers an idempotency key (Mollie: an hour). Later, a repetition could pay twice. */
const REQUEST_WINDOW_MS = 45 * MINUTE_MS;

/**
 * How long a refund waits for a provider that cannot be reached or rejects the credentials of the shop. The email about the credentials
 * names it.
 */
const WAIT_MS = 7 * DAY_MS;

/** The longest time between two attempts at a refund that waits: the shop may have saved new credentials in the meantime. */
const WAIT_INTERVAL_MS = 6 * HOUR_MS;

/** The clocks of a provider and of this service can differ, and some providers report whole seconds. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

const later = ({ createdAt }: Pick<Refund, 'createdAt'>, ms: number): Date => new Date(createdAt.getTime() + ms);

/** Until when the service may request a refund again that the provider has not confirmed, without a query whether it was made. */
export const requestUntil = (refund: Pick<Refund, 'createdAt'>): Date => later(refund, REQUEST_WINDOW_MS);

/** When the service gives up a refund that the provider has not confirmed. */
export const waitUntil = (refund: Pick<Refund, 'createdAt'>): Date => later(refund, WAIT_MS);

/** When the service checks a refund again whose state is still unknown: never later than the ends of both times above. */
export function nextCheck(refund: Pick<Refund, 'createdAt' | 'state' | 'checks'>, now: Date): Date {
  const next = nextAttemptAt(refund.checks, now);
  if (refund.state !== 'requested') return next;
  const ends = [new Date(now.getTime() + WAIT_INTERVAL_MS), requestUntil(refund), waitUntil(refund)];
  const times = [next, ...ends.filter((end) => now < end)];
  return new Date(Math.min(...times.map((time) => time.getTime())));
}

/** What a provider knows of a refund whose response was lost: its event, that there is no such refund, or nothing that decides. */
export type LostRefund = PaymentDetails | 'not_made' | 'unknown';

/**
 * Finds a refund whose response was lost among what the provider reports of its payment. No two refunds of a shop have the same id
 * there, so the provider has made it if it has a later refund of the amount that is no other one of ours, and has not if it has no
 * later one at all. With several, or with another refund of ours that has no id yet, nobody can tell which is which.
 * @param others the other refunds of the order
 * @param reported what the provider reports of the payments of the order
 */
export function findLost(refund: Refund, others: readonly Refund[], reported: readonly PaymentDetails[]): LostRefund {
  const { paymentId, amountMinor, currency } = refund;
  const own = reported.filter((event) => event.paymentId === paymentId);
  // Otherwise the provider has not reported the refunds of this payment.
  if (!own.some(({ type }) => type === 'payment.succeeded')) return 'unknown';
  const siblings = others.filter((other) => other.id !== refund.id && isOf(refund)(other));
  const known = new Set(siblings.map(({ refundId }) => refundId));
  const since = later(refund, -CLOCK_TOLERANCE_MS);
  const [found, ...more] = own.filter(
    ({ type, refundId, occurredAt }) =>
      type.startsWith('refund.') && refundId !== undefined && !known.has(refundId) && occurredAt >= since,
  );
  if (found === undefined) return 'not_made';
  const isOnly = more.length === 0 && !siblings.some(isUnknown);
  return isOnly && found.amountMinor === amountMinor && found.currency === currency ? found : 'unknown';
}

/** Whether the provider may have made a refund whose id there is not known. */
const isUnknown = ({ refundId, state, failure }: Refund): boolean =>
  refundId === null && (state === 'requested' || failure === NOT_CONFIRMED);

type Payment = Pick<Refund, 'provider' | 'paymentId'>;
type OrderEvents = Pick<Order, 'payments'>;

const isOf =
  ({ provider, paymentId }: Payment) =>
  (other: Payment): boolean =>
    other.provider === provider && other.paymentId === paymentId;

const sum = (amounts: readonly MinorUnits[]): MinorUnits => amounts.reduce((total, amount) => total + amount, 0);

/** The order's events about a refund. */
function eventsOf(
  { provider, refundId }: Pick<Refund, 'provider' | 'refundId'>,
  { payments }: OrderEvents,
): PaymentEvent[] {
  return payments.filter((event) => event.provider === provider && (event.refundId ?? '') === refundId);
}

/** The state of a refund, from its stored state and the events of its order. */
export function stateOf(refund: Pick<Refund, 'provider' | 'refundId' | 'state'>, order: OrderEvents): RefundState {
  const types = eventsOf(refund, order).map(({ type }) => type);
  if (types.includes('refund.failed')) return 'failed';
  return types.includes('refund.succeeded') ? 'succeeded' : refund.state;
}

/** A refund with its state and the reason of its failure, as far as the events of its order report them. */
export function withOutcome(refund: Refund, order: OrderEvents): Refund {
  const failure = eventsOf(refund, order).find((event) => event.failure !== undefined)?.failure ?? refund.failure;
  return { ...refund, state: stateOf(refund, order), failure };
}

/** The refund of a payment that staff received themselves, as an event of the order; null for one that a provider reports. */
export function outsideReportOf(refund: Refund, occurredAt: Date): PaymentEvent | null {
  const { id, provider, paymentId, amountMinor, currency } = refund;
  if (provider !== OUTSIDE_PROVIDER) return null;
  const ids = { provider, eventId: id, paymentId, refundId: id };
  return { ...ids, type: 'refund.succeeded', amountMinor, currency, occurredAt, cumulative: false };
}

/**
 * The failure of a refund, which the provider returned in its response, as an event of the order.
 * @returns null when the provider has not made the refund: then no order has it
 */
export function failureReportOf(refund: Refund, occurredAt: Date): PaymentEvent | null {
  const { provider, paymentId, refundId, amountMinor, currency, failure } = refund;
  if (refundId === null) return null;
  return {
    // As the events of most providers name this state, so that the order usually gets one event.
    ...{ provider, eventId: `${refundId}-failed`, type: 'refund.failed', paymentId, refundId, amountMinor, currency },
    ...{ occurredAt, cumulative: false },
    ...(failure === null ? {} : { failure }),
  };
}

/** Whether the outcome of a refund is known: it failed, or the order has an event about it. */
export function isSettled(refund: Refund, order: OrderEvents): boolean {
  return refund.state === 'failed' || eventsOf(refund, order).length > 0;
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
