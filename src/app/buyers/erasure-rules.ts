import { type BuyerOrder, type DeliveryStatus, type PaymentStatus } from '../../orders/order/order.types.js';

const UNDECIDED_PAYMENTS = new Set<PaymentStatus>(['processing', 'authorized', 'disputed', 'needs_review']);
const PAID = new Set<PaymentStatus>(['paid', 'partially_refunded']);
const UNDELIVERED = new Set<DeliveryStatus>(['queued', 'held', 'leased', 'failed']);
/** How many orders the message of an error names. */
const MAX_NAMED = 5;

/**
 * Why the identity of a buyer is still needed, in one sentence; null when it is not. What is not finished needs it: to deliver, to send
 * the receipt, or to answer a dispute.
 */
export function erasureProblem(orders: readonly BuyerOrder[]): string | null {
  const unfinished = orders.filter(
    ({ status, paymentStatus, deliveryStatus }) =>
      status === 'open' ||
      UNDECIDED_PAYMENTS.has(paymentStatus) ||
      (PAID.has(paymentStatus) && UNDELIVERED.has(deliveryStatus)),
  );
  if (unfinished.length === 0) return null;
  const named = unfinished.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = unfinished.length - named.length;
  return `Orders of the buyer are open, paid and not delivered, or their payment is undecided: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Deliver, cancel or refund them first`;
}
