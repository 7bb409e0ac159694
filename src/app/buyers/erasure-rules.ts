import { type RunningItem } from '../../delivery/deliveries/kept-names.js';
import { shownNumber } from '../../orders/order/order-rules.js';
import { type BuyerOrder, type DeliveryStatus, type PaymentStatus } from '../../orders/order/order.types.js';

const UNDECIDED_PAYMENTS = new Set<PaymentStatus>(['processing', 'authorized', 'disputed', 'needs_review']);
const PAID = new Set<PaymentStatus>(['paid', 'partially_refunded']);
const UNDELIVERED = new Set<DeliveryStatus>(['queued', 'held', 'leased', 'uncertain', 'failed']);
/** How many orders the message of an error names. */
const MAX_NAMED = 5;
/** How many items it names: the owner decides about each of them. */
const MAX_ITEMS = 20;

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
  const named = listed(unfinished.map(shownNumber), MAX_NAMED);
  return `Orders of the buyer are being paid, are paid and not delivered, or their payment is undecided: ${named}. Deliver, cancel or refund them first`;
}

/** What is still to run for items of a buyer, in one sentence with a list; null: nothing is. @param orders those of the items */
export function runningProblem(orders: readonly BuyerOrder[], running: readonly RunningItem[]): string | null {
  if (running.length === 0) return null;
  const nameOf = ({ orderId, position }: RunningItem): string => {
    const order = orders.find(({ id }) => id === orderId);
    const item = order?.items[position]?.name ?? `item ${position}`;
    return `${item} of order ${order === undefined ? orderId : shownNumber(order)}`;
  };
  const items = running.map((item) => `${nameOf(item)} (${aheadOf(item).join(', ')})`);
  return `Something is still to run for items of the buyer: ${listed(items, MAX_ITEMS)}. Send running with keep, so that it keeps the nickname until it has run, or with drop, so that it does not run`;
}

function aheadOf({ expiresAt, isRevoking, revocableUntil }: RunningItem): string[] {
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  const ahead = [
    ...(expiresAt === null ? [] : [`ends on ${day(expiresAt)}`]),
    ...(isRevoking ? ['is being revoked'] : []),
    ...(isRevoking || revocableUntil === null ? [] : [`may be revoked until ${day(revocableUntil)}`]),
  ];
  return ahead.length === 0 ? ['is being delivered again'] : ahead;
}

function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
