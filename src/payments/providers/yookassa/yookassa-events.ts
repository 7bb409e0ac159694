import { type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { IDENTIFIER, type JsonFields } from '../json-fields.js';
import { type PaymentDetails, type ProviderEvent } from '../provider.js';
import { amountIn, refundFailureIn, orderIdIn } from '../provider-fields.js';
import { YOOKASSA_ID, yookassaRefundState } from './yookassa-api.js';

/** Why a payment was canceled, where it is not a failure of the payment method. */
const CANCELLATIONS: ReadonlyMap<unknown, PaymentEventType> = new Map([
  ['expired_on_confirmation', 'payment.expired'],
  ['expired_on_capture', 'payment.expired'],
  ['canceled_by_merchant', 'payment.canceled'],
]);

type State = Pick<PaymentDetails, 'type' | 'occurredAt'>;

function cancellationOf(payment: JsonFields): PaymentEventType {
  const details = payment.value('cancellation_details') == null ? null : payment.child('cancellation_details');
  return CANCELLATIONS.get(details?.value('reason')) ?? 'payment.failed';
}

/** The state of a payment; null while it waits for its buyer, and for an unknown state. */
function stateOf(payment: JsonFields, status: string, receivedAt: Date): State | null {
  switch (status) {
    case 'waiting_for_capture':
      return { type: 'payment.authorized', occurredAt: payment.instant('created_at') };
    case 'succeeded': {
      const since = payment.value('captured_at') == null ? 'created_at' : 'captured_at';
      return { type: 'payment.succeeded', occurredAt: payment.instant(since) };
    }
    case 'canceled':
      // YooKassa does not report the time of a cancellation. It is later than the creation, which is the time of every earlier state.
      return { type: cancellationOf(payment), occurredAt: receivedAt };
    default:
      return null;
  }
}

/** The id and the state of an object, which both are in the id of its event. */
function headOf(
  object: JsonFields,
  id: string,
  kind: string,
): Pick<ProviderEvent, 'eventId' | 'kind'> & { status: string } {
  const status = object.string('status', IDENTIFIER);
  return { eventId: `${id}-${status}`, kind: `${kind}.${status}`, status };
}

/**
 * Reads a payment that was fetched from YooKassa.
 * @throws AppError webhook_rejected when a field is not as expected
 */
export function readYookassaPayment(payment: JsonFields, paymentId: string, receivedAt: Date): ProviderEvent {
  const { status, ...head } = headOf(payment, paymentId, 'payment');
  const state = stateOf(payment, status, receivedAt);
  if (state === null) return { ...head, payment: null };
  const orderId = orderIdIn(payment);
  return { ...head, payment: { ...state, orderId, paymentId, ...amountIn(payment, 'amount'), cumulative: false } };
}

/**
 * Reads a refund that was fetched from YooKassa. It names its payment, and not the order.
 * @throws AppError webhook_rejected when a field is not as expected
 */
export function readYookassaRefund(refund: JsonFields, id: string): ProviderEvent {
  const { status, ...head } = headOf(refund, id, 'refund');
  const state = yookassaRefundState(status);
  if (state === null) return { ...head, payment: null };
  const paymentId = refund.string('payment_id', YOOKASSA_ID);
  const occurredAt = refund.instant('created_at');
  const details = {
    orderId: null,
    paymentId,
    refundId: id,
    ...amountIn(refund, 'amount'),
    occurredAt,
    cumulative: false,
    ...(state === 'failed' ? refundFailureIn(refund.at('cancellation_details', 'reason')) : {}),
  };
  return { ...head, payment: { type: `refund.${state}`, ...details } };
}
