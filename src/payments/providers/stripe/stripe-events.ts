import { CURRENCY_SAYS, isCurrency, decimalsOf, type MinorUnits } from '../../../lib/money/money.js';
import { type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { IDENTIFIER, JsonFields } from '../json-fields.js';
import { refundFailureIn, ourOrderId } from '../provider-fields.js';
import { type PaymentDetails, type ProviderEvent, type StartedRefund } from '../provider.js';
import { readNamed, type References } from '../unreadable-event.js';

/** ISO 4217 for an amount without a currency. */
const NO_CURRENCY = 'XXX';

/**
 * The decimals of Stripe's amounts. For some currencies they differ from ISO 4217; a currency that is not listed has two.
 * @see https://docs.stripe.com/currencies#zero-decimal and #three-decimal, #special-cases (ISK and UGX count in hundredths)
 */
const STRIPE_DECIMALS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3])),
};

/**
 * Converts an amount in Stripe's units to our minor units. A fraction of our smallest unit is dropped, so that a payment
 * never counts for more than was paid.
 */
export function fromStripeAmount(amount: number, currency: string): MinorUnits {
  const shift = decimalsOf(currency) - (STRIPE_DECIMALS[currency] ?? 2);
  return shift >= 0 ? amount * 10 ** shift : Math.floor(amount / 10 ** -shift);
}

/** Converts our minor units to Stripe's; null for a fraction of Stripe's smallest unit. */
export function toStripeAmount(minor: MinorUnits, currency: string): number | null {
  const shift = (STRIPE_DECIMALS[currency] ?? 2) - decimalsOf(currency);
  const amount = shift >= 0 ? minor * 10 ** shift : minor / 10 ** -shift;
  return Number.isSafeInteger(amount) ? amount : null;
}

/** The details without their time, which belongs to the event and not to its object. */
type UndatedDetails = Omit<PaymentDetails, 'occurredAt'>;
type Reader = (object: JsonFields) => UndatedDetails | null;

/** The order that a merchant's reference names, or null: the account may also serve other systems. */
function orderIdOf(object: JsonFields): string | null {
  const metadata = object.value('metadata') == null ? null : object.child('metadata').value('orderId');
  return ourOrderId(metadata) ?? ourOrderId(object.value('client_reference_id'));
}

function detailsOf(
  object: JsonFields,
  type: PaymentEventType,
  paymentId: string,
  amountField: string,
  cumulative = false,
): UndatedDetails {
  const currency = object.string('currency', { pattern: /^[A-Za-z]{3}$/, says: CURRENCY_SAYS }).toUpperCase();
  if (!isCurrency(currency)) throw object.wrong('currency', CURRENCY_SAYS);
  const amountMinor = fromStripeAmount(object.count(amountField), currency);
  return { type, orderId: orderIdOf(object), paymentId, amountMinor, currency, cumulative };
}

/** The payment that an object belongs to, so that a session, its intent, its charge and a dispute share one id. */
function paymentIdOf(object: JsonFields, otherwise: string): string {
  return object.optionalString('payment_intent', IDENTIFIER) ?? object.string(otherwise, IDENTIFIER);
}

/** Nobody can pay in a session after any of its events. */
const session =
  (type: PaymentEventType): Reader =>
  (object) => {
    // Sessions that only save a card have no amount.
    if (object.value('amount_total') == null) return null;
    const details = detailsOf(object, type, paymentIdOf(object, 'id'), 'amount_total');
    return { ...details, checkoutId: object.string('id', IDENTIFIER) };
  };

/** A session can complete before its money arrives (bank debits, vouchers). Then async_payment_... reports how it ends. */
const completedSession: Reader = (object) => {
  switch (object.value('payment_status')) {
    case 'paid':
      return session('payment.succeeded')(object);
    case 'unpaid':
      return session('payment.processing')(object);
    default:
      return null;
  }
};

const intent =
  (type: PaymentEventType, amountField: string): Reader =>
  (object) =>
    detailsOf(object, type, object.string('id', IDENTIFIER), amountField);

/**
 * What a dispute took from the account, in Stripe's units: what was withdrawn without what was given back. null when the account has
 * another currency than the payment, or nothing was moved.
 */
