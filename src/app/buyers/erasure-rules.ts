import { type BuyerOrder, type DeliveryStatus, type PaymentStatus } from '../../orders/order/order.types.js';

const UNDECIDED_PAYMENTS = new Set<PaymentStatus>(['processing', 'authorized', 'disputed', 'needs_review']);
const PAID = new Set<PaymentStatus>(['paid', 'partially_refunded']);
const UNDELIVERED = new Set<DeliveryStatus>(['queued', 'held', 'leased', 'failed']);
/** How many orders the message of an error names. */
const MAX_NAMED = 5;

/**
 * The orders that end with the erasure: they are open, and nobody has started to pay them. Anybody can place an order with the address
 * of somebody else, so such an order must not hold up an erasure.
 * @param started the orders that have an attempt to pay
 */
export function unstartedOrders(orders: readonly BuyerOrder[], started: ReadonlySet<string>): BuyerOrder[] {
  return orders.filter(
    ({ id, status, paymentStatus }) => status === 'open' && paymentStatus === 'pending' && !started.has(id),
  );
}

/**
 * Why the identity of a buyer is still needed, in one sentence; null when it is not. What is not finished needs it: to deliver, to send
 * the receipt, or to answer a dispute.
 * @param started the orders that have an attempt to pay
 */
export function erasureProblem(orders: readonly BuyerOrder[], started: ReadonlySet<string>): string | null {
  const unstarted = new Set(unstartedOrders(orders, started));
  const unfinished = orders.filter(
    (order) =>
      (order.status === 'open' && !unstarted.has(order)) ||
      UNDECIDED_PAYMENTS.has(order.paymentStatus) ||
      (PAID.has(order.paymentStatus) && UNDELIVERED.has(order.deliveryStatus)),
  );
  if (unfinished.length === 0) return null;
  const named = unfinished.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = unfinished.length - named.length;
  return `Orders of the buyer are being paid, are paid and not delivered, or their payment is undecided: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Deliver, cancel or refund them first`;
}
