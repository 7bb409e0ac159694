import { formatDecimal, type MinorUnits } from '../../../lib/money/money.js';
import { type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { ANY_AMOUNT, type ChargeRule, wholeUnits } from '../../../domain/payments/charge-rules.js';
import { type JsonFields } from '../json-fields.js';
import { amountIn, ourOrderId } from '../provider-fields.js';
import { type PaymentDetails, type ProviderEvent, type StartedRefund } from '../provider.js';

/** Ids of PayPal's orders, captures and refunds. They go into addresses. */
export const PAYPAL_ID = { pattern: /^[A-Z0-9]{1,36}$/, says: 'must be an id of PayPal' };

const STATUS = { pattern: /^[A-Z_]{1,50}$/, says: 'must be a state' };

/**
 * PayPal takes only whole units of these.
 * @see https://developer.paypal.com/api/rest/reference/currency-codes/
 */
const WHOLE_UNITS = ['HUF', 'JPY', 'TWD'];

const CURRENCIES: ReadonlySet<string> = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' '),
);

/**
 * What PayPal charges.
 * @see https://developer.paypal.com/api/rest/reference/currency-codes/
 */
export function paypalChargeRule(currency: string): ChargeRule | null {
  if (!CURRENCIES.has(currency)) return null;
  return WHOLE_UNITS.includes(currency) ? wholeUnits(currency) : ANY_AMOUNT;
}

/** An amount as PayPal writes it; null for a fraction of PayPal's smallest unit. */
export function toPayPalAmount(minor: MinorUnits, currency: string): string | null {
  const decimal = formatDecimal(minor, currency);
  if (!WHOLE_UNITS.includes(currency)) return decimal;
  const [whole = '', fraction = ''] = decimal.split('.');
  return /^0*$/.test(fraction) ? whole : null;
}

/** When an object was changed last. */
export const timeOf = (object: JsonFields): Date =>
  object.instant(object.value('update_time') == null ? 'create_time' : 'update_time');

const CAPTURE_TYPES: Readonly<Record<string, PaymentEventType>> = {
  COMPLETED: 'payment.succeeded',
  // What was refunded was paid before. PayPal reports the refund in an event of its own.
  PARTIALLY_REFUNDED: 'payment.succeeded',
  REFUNDED: 'payment.succeeded',
  PENDING: 'payment.processing',
  DECLINED: 'payment.failed',
  DENIED: 'payment.failed',
  FAILED: 'payment.failed',
};

/**
 * Why a capture or an order is ignored, in one sentence: its money goes to the account of somebody else. Whoever knows the client id
 * of an app can create an order in a browser that names another payee, and PayPal reports it to the webhook of the app.
 * @param merchantId of the shop's account; undefined: the service has not read it, so nothing is ignored
 * @returns null for money of the shop
 */
export function foreignPayee(object: JsonFields, merchantId: string | undefined): string | null {
  const payee = object.value('payee');
  if (merchantId === undefined || payee == null || object.at('payee', 'merchant_id') === merchantId) return null;
  return foreignMoney(merchantId);
}

const foreignMoney = (merchantId: string): string =>
  `The money went to another PayPal account than ${merchantId}, the one of the shop`;

/**
 * The same for money that goes back: a refund names the account as its payer, and a transaction of a dispute as its seller. One without
 * a merchant id is not ignored, because a dispute of the shop must never get lost.
 */
export function foreignMerchant(
  object: JsonFields,
  role: 'payer' | 'seller',
  merchantId: string | undefined,
): string | null {
  const named = object.at(role, 'merchant_id');
  const isForeign = merchantId !== undefined && typeof named === 'string' && named !== merchantId;
  return isForeign ? foreignMoney(merchantId) : null;
}

/** An order at PayPal, and the order here that it pays; null when they are not known. */
export interface PayPalOrder {
  readonly id: string | null;
  readonly orderId: string | null;
}