function takenBy(dispute: JsonFields): number | null {
  const movements = dispute.value('balance_transactions');
  if (!Array.isArray(movements) || movements.length === 0) return null;
  const at = (index: number, name: string): unknown => dispute.at('balance_transactions', index, name);
  if (movements.some((_, index) => at(index, 'currency') !== dispute.value('currency'))) return null;
  const amounts = movements.map((_, index) => at(index, 'amount')).filter((amount) => typeof amount === 'number');
  const taken = amounts.reduce((sum, amount) => sum - amount, 0);
  return amounts.length === movements.length && Number.isSafeInteger(taken) ? Math.max(0, taken) : null;
}

const dispute = (object: JsonFields, type: PaymentEventType): UndatedDetails => {
  const details = detailsOf(object, type, paymentIdOf(object, 'charge'), 'amount');
  const taken = type === 'dispute.lost' ? takenBy(object) : null;
  const amountMinor = taken === null ? details.amountMinor : fromStripeAmount(taken, details.currency);
  return { ...details, disputeId: object.string('id', IDENTIFIER), amountMinor };
};

const REFUND_STATES: Readonly<Record<string, StartedRefund['state']>> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

/** The state of a refund at Stripe; null for one that we do not know. */
export function stripeRefundState(status: unknown): StartedRefund['state'] | null {
  return typeof status === 'string' && Object.hasOwn(REFUND_STATES, status) ? (REFUND_STATES[status] ?? null) : null;
}

const refund: Reader = (object) => {
  const state = stripeRefundState(object.value('status'));
  // Money that was given back without a payment intent or a charge belongs to no order.
  if (state === null || (object.value('payment_intent') ?? object.value('charge')) == null) return null;
  // The sum in `charge.refunded` counts a refund from its beginning.
  const isCounted = state === 'failed';
  const details = detailsOf(object, `refund.${state}`, paymentIdOf(object, 'charge'), 'amount', isCounted);
  const failure = state === 'failed' ? refundFailureIn(object.value('failure_reason')) : {};
  return { ...details, refundId: object.string('id', IDENTIFIER), ...failure };
};

/** A warning of a card network. It has no amount. */
const fraudWarning: Reader = (object) => ({
  type: 'fraud.warning',
  orderId: null,
  paymentId: paymentIdOf(object, 'charge'),
  amountMinor: 0,
  currency: NO_CURRENCY,
  cumulative: false,
});

const DISPUTE_ENDS: Readonly<Record<string, PaymentEventType>> = {
  won: 'dispute.won',
  // An inquiry that never became a dispute, and one that ended before it became one.
  warning_closed: 'dispute.won',
  prevented: 'dispute.won',
  lost: 'dispute.lost',
};

/** The kinds of events that change an order. */
const READERS: Readonly<Record<string, Reader>> = {
  'checkout.session.completed': completedSession,
  'checkout.session.async_payment_succeeded': session('payment.succeeded'),
  'checkout.session.async_payment_failed': session('payment.failed'),
  'checkout.session.expired': session('payment.expired'),
  'payment_intent.succeeded': intent('payment.succeeded', 'amount_received'),
  'payment_intent.payment_failed': intent('payment.failed', 'amount'),
  'payment_intent.processing': intent('payment.processing', 'amount'),
  'payment_intent.canceled': intent('payment.canceled', 'amount'),
  'payment_intent.amount_capturable_updated': intent('payment.authorized', 'amount_capturable'),
  'charge.refunded': (object) =>
    detailsOf(object, 'refund.succeeded', paymentIdOf(object, 'id'), 'amount_refunded', true),
  'refund.created': refund,
  'refund.updated': refund,
  'refund.failed': refund,
  'radar.early_fraud_warning.created': fraudWarning,
  'charge.dispute.created': (object) => dispute(object, 'dispute.opened'),
  'charge.dispute.closed': (object) => {
    const status = object.value('status');
    const type = typeof status === 'string' && Object.hasOwn(DISPUTE_ENDS, status) ? DISPUTE_ENDS[status] : undefined;
    return type === undefined ? null : dispute(object, type);
  },
};

