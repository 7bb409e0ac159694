import { isCurrency, decimalsOf, type MinorUnits } from '../../common/money/money.js';
import { isObjectId } from '../../common/validation/object-id.js';
import { type PaymentEventType } from '../../orders/payment-event.types.js';
import { IDENTIFIER, JsonFields } from './json-fields.js';
import { type PaymentNotice, type ProviderEvent } from './provider.js';

/**
 * Stripe's own idea of a currency's smallest unit, which for some is neither ISO's nor that of the platform's formatter:
 * everything not listed has two decimals.
 * @see https://docs.stripe.com/currencies#zero-decimal and #three-decimal, #special-cases (ISK and UGX count in hundredths)
 */
const STRIPE_DECIMALS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3])),
};

/**
 * An amount in Stripe's units to our minor units. A fraction of our smallest unit is dropped: nothing ever counts for more
 * than was paid.
 */
export function fromStripeAmount(amount: number, currency: string): MinorUnits {
  const shift = decimalsOf(currency) - (STRIPE_DECIMALS[currency] ?? 2);
  return shift >= 0 ? amount * 10 ** shift : Math.floor(amount / 10 ** -shift);
}

/** A notice without its time, which stands at the event and not at its object. */
type UndatedNotice = Omit<PaymentNotice, 'occurredAt'>;
type Reader = (object: JsonFields) => UndatedNotice | null;

/** The order that a merchant's reference names, if it is one of ours: an account may serve other systems too. */
function orderIdOf(object: JsonFields): string | null {
  const metadata = object.value('metadata') == null ? null : object.child('metadata').value('orderId');
  const references = [metadata, object.value('client_reference_id')];
  const ours = references.find((value): value is string => typeof value === 'string' && isObjectId(value));
  return ours?.toLowerCase() ?? null;
}

function notice(
  object: JsonFields,
  type: PaymentEventType,
  paymentId: string,
  amountField: string,
  cumulative = false,
): UndatedNotice {
  const currency = object.text('currency', { pattern: /^[A-Za-z]{3}$/, says: 'must be a currency' }).toUpperCase();
  if (!isCurrency(currency)) throw object.wrong('currency', 'must be a currency');
  const amountMinor = fromStripeAmount(object.count(amountField), currency);
  return { type, orderId: orderIdOf(object), paymentId, amountMinor, currency, cumulative };
}

/** The payment of an object, so that a session, its intent, its charge and a dispute all speak of one; else its own id. */
function paymentIdOf(object: JsonFields, otherwise: string): string {
  return object.optionalText('payment_intent', IDENTIFIER) ?? object.text(otherwise, IDENTIFIER);
}

const session =
  (type: PaymentEventType): Reader =>
  (object) =>
    // Sessions that only save a card have no amount.
    object.value('amount_total') == null ? null : notice(object, type, paymentIdOf(object, 'id'), 'amount_total');

const intent =
  (type: PaymentEventType, amountField: string): Reader =>
  (object) =>
    notice(object, type, object.text('id', IDENTIFIER), amountField);

const dispute = (object: JsonFields, type: PaymentEventType): UndatedNotice =>
  notice(object, type, paymentIdOf(object, 'charge'), 'amount');

const DISPUTE_ENDS: Readonly<Record<string, PaymentEventType>> = {
  won: 'dispute.won',
  // An inquiry that never became a dispute, and one that ended before it did.
  warning_closed: 'dispute.won',
  prevented: 'dispute.won',
  lost: 'dispute.lost',
};

/** The kinds of events that mean something to an order. */
const READERS: Readonly<Record<string, Reader>> = {
  // A session can complete before its money comes (bank transfers); then async_payment_... tells how it ended.
  'checkout.session.completed': (object) =>
    object.value('payment_status') === 'paid' ? session('payment.succeeded')(object) : null,
  'checkout.session.async_payment_succeeded': session('payment.succeeded'),
  'checkout.session.async_payment_failed': session('payment.failed'),
  'checkout.session.expired': session('payment.expired'),
  'payment_intent.succeeded': intent('payment.succeeded', 'amount_received'),
  'payment_intent.payment_failed': intent('payment.failed', 'amount'),
  'payment_intent.processing': intent('payment.pending', 'amount'),
  'payment_intent.canceled': intent('payment.canceled', 'amount'),
  'payment_intent.amount_capturable_updated': intent('payment.authorized', 'amount_capturable'),
  'charge.refunded': (object) => notice(object, 'refund.succeeded', paymentIdOf(object, 'id'), 'amount_refunded', true),
  'charge.dispute.created': (object) => dispute(object, 'dispute.opened'),
  'charge.dispute.closed': (object) => {
    const status = object.value('status');
    const type = typeof status === 'string' && Object.hasOwn(DISPUTE_ENDS, status) ? DISPUTE_ENDS[status] : undefined;
    return type === undefined ? null : dispute(object, type);
  },
};

function readNotice(event: JsonFields, read: Reader): PaymentNotice | null {
  const occurredAt = new Date(event.count('created') * 1000);
  if (Number.isNaN(occurredAt.getTime())) throw event.wrong('created', 'must be seconds since 1970');
  const undated = read(event.child('data').child('object'));
  return undated && { ...undated, occurredAt };
}

/** Reads the body of a Stripe event whose signature holds. @throws AppError webhook_rejected, body_too_complex */
export function readStripeEvent(body: Buffer): ProviderEvent {
  const event = JsonFields.parse(body);
  const kind = event.text('type', IDENTIFIER);
  const reader = Object.hasOwn(READERS, kind) ? READERS[kind] : undefined;
  return { eventId: event.text('id', IDENTIFIER), kind, notice: reader ? readNotice(event, reader) : null };
}
