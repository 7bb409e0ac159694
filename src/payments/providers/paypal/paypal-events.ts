import { type MinorUnits } from '../../../lib/money/money.js';
import { type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { IDENTIFIER, JsonFields } from '../json-fields.js';
import {
  captureAt,
  captureDetails,
  captureOf,
  foreignMerchant,
  foreignPayee,
  orderOf,
  PAYPAL_ID,
  type PayPalOrder,
  refundDetails,
  timeOf,
} from './paypal-captures.js';
import { type Amount, amountIn, ourOrderId, sharesOf } from '../provider-fields.js';
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

const OUTCOMES: Readonly<Record<string, PaymentEventType>> = {
  RESOLVED_SELLER_FAVOUR: 'dispute.won',
  CANCELED_BY_BUYER: 'dispute.won',
  // PayPal itself paid the buyer.
  RESOLVED_WITH_PAYOUT: 'dispute.won',
  RESOLVED_BUYER_FAVOUR: 'dispute.lost',
};

/** What went back to the buyer, as the outcome of a dispute says; null when it does not say it, or 0. */
function refundedIn(dispute: JsonFields): Amount | null {
  const outcome = dispute.value('dispute_outcome') == null ? null : dispute.child('dispute_outcome');
  if (outcome?.value('amount_refunded') == null) return null;
  const refunded = amountIn(outcome, 'amount_refunded', 'currency_code');
  return refunded.amountMinor > 0 ? refunded : null;
}

/** How a dispute ended. Where the outcome does not say who won, the money that went back to the buyer does. */
function outcomeOf(dispute: JsonFields): PaymentEventType {
  const code = dispute.at('dispute_outcome', 'outcome_code');
  const known = typeof code === 'string' && Object.hasOwn(OUTCOMES, code) ? OUTCOMES[code] : undefined;
  return known ?? (refundedIn(dispute) === null ? 'dispute.won' : 'dispute.lost');
}

const grossOf = (transaction: JsonFields): MinorUnits | null =>
  transaction.value('gross_amount') == null ? null : amountIn(transaction, 'gross_amount', 'currency_code').amountMinor;

/**
 * A dispute as one event for each payment that it is about. PayPal gives one amount for all of them: the disputed one, or at the end
 * what went back.
 */
function disputeEvents(
  head: EventHead,
  dispute: JsonFields,
  type: PaymentEventType,
  merchantId: string | undefined,
): ProviderEvent[] {
  const transactions = dispute
    .children('disputed_transactions')
    .filter((transaction) => transaction.value('seller_transaction_id') != null);
  const lost = type === 'dispute.lost' ? refundedIn(dispute) : null;
  const { amountMinor, currency } = lost ?? amountIn(dispute, 'dispute_amount', 'currency_code');
  const shares = sharesOf(amountMinor, transactions.map(grossOf));
  const events = transactions.map((transaction, index): ProviderEvent => {
    const paymentId = transaction.string('seller_transaction_id', IDENTIFIER);
    const payment = {
      type,
      orderId: ourOrderId(transaction.value('custom')),
      paymentId,
      disputeId: dispute.string('dispute_id', IDENTIFIER),
      amountMinor: shares[index] ?? amountMinor,
      currency,
      occurredAt: timeOf(dispute),
      cumulative: false,
    };
    const named = { ...head, ...(transactions.length > 1 ? { eventId: `${head.eventId}-${paymentId}` } : {}) };
    const problem = foreignMerchant(transaction, 'seller', merchantId);
    return problem === null ? { ...named, payment } : { ...named, payment: null, problem };
  });
  return events.length > 0 ? events : [{ ...head, payment: null }];
}

type EventHead = Pick<ProviderEvent, 'eventId' | 'kind'>;
/** Reads the resource of an event. @param merchantId as of `foreignPayee` */
type Reader = (head: EventHead, resource: JsonFields, merchantId: string | undefined) => ProviderEvent[];

const single =
  (read: (resource: JsonFields) => PaymentDetails | null): Reader =>
  (head, resource, merchantId) => {
    const problem = foreignMerchant(resource, 'payer', merchantId);
    return [problem === null ? { ...head, payment: read(resource) } : { ...head, payment: null, problem }];
  };

const capture =
  (type: PaymentEventType): Reader =>
  (head, resource, merchantId) => {
    const problem = foreignPayee(resource, merchantId);
    if (problem !== null) return [{ ...head, payment: null, problem }];
    return [{ ...head, payment: captureDetails(resource, type, orderOf(resource)) }];
  };

/** The kinds of events that change an order. */
const READERS: Readonly<Record<string, Reader>> = {
  'PAYMENT.CAPTURE.COMPLETED': capture('payment.succeeded'),
  'PAYMENT.CAPTURE.PENDING': capture('payment.processing'),
  'PAYMENT.CAPTURE.DECLINED': capture('payment.failed'),
  'PAYMENT.CAPTURE.DENIED': capture('payment.failed'),
  'PAYMENT.CAPTURE.REFUNDED': single(refundSum),
  'PAYMENT.CAPTURE.REVERSED': single(reversalDetails),
  'CUSTOMER.DISPUTE.CREATED': (head, dispute, merchantId) => disputeEvents(head, dispute, 'dispute.opened', merchantId),
  'CUSTOMER.DISPUTE.RESOLVED': (head, dispute, merchantId) =>
    disputeEvents(head, dispute, outcomeOf(dispute), merchantId),
};

const ORDER_APPROVED = 'CHECKOUT.ORDER.APPROVED';

/** The kinds of events to select for the webhook. */
export const PAYPAL_EVENTS = [ORDER_APPROVED, ...Object.keys(READERS)];

/** An order at PayPal that pays one of our orders, and that its buyer has approved. */
export interface ApprovedOrder extends PayPalOrder {
  readonly id: string;
  readonly orderId: string;
}

/** What a request reports, and the order at PayPal that must be captured, if any. */
export interface PayPalRequest {
  /** Usually one. A dispute has one for each payment that it is about. */
  readonly events: readonly ProviderEvent[];
  readonly approvedOrder: ApprovedOrder | null;
}

/** The order whose buyer has approved it, if it is one of ours: other systems capture their own. */
function approvedOrderOf(order: JsonFields, merchantId: string | undefined): ApprovedOrder | null {
  const [unit] = order.children('purchase_units');
  const orderId = ourOrderId(unit?.value('custom_id'));
  const isForeign = unit !== undefined && foreignPayee(unit, merchantId) !== null;
  return orderId === null || isForeign || order.value('intent') !== 'CAPTURE'
    ? null
    : { id: order.string('id', PAYPAL_ID), orderId };
}

/** What an event names, whatever the shape of its resource. */
function referencesOf(event: JsonFields): References {
  const at = (...path: (string | number)[]): unknown => event.at('resource', ...path);
  const each = (list: string, name: string): unknown[] => {
    const items = at(list);
    return Array.isArray(items) ? items.map((_, index) => at(list, index, name)) : [];
  };
  const references = [
    at('custom_id'),
    ...each('disputed_transactions', 'custom'),
    ...each('purchase_units', 'custom_id'),
  ];
  return {
    orderId: references.map(ourOrderId).find((orderId) => orderId !== null) ?? null,
    paymentIds: [
      at('id'),
      ...each('disputed_transactions', 'seller_transaction_id'),
      ...each('links', 'href').map(captureAt),
    ],
  };
}

/**
 * Reads the body of an event whose signature is valid.
 * @param merchantId as of `foreignPayee`
 * @throws AppError webhook_rejected, UnreadableEvent
 */
export function readPayPalEvent(body: Buffer, merchantId?: string): PayPalRequest {
  const fields = JsonFields.parse(body);
  const head = { eventId: fields.string('id', IDENTIFIER), kind: fields.string('event_type', IDENTIFIER) };
  const reader = Object.hasOwn(READERS, head.kind) ? READERS[head.kind] : undefined;
  const read = (): PayPalRequest => ({
    events: reader?.(head, fields.child('resource'), merchantId) ?? [{ ...head, payment: null }],
    approvedOrder: head.kind === ORDER_APPROVED ? approvedOrderOf(fields.child('resource'), merchantId) : null,
  });
  return readNamed(head, () => referencesOf(fields), read);
}
