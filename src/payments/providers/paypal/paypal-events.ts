import { type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { IDENTIFIER, JsonFields } from '../json-fields.js';
import {
  captureAt,
  captureDetails,
  captureOf,
  orderOf,
  PAYPAL_ID,
  type PayPalOrder,
  refundDetails,
  timeOf,
} from './paypal-captures.js';
import { amountIn, ourOrderId } from '../provider-fields.js';
import { type PaymentDetails, type ProviderEvent } from '../provider.js';
import { readNamed, type References } from '../unreadable-event.js';

/** Money that goes back to the buyer. PayPal adds the sum of all refunds of the capture. */
function refundSum(refund: JsonFields): PaymentDetails | null {
  const details = refundDetails(refund);
  const breakdown = refund.value('seller_payable_breakdown') == null ? null : refund.child('seller_payable_breakdown');
  if (details?.type !== 'refund.succeeded' || breakdown?.value('total_refunded_amount') == null) return details;
  return { ...details, ...amountIn(breakdown, 'total_refunded_amount', 'currency_code'), cumulative: true };
}

/**
 * Money that PayPal or a bank took back. It counts as a lost dispute: the shop did not decide it, and together with the end of a
 * dispute about the same capture it counts once.
 */
function reversalDetails(reversal: JsonFields): PaymentDetails {
  return {
    type: 'dispute.lost',
    orderId: ourOrderId(reversal.value('custom_id')),
    paymentId: captureOf(reversal),
    ...amountIn(reversal, 'amount', 'currency_code'),
    occurredAt: timeOf(reversal),
    cumulative: false,
  };
}

function disputeDetails(dispute: JsonFields, type: PaymentEventType): PaymentDetails | null {
  const [transaction] = dispute.children('disputed_transactions');
  const paymentId = transaction?.optionalString('seller_transaction_id', IDENTIFIER) ?? null;
  if (transaction === undefined || paymentId === null) return null;
  return {
    type,
    orderId: ourOrderId(transaction.value('custom')),
    paymentId,
    ...amountIn(dispute, 'dispute_amount', 'currency_code'),
    occurredAt: timeOf(dispute),
    cumulative: false,
  };
}

const OUTCOMES: Readonly<Record<string, PaymentEventType>> = {
  RESOLVED_SELLER_FAVOUR: 'dispute.won',
  CANCELED_BY_BUYER: 'dispute.won',
  // PayPal itself paid the buyer.
  RESOLVED_WITH_PAYOUT: 'dispute.won',
  RESOLVED_BUYER_FAVOUR: 'dispute.lost',
};

/** How a dispute ended. Where the outcome does not say who won, the money that went back to the buyer does. */
function outcomeOf(dispute: JsonFields): PaymentEventType {
  if (dispute.value('dispute_outcome') == null) return 'dispute.won';
  const outcome = dispute.child('dispute_outcome');
  const code = outcome.value('outcome_code');
  const known = typeof code === 'string' && Object.hasOwn(OUTCOMES, code) ? OUTCOMES[code] : undefined;
  if (known !== undefined) return known;
  if (outcome.value('amount_refunded') == null) return 'dispute.won';
  const { amountMinor } = amountIn(outcome, 'amount_refunded', 'currency_code');
  return amountMinor > 0 ? 'dispute.lost' : 'dispute.won';
}

type Reader = (resource: JsonFields) => PaymentDetails | null;

const capture =
  (type: PaymentEventType): Reader =>
  (resource) =>
    captureDetails(resource, type, orderOf(resource));

/** The kinds of events that change an order. */
const READERS: Readonly<Record<string, Reader>> = {
  'PAYMENT.CAPTURE.COMPLETED': capture('payment.succeeded'),
  'PAYMENT.CAPTURE.PENDING': capture('payment.pending'),
  'PAYMENT.CAPTURE.DECLINED': capture('payment.failed'),
  'PAYMENT.CAPTURE.DENIED': capture('payment.failed'),
  'PAYMENT.CAPTURE.REFUNDED': refundSum,
  'PAYMENT.CAPTURE.REVERSED': reversalDetails,
  'CUSTOMER.DISPUTE.CREATED': (dispute) => disputeDetails(dispute, 'dispute.opened'),
  'CUSTOMER.DISPUTE.RESOLVED': (dispute) => disputeDetails(dispute, outcomeOf(dispute)),
};

const ORDER_APPROVED = 'CHECKOUT.ORDER.APPROVED';

/** The kinds of events to select for the webhook. */
export const PAYPAL_EVENTS = [ORDER_APPROVED, ...Object.keys(READERS)];

/** An order at PayPal that pays one of our orders, and that its buyer has approved. */
export interface ApprovedOrder extends PayPalOrder {
  readonly id: string;
  readonly orderId: string;
}

/** An event, and the order at PayPal that must be captured, if any. */
export interface PayPalEvent {
  readonly event: ProviderEvent;
  readonly approvedOrder: ApprovedOrder | null;
}

/** The order whose buyer has approved it, if it is one of ours: other systems capture their own. */
function approvedOrderOf(order: JsonFields): ApprovedOrder | null {
  const [unit] = order.children('purchase_units');
  const orderId = ourOrderId(unit?.value('custom_id'));
  return orderId === null || order.value('intent') !== 'CAPTURE'
    ? null
    : { id: order.string('id', PAYPAL_ID), orderId };
}

/** What an event names, whatever the shape of its resource. */
function referencesOf(event: JsonFields): References {
  const at = (...path: (string | number)[]): unknown => event.at('resource', ...path);
  const [transaction, unit] = [['disputed_transactions', 0] as const, ['purchase_units', 0] as const];
  const references = [at('custom_id'), at(...transaction, 'custom'), at(...unit, 'custom_id')];
  const links = at('links');
  const linked = Array.isArray(links) ? links.map((_, index) => captureAt(at('links', index, 'href'))) : [];
  return {
    orderId: references.map(ourOrderId).find((orderId) => orderId !== null) ?? null,
    paymentIds: [at('id'), at(...transaction, 'seller_transaction_id'), ...linked],
  };
}

/** Reads the body of an event whose signature is valid. @throws AppError webhook_rejected, UnreadableEvent */
export function readPayPalEvent(body: Buffer): PayPalEvent {
  const fields = JsonFields.parse(body);
  const head = { eventId: fields.string('id', IDENTIFIER), kind: fields.string('event_type', IDENTIFIER) };
  const reader = Object.hasOwn(READERS, head.kind) ? READERS[head.kind] : undefined;
  const read = (): PayPalEvent => ({
    event: { ...head, payment: reader ? reader(fields.child('resource')) : null },
    approvedOrder: head.kind === ORDER_APPROVED ? approvedOrderOf(fields.child('resource')) : null,
  });
  return readNamed(head, () => referencesOf(fields), read);
}
