import { CURRENCY_SAYS, isCurrency, type MinorUnits, toMinor } from '../../../lib/money/money.js';
import { type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { IDENTIFIER, type JsonFields } from '../json-fields.js';
import { type PaymentDetails, type ProviderEvent, type StartedRefund } from '../provider.js';
import { type Amount, ourOrderId, sharesOf } from '../provider-fields.js';

/** What the state of a payment at Mercado Pago says about its money. A payment stays paid when it goes back. */
const STATES: ReadonlyMap<string, PaymentEventType> = new Map([
  ['pending', 'payment.processing'],
  ['in_process', 'payment.processing'],
  ['authorized', 'payment.authorized'],
  ['approved', 'payment.succeeded'],
  ['in_mediation', 'payment.succeeded'],
  ['refunded', 'payment.succeeded'],
  ['charged_back', 'payment.succeeded'],
  ['rejected', 'payment.failed'],
  ['cancelled', 'payment.canceled'],
]);

/** What all events of a payment have in common. */
type PaymentReference = Pick<PaymentDetails, 'orderId' | 'paymentId' | 'cumulative'>;

const REFUND_STATES: ReadonlyMap<string, StartedRefund['state']> = new Map([
  ['in_process', 'pending'],
  ['approved', 'succeeded'],
  ['rejected', 'failed'],
  ['cancelled', 'failed'],
]);

/** The state of a refund at Mercado Pago; null for one that we do not know. */
export const mercadoPagoRefundState = (status: string): StartedRefund['state'] | null =>
  REFUND_STATES.get(status) ?? null;

/** The id of an object at Mercado Pago. It goes into addresses. */
export const MERCADO_PAGO_ID = { pattern: /^[A-Za-z0-9_-]{1,64}$/, says: 'must be an id of Mercado Pago' };

/** An id as a string. Mercado Pago returns some as numbers and some as strings. @throws AppError webhook_rejected */
export const idIn = (object: JsonFields, name: string): string =>
  typeof object.value(name) === 'number' ? String(object.count(name)) : object.string(name, MERCADO_PAGO_ID);

/** An amount in major units, which is a number, in the given currency. */
function amountOf(object: JsonFields, name: string, currency: string): Amount {
  const amountMinor = toMinor(object.number(name), currency);
  if (amountMinor === null || amountMinor < 0) throw object.wrong(name, `must be an exact amount in ${currency}`);
  return { amountMinor, currency };
}

function currencyOf(object: JsonFields, name: string): string {
  const currency = object.string(name, IDENTIFIER);
  if (!isCurrency(currency)) throw object.wrong(name, CURRENCY_SAYS);
  return currency;
}

/** The instant in a field, or since when there is the object. */
const instantOf = (object: JsonFields, name: string): Date =>
  object.instant(object.value(name) == null ? 'date_created' : name);

function refundOf(refund: JsonFields, reference: PaymentReference, currency: string): ProviderEvent {
  // Mercado Pago lists a refund that is not approved only with its state.
  const status = refund.optionalString('status', IDENTIFIER) ?? 'approved';
  const refundId = idIn(refund, 'id');
  const head = { eventId: `refund-${refundId}-${status}`, kind: `refund.${status}` };
  const state = mercadoPagoRefundState(status);
  if (state === null) return { ...head, payment: null };
  const amount = amountOf(refund, 'amount', currency);
  const details = { ...reference, refundId, ...amount, occurredAt: refund.instant('date_created') };
  return { ...head, payment: { type: `refund.${state}`, ...details } };
}

/**
 * Reads a payment that was fetched from Mercado Pago: its state, its refunds, and whether it was charged back. Each has an id of its
 * own, so a repetition has the same events.
 * @throws AppError webhook_rejected when a field is not as expected
 */
export function readMercadoPagoPayment(payment: JsonFields, paymentId: string): ProviderEvent[] {
  const status = payment.string('status', IDENTIFIER);
  const type = STATES.get(status);
  const kind = `payment.${status}`;
  if (type === undefined) return [{ eventId: `${paymentId}-${status}`, kind, payment: null }];
  const reference = { orderId: ourOrderId(payment.value('external_reference')), paymentId, cumulative: false };
  const currency = currencyOf(payment, 'currency_id');
  const amount = amountOf(payment, 'transaction_amount', currency);
  const isPaid = type === 'payment.succeeded';
  const occurredAt = instantOf(payment, isPaid ? 'date_approved' : 'date_last_updated');
  const details = { ...reference, ...amount, occurredAt };
  const events: ProviderEvent[] = [
    {
      eventId: `${paymentId}-${isPaid ? 'approved' : status}`,
      kind,
      payment: { type, ...details },
    },
    ...payment.children('refunds').map((refund) => refundOf(refund, reference, currency)),
  ];
  // The payment has no time of the chargeback. Its own time is before every end of the dispute, which the chargeback reports.
  if (status === 'charged_back') {
    const opened = { type: 'dispute.opened' as const, ...details };
    events.push({ eventId: `${paymentId}-charged_back`, kind, payment: opened });
  }
  return events;
}

/**
 * Reads a payment that Mercado Pago warns of: what is known of it, and the warning.
 * @throws AppError webhook_rejected when a field is not as expected
 */
export function readMercadoPagoWarning(payment: JsonFields, paymentId: string): ProviderEvent[] {
  const events = readMercadoPagoPayment(payment, paymentId);
  const details = events[0]?.payment;
  if (details == null) return events;
  const warning = { ...details, type: 'fraud.warning' as const };
  return [...events, { eventId: `${paymentId}-stop_delivery`, kind: 'stop_delivery_op_wh', payment: warning }];
}

/** How a chargeback ends: whether Mercado Pago covers it. */
const ENDS: ReadonlyMap<unknown, PaymentEventType> = new Map([
  [true, 'dispute.won'],
  [false, 'dispute.lost'],
]);

/** The ids of the payments that a chargeback is about. */
function paymentsOf(chargeback: JsonFields): string[] {
  const ids = chargeback.value('payments');
  if (!Array.isArray(ids) || !ids.every(Number.isSafeInteger)) throw chargeback.wrong('payments', 'must be ids');
  return ids.map(String);
}

/** What a payment received, in the currency of its chargeback; null for an unknown payment. */
function receivedBy(payment: JsonFields | undefined, currency: string): MinorUnits | null {
  if (payment?.value('currency_id') !== currency) return null;
  return amountOf(payment, 'transaction_amount', currency).amountMinor;
}

/**
 * Reads a chargeback that was fetched from Mercado Pago. It has one amount for all of its payments, and names no order.
 * @param payments of a chargeback with several payments, by their ids: each gets its share of the amount
 * @throws AppError webhook_rejected when a field is not as expected
 */
export function readMercadoPagoChargeback(
  chargeback: JsonFields,
  id: string,
  payments: ReadonlyMap<string, JsonFields> = new Map(),
): ProviderEvent[] {
  const { amountMinor, currency } = amountOf(chargeback, 'amount', currencyOf(chargeback, 'currency'));
  const end = ENDS.get(chargeback.value('coverage_applied'));
  const paymentIds = paymentsOf(chargeback);
  const shares = sharesOf(
    amountMinor,
    paymentIds.map((paymentId) => receivedBy(payments.get(paymentId), currency)),
  );
  return paymentIds.flatMap((paymentId, index) => {
    const event = (type: PaymentEventType, since: string): ProviderEvent => {
      const state = type.slice('dispute.'.length);
      const orderId = ourOrderId(payments.get(paymentId)?.value('external_reference'));
      const amount = { amountMinor: shares[index] ?? amountMinor, currency };
      const reference = { orderId, paymentId, disputeId: id, cumulative: false };
      const payment = { type, ...reference, ...amount, occurredAt: instantOf(chargeback, since) };
      return { eventId: `chargeback-${id}-${paymentId}-${state}`, kind: `chargeback.${state}`, payment };
    };
    const opened = event('dispute.opened', 'date_created');
    return end === undefined ? [opened] : [opened, event(end, 'date_last_updated')];
  });
}
