import { DAY_MS } from '../../platform/time/durations.js';
import { type Order } from '../../orders/orders/order.types.js';
import { type PaymentEventType } from '../../orders/orders/payment-event.types.js';
import { type OpenPayment, type Payment } from './payment.types.js';
import { type ProviderEvent } from '../providers/provider.js';

/** After as many tries with one provider, an order takes no more. */
export const MAX_ATTEMPTS = 10;

/** Bank transfers can take some days after the time to pay is over. */
const LATE_MS = 7 * DAY_MS;

const ENDS: readonly PaymentEventType[] = ['payment.failed', 'payment.canceled', 'payment.expired'];

/** Whether the provider has the payment. */
export function isCreated(payment: Payment): payment is OpenPayment {
  return payment.state === 'created';
}

/** Whether nobody can make a payment any more: its time is over, or the provider reported its end. */
export function hasEnded(payment: Payment, { payments }: Pick<Order, 'payments'>, now: Date): boolean {
  const { provider, paymentId, expiresAt } = payment;
  if (expiresAt !== null && expiresAt <= now) return true;
  return payments.some(
    (event) => event.provider === provider && event.paymentId === paymentId && ENDS.includes(event.type),
  );
}

/**
 * Whether the provider must be asked about a payment again: it has not said how the payment ended, and its time is not long over.
 * With some providers, the buyer can try several times with one payment, and each try has an id of its own. There, the end of a
 * try is the end of the payment only when no other try runs and its time is over.
 * @param events what the provider has just returned
 */
export function isWatched({ paymentId, expiresAt }: OpenPayment, events: readonly ProviderEvent[], now: Date): boolean {
  const said = events.flatMap(({ payment }) => payment ?? []);
  const ends = said.filter(({ type }) => ENDS.includes(type));
  const isPaid = said.some(({ type }) => type === 'payment.succeeded');
  const isEnded = ends.some((end) => end.paymentId === paymentId);
  const hasNoTry = ends.length > 0 && ends.length === said.length && expiresAt <= now;
  return !isPaid && !isEnded && !hasNoTry && now.getTime() < expiresAt.getTime() + LATE_MS;
}

/** Where a provider may send a buyer: to pages of the shop's own front end. */
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