/** The order at PayPal that a capture belongs to. Newer captures name it. */
export function orderOf(capture: JsonFields): PayPalOrder {
  const supplement = capture.value('supplementary_data') == null ? null : capture.child('supplementary_data');
  const related = supplement?.value('related_ids') == null ? null : supplement.child('related_ids');
  return { id: related?.optionalString('order_id', PAYPAL_ID) ?? null, orderId: null };
}

/**
 * What a capture says. Refunds and disputes name the capture, so it is the payment. PayPal's order is what we have created, and
 * what nobody can pay any more.
 */
export function captureDetails(
  capture: JsonFields,
  type: PaymentEventType,
  { id: paypalOrder, orderId }: PayPalOrder,
): PaymentDetails {
  return {
    type,
    orderId: ourOrderId(capture.value('custom_id')) ?? orderId,
    paymentId: capture.string('id', PAYPAL_ID),
    ...(paypalOrder === null ? {} : { checkoutId: paypalOrder }),
    ...amountIn(capture, 'amount', 'currency_code'),
    occurredAt: timeOf(capture),
    cumulative: false,
  };
}

const REFUND_STATES: Readonly<Record<string, StartedRefund['state']>> = {
  PENDING: 'pending',
  COMPLETED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'failed',
};

/** The state of a refund at PayPal; null for an unknown state. */
export function paypalRefundState(refund: JsonFields): StartedRefund['state'] | null {
  const status = refund.string('status', STATUS);
  return Object.hasOwn(REFUND_STATES, status) ? (REFUND_STATES[status] ?? null) : null;
}

/** The capture at an address of PayPal's API; undefined for another address. */
export function captureAt(href: unknown): string | undefined {
  return typeof href === 'string' ? /\/v2\/payments\/captures\/([A-Z0-9]{1,36})$/.exec(href)?.[1] : undefined;
}

/** The capture that the links of a refund name; otherwise the object itself is one. */
export function captureOf(refund: JsonFields): string {
  const up = refund.children('links').find((link) => link.value('rel') === 'up');
  return captureAt(up?.value('href')) ?? refund.string('id', PAYPAL_ID);
}

/** What a single refund says; null for a state that we do not know. */
export function refundDetails(refund: JsonFields): PaymentDetails | null {
  // PayPal's simulator sends refunds without a state.
  const state = refund.value('status') === undefined ? 'succeeded' : paypalRefundState(refund);
  return (
    state && {
      type: `refund.${state}`,
      orderId: ourOrderId(refund.value('custom_id')),
      paymentId: captureOf(refund),
      refundId: refund.string('id', PAYPAL_ID),
      ...amountIn(refund, 'amount', 'currency_code'),
      occurredAt: timeOf(refund),
      cumulative: false,
    }
  );
}

/**
 * The captures and refunds of an order, as PayPal returns it. The id of an event has the state, so a later state is another event.
 * @param paypalOrder the id of the requested order
 * @param merchantId as of `foreignPayee`
 */
export function readPayPalOrder(order: JsonFields, paypalOrder: PayPalOrder, merchantId?: string): ProviderEvent[] {
  const payments = order
    .children('purchase_units')
    .filter((unit) => unit.value('payments') != null && foreignPayee(unit, merchantId) === null)
    .map((unit) => unit.child('payments'));
  const eventOf = (object: JsonFields, kind: string, payment: PaymentDetails | null): ProviderEvent => {
    const status = object.string('status', STATUS);
    return { eventId: `${object.string('id', PAYPAL_ID)}-${status}`, kind: `PAYMENT.${kind}.${status}`, payment };
  };
  const captures = payments
    .flatMap((one) => one.children('captures'))
    .map((capture) => {
      const status = capture.string('status', STATUS);
      const type = Object.hasOwn(CAPTURE_TYPES, status) ? CAPTURE_TYPES[status] : undefined;
      return eventOf(capture, 'CAPTURE', type === undefined ? null : captureDetails(capture, type, paypalOrder));
    });
  const refunds = payments.flatMap((one) => one.children('refunds'));
  return [...captures, ...refunds.map((refund) => eventOf(refund, 'REFUND', refundDetails(refund)))];
}