/** The state of a session that was fetched with its payment intent; null while its buyer can still pay. */
function sessionState(session: JsonFields, intent: JsonFields | null): PaymentEventType | null {
  if (session.value('payment_status') === 'paid') return 'payment.succeeded';
  if (session.value('status') === 'expired') return 'payment.expired';
  switch (intent?.value('status')) {
    case 'requires_capture':
      return 'payment.authorized';
    case 'canceled':
      return 'payment.canceled';
    case 'processing':
      return 'payment.processing';
    case 'requires_payment_method':
      // In an open session the buyer can try another card.
      return session.value('status') === 'complete' ? 'payment.failed' : null;
    default:
      return null;
  }
}

const secondsIn = (object: JsonFields, name: string): Date => new Date(object.count(name) * 1000);

/** Fetched objects, as fields. */
const fieldsOf = (fetched: unknown): JsonFields => JsonFields.parse(Buffer.from(JSON.stringify(fetched)));

/**
 * Reads a checkout session that was fetched with its payment intent.
 * @param id the id of the requested session
 * @returns null while nothing has happened, and for a session without an amount
 * @throws AppError webhook_rejected when a field is not as expected
 */
export function readStripeSession(fetched: unknown, id: string): ProviderEvent | null {
  const object = fieldsOf(fetched);
  // The SDK returns an error without details as if it were the session.
  if (object.value('id') !== id) throw object.wrong('id', 'must be that of the requested session');
  const intentFields = object.value('payment_intent') == null ? null : object.child('payment_intent');
  const type = sessionState(object, intentFields);
  if (type === null || object.value('amount_total') == null) return null;
  const paymentId = (intentFields ?? object).string('id', IDENTIFIER);
  const occurredAt = secondsIn(
    type === 'payment.expired' ? object : (intentFields ?? object),
    type === 'payment.expired' ? 'expires_at' : 'created',
  );
  const isOpen = object.value('status') === 'open';
  const checkout = isOpen ? {} : { checkoutId: id };
  const payment = { ...detailsOf(object, type, paymentId, 'amount_total'), ...checkout, occurredAt };
  return { eventId: `${paymentId}-${type}`, kind: `session.${type}`, payment };
}

/** Reads a list of refunds that was fetched. @throws AppError webhook_rejected when a field is not as expected */
export function readStripeRefunds(fetched: unknown): ProviderEvent[] {
  const list = fieldsOf(fetched);
  if (list.value('object') !== 'list') throw list.wrong('object', 'must be list');
  return list.children('data').map((object) => {
    const details = refund(object);
    const status = object.string('status', IDENTIFIER);
    const payment = details && { ...details, occurredAt: secondsIn(object, 'created') };
    return { eventId: `${object.string('id', IDENTIFIER)}-${status}`, kind: `refund.${status}`, payment };
  });
}

/** The kinds of events to select for the webhook. */
export const STRIPE_EVENTS = Object.keys(READERS);

const TEST_EVENT =
  'The event is about a payment of the test mode (livemode: false), and the saved secret key is a live one: it changes no order';

function readDetails(event: JsonFields, read: Reader): PaymentDetails | null {
  const occurredAt = new Date(event.count('created') * 1000);
  if (Number.isNaN(occurredAt.getTime())) throw event.wrong('created', 'must be seconds since 1970');
  const undated = read(event.child('data').child('object'));
  return undated && { ...undated, occurredAt };
}

/** What an event names, whatever the shape of its object. */
function referencesOf(event: JsonFields): References {
  const at = (...path: string[]): unknown => event.at('data', 'object', ...path);
  return {
    orderId: ourOrderId(at('metadata', 'orderId')) ?? ourOrderId(at('client_reference_id')),
    paymentIds: [at('payment_intent'), at('charge'), at('id')],
  };
}

/**
 * Reads the body of a Stripe event whose signature is valid.
 * @param isLive whether the account has a live key: then an event of a test payment is about no money
 * @throws AppError webhook_rejected, UnreadableEvent
 */
export function readStripeEvent(body: Buffer, isLive: boolean): ProviderEvent {
  const event = JsonFields.parse(body);
  const head = { eventId: event.string('id', IDENTIFIER), kind: event.string('type', IDENTIFIER) };
  if (isLive && event.value('livemode') === false) return { ...head, payment: null, problem: TEST_EVENT };
  const reader = Object.hasOwn(READERS, head.kind) ? READERS[head.kind] : undefined;
  const read = (): PaymentDetails | null => (reader ? readDetails(event, reader) : null);
  return { ...head, payment: readNamed(head, () => referencesOf(event), read) };
}
