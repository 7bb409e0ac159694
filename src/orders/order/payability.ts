import { type Order } from './order.types.js';

/** Whether the buyer of an order can start a payment now. */
export function isPayable(
  { status, paymentStatus, expiresAt }: Pick<Order, 'status' | 'paymentStatus' | 'expiresAt'>,
  now: Date,
): boolean {
  return status === 'open' && (paymentStatus === 'pending' || paymentStatus === 'failed') && expiresAt > now;
}

/** Whether an order is unpaid, also after an attempt that failed and after its time to pay. */
export function awaitsPayment({ paymentStatus }: Pick<Order, 'paymentStatus'>): boolean {
  return paymentStatus === 'pending' || paymentStatus === 'authorized' || paymentStatus === 'failed';
}

/** Whether an approved payment of an order may be captured. A late payment completes an expired order, but never a cancelled one. */
export function awaitsMoney(order: Pick<Order, 'status' | 'paymentStatus'>): boolean {
  return order.status !== 'cancelled' && awaitsPayment(order);
}
