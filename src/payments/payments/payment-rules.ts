import { DAY_MS } from '../../platform/time/durations.js';
import { type Order } from '../../orders/order/order.types.js';
import { type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { type OpenPayment, type Payment } from './payment.types.js';
import { type ProviderEvent } from '../providers/provider.js';

/** The limit of attempts to pay one order with one provider. */
export const MAX_ATTEMPTS = 10;

/** Bank transfers can arrive some days after the time to pay. */
const LATE_MS = 7 * DAY_MS;

const ENDS: readonly PaymentEventType[] = ['payment.failed', 'payment.canceled', 'payment.expired'];

/** Whether the provider has the payment. */
export function isCreated(payment: Payment): payment is OpenPayment {
  return payment.state === 'created';
}

/** Whether a payment cannot be made any more: it expired, or the provider reported its end. */
export function hasEnded(payment: Payment, { payments }: Pick<Order, 'payments'>, now: Date): boolean {
  const { provider, paymentId, expiresAt } = payment;
  if (expiresAt !== null && expiresAt <= now) return true;
  return payments.some(
    (event) => event.provider === provider && event.paymentId === paymentId && ENDS.includes(event.type),
  );
}

/**
 * Whether the provider must be queried about a payment again: it has not reported how the payment ended, and the payment has not
 * expired long ago. With some providers, a buyer can make several attempts with one payment, and each attempt has its own id.
 * There, the end of an attempt is the end of the payment only when no other attempt is in progress and the payment has expired.
 * @param events what the provider has just reported
 */
export function isWatched({ paymentId, expiresAt }: OpenPayment, events: readonly ProviderEvent[], now: Date): boolean {
  const reported = events.flatMap(({ payment }) => payment ?? []);
  const ends = reported.filter(({ type }) => ENDS.includes(type));
  const isPaid = reported.some(({ type }) => type === 'payment.succeeded');
  const isEnded = ends.some((end) => end.paymentId === paymentId);
  const hasNoAttempt = ends.length > 0 && ends.length === reported.length && expiresAt <= now;
  return !isPaid && !isEnded && !hasNoAttempt && now.getTime() < expiresAt.getTime() + LATE_MS;
}

/** Where a provider sends a buyer afterwards: pages of the shop's own front end. */
export interface ReturnAddresses {
  readonly successUrl?: string | undefined;
  readonly cancelUrl?: string | undefined;
}

/** One sentence for each address that is not on the front end of the shop. @param frontEndUrl without a path */
export function returnProblems(addresses: ReturnAddresses, frontEndUrl: string): string[] {
  const { origin } = new URL(frontEndUrl);
  return (['successUrl', 'cancelUrl'] as const)
    .filter((name) => {
      const address = addresses[name];
      return address !== undefined && !(URL.canParse(address) && new URL(address).origin === origin);
    })
    .map((name) => `${name} must be an address on the front end of the shop, ${origin}/...`);
}
