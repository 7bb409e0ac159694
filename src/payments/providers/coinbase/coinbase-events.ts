import { sha256 } from '../../../lib/crypto/keyed-hash.js';
import { isCurrency, decimalToMinor } from '../../../lib/money/money.js';
import { type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { IDENTIFIER, JsonFields } from '../json-fields.js';
import { type PaymentDetails, type ProviderEvent, type StartedRefund } from '../provider.js';
import { type Amount, orderIdIn, ourOrderId } from '../provider-fields.js';
import { readNamed } from '../unreadable-event.js';

/** The id of a checkout. It goes into addresses. */
export const COINBASE_ID = { pattern: /^[A-Za-z0-9_-]{1,64}$/, says: 'must be the id of a checkout' };
/** What Coinbase charges, and what it counts as here: one for one. */
export const USDC = 'USDC';
export const USD = 'USD';

/** USDC has six decimals, and Coinbase charges whole cents. */
const DECIMAL = { pattern: /^\d{1,12}(?:\.\d{1,6})?$/, says: 'must be a decimal string' };

/** The states of a checkout. It stays paid when its money goes back. A checkout that waits for its buyer is not among them. */
const STATES: ReadonlyMap<string, PaymentEventType> = new Map([
  ['PROCESSING', 'payment.processing'],
  ['COMPLETED', 'payment.succeeded'],
  ['PARTIALLY_REFUNDED', 'payment.succeeded'],
  ['REFUNDED', 'payment.succeeded'],
  ['FAILED', 'payment.failed'],
  ['EXPIRED', 'payment.expired'],
  ['DEACTIVATED', 'payment.canceled'],
]);

const REFUND_STATES: ReadonlyMap<string, StartedRefund['state']> = new Map([
  ['PENDING', 'pending'],
  ['COMPLETED', 'succeeded'],
  ['FAILED', 'failed'],
]);

/** The state of a refund at Coinbase; null for an unknown state. */
export const coinbaseRefundState = (status: string): StartedRefund['state'] | null => REFUND_STATES.get(status) ?? null;

function amountOf(object: JsonFields): Amount {
  const code = object.string('currency', IDENTIFIER);
  const currency = code === USDC ? USD : code;
  if (!isCurrency(currency)) throw object.wrong('currency', 'must be USDC or a currency code such as EUR');
  const text = object.string('amount', DECIMAL).replace(/(\.\d\d)0+$/, '$1');
  const amountMinor = decimalToMinor(text, currency);
  if (amountMinor === null) throw object.wrong('amount', `must be exact in ${currency}`);
  return { amountMinor, currency };
}

/** What all events of a checkout have in common. */
type PaymentReference = Pick<PaymentDetails, 'orderId' | 'paymentId' | 'cumulative'>;

function refundOf(refund: JsonFields, reference: PaymentReference, changedAt: Date): ProviderEvent {
  const refundId = refund.string('id', IDENTIFIER);
  const status = refund.string('status', IDENTIFIER);
  const head = { eventId: `refund-${refundId}-${status}`, kind: `refund.${status}` };
  const state = coinbaseRefundState(status);
  if (state === null) return { ...head, payment: null };
  const since = ['completedAt', 'createdAt'].find((name) => refund.value(name) != null);
  const occurredAt = since === undefined ? changedAt : refund.instant(since);
  return { ...head, payment: { type: `refund.${state}`, refundId, ...reference, ...amountOf(refund), occurredAt } };
}

/**
 * Reads a checkout: its state and its refunds. Each has an id of its own, so a repetition has the same events.
 * @param isPaid whether Coinbase reported the payment, also when the state does not show it yet
 * @throws AppError webhook_rejected when a field is not as expected
 */
export function readCoinbaseCheckout(checkout: JsonFields, isPaid = false): ProviderEvent[] {
  const paymentId = checkout.string('id', COINBASE_ID);
  const status = checkout.string('status', IDENTIFIER);
  const type = isPaid ? 'payment.succeeded' : STATES.get(status);
  const kind = `checkout.${status}`;
  if (type === undefined) return [{ eventId: `${paymentId}-${status}`, kind, payment: null }];
  const reference = { orderId: orderIdIn(checkout), paymentId, cumulative: false };
  const occurredAt = checkout.instant('updatedAt');
  const eventId = `${paymentId}-${type === 'payment.succeeded' ? 'COMPLETED' : status}`;
  return [
    { eventId, kind, payment: { type, ...reference, ...amountOf(checkout), occurredAt } },
    ...checkout.children('refunds').map((refund) => refundOf(refund, reference, occurredAt)),
  ];
}

/**
 * Reads the body of a webhook whose signature is valid: a checkout with the kind of event.
 * @throws AppError webhook_rejected, UnreadableEvent
 */
export function readCoinbaseEvent(body: Buffer): ProviderEvent[] {
  const checkout = JsonFields.parse(body);
  const kind = checkout.string('eventType', IDENTIFIER);
  // An object that is not a checkout has no id that we know.
  const head = { eventId: sha256(body.toString('latin1')), kind };
  if (!kind.startsWith('checkout.')) return [{ ...head, payment: null }];
  const references = { orderId: ourOrderId(checkout.at('metadata', 'orderId')), paymentIds: [checkout.at('id')] };
  const read = (): ProviderEvent[] => readCoinbaseCheckout(checkout, kind === 'checkout.payment.success');
  return readNamed(head, () => references, read).map((event) => ({ ...event, kind }));
}
