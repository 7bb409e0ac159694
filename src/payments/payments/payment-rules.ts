import { isLoopbackUrl } from '../../lib/network/loopback.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type Order } from '../../orders/order/order.types.js';
import { type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { disputesOf } from '../../orders/settling/disputes.js';
import { type OpenPayment, type Payment } from './payment.types.js';
import { type ProviderEvent } from '../providers/provider.js';

/** The limit of attempts to pay one order with one provider. */
export const MAX_ATTEMPTS = 10;

/** A provider is queried for at least so long after the time to pay: bank transfers can arrive some days later. */
const MIN_WATCH_DAYS = 7;

const ENDS: readonly PaymentEventType[] = ['payment.failed', 'payment.canceled', 'payment.expired'];
const DISPUTE_ENDS: readonly PaymentEventType[] = ['dispute.won', 'dispute.lost'];

/** Whether the provider has the payment. */
export function isCreated(payment: Payment): payment is OpenPayment {
  return payment.state === 'created';
}

/** Whether a payment of an order has a dispute that has not ended. */
export function hasOpenDispute({ provider, paymentId }: OpenPayment, { payments }: Pick<Order, 'payments'>): boolean {
  return disputesOf(payments.filter((event) => event.provider === provider && event.paymentId === paymentId)).isOpen;
}

/** Whether nothing can come of a payment any more: it expired, or the provider reported its end. @param reports of the provider */
export function hasEnded({ expiresAt }: Payment, reports: readonly PaymentEventType[], now: Date): boolean {
  return (expiresAt !== null && expiresAt <= now) || reports.some((type) => ENDS.includes(type));
}

/** Whether nobody can pay with a payment any more: it has ended, or its buyer has finished it and its money is on its way. */
export function isUsed(payment: Payment, reports: readonly PaymentEventType[], now: Date): boolean {
  return hasEnded(payment, reports, now) || reports.includes('payment.processing');
}

/**
 * Whether the provider must be queried about a payment again: it has not reported how the payment ended, and the payment has not
 * expired long ago. With some providers, a buyer can make several attempts with one payment, and each attempt has its own id.
 * There, the end of an attempt is the end of the payment only when no other attempt is in progress and the payment has expired.
 * @param events what the provider has just reported
 * @param confirmationDays of the provider
 */
export function isWatched(
  { paymentId, expiresAt }: OpenPayment,
  events: readonly ProviderEvent[],
  now: Date,
  confirmationDays: number,
): boolean {
  const end = expiresAt.getTime() + Math.max(MIN_WATCH_DAYS, confirmationDays) * DAY_MS;
  const reported = events.flatMap(({ payment }) => payment ?? []);
  const ends = reported.filter(({ type }) => ENDS.includes(type));
  const isPaid = reported.some(({ type }) => type === 'payment.succeeded');
  const isEnded = ends.some((end) => end.paymentId === paymentId || end.checkoutId === paymentId);
  const hasNoAttempt = ends.length > 0 && ends.length === reported.length && expiresAt <= now;
  return !isPaid && !isEnded && !hasNoAttempt && now.getTime() < end;
}

/**
 * When a provider that reports no lost disputes is queried about a payment again: when the oldest open dispute is lost, and at the earliest in
 * a day; null when none is open.
 * @param events what the provider has just reported
 * @param days after how many days a dispute is lost
 */
export function nextDisputeCheckAt(events: readonly ProviderEvent[], days: number, now: Date): Date | null {
  const reported = events.flatMap(({ payment }) => payment ?? []);
  const ended = new Set(reported.filter(({ type }) => DISPUTE_ENDS.includes(type)).map(({ disputeId }) => disputeId));
  const open = reported.filter(({ type, disputeId }) => type === 'dispute.opened' && !ended.has(disputeId));
  if (open.length === 0) return null;
  const oldest = Math.min(...open.map(({ occurredAt }) => occurredAt.getTime()));
  return new Date(Math.max(oldest + days * DAY_MS, now.getTime() + DAY_MS));
}

/** Where a provider sends a buyer afterwards: pages of the shop's own front end. */
export interface ReturnAddresses {
  readonly successUrl?: string | undefined;
  readonly cancelUrl?: string | undefined;
}

/** Where a payment of a shop may return to. */
export interface ReturnTargets {
  /** Without a path. */
  readonly frontEndUrl: string;
  /** Further origins that the shop lists. */
  readonly origins: readonly string[];
  /** Whether pages of the buyer's own computer are allowed, for developers. */
  readonly allowLoopback: boolean;
}

/** One sentence for each address that is not on the front end of the shop. */
export function returnProblems(
  addresses: ReturnAddresses,
  { frontEndUrl, origins, allowLoopback }: ReturnTargets,
): string[] {
  const { origin } = new URL(frontEndUrl);
  const isAllowed = (address: string): boolean => {
    if (!URL.canParse(address)) return false;
    const target = new URL(address);
    // A blob has the origin of the page that made it.
    if (!['http:', 'https:'].includes(target.protocol)) return false;
    return [origin, ...origins].includes(target.origin) || (allowLoopback && isLoopbackUrl(address));
  };
  return (['successUrl', 'cancelUrl'] as const)
    .filter((name) => {
      const address = addresses[name];
      return address !== undefined && !isAllowed(address);
    })
    .map((name) => `${name} must be an address on the front end of the shop, ${origin}/... or one of its origins`);
}
