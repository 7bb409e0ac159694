import { type Order, type PaymentStatus } from './order.types.js';

const PAYABLE: readonly PaymentStatus[] = ['pending', 'processing', 'failed'];

/** Whether the buyer of an order can start a payment now; during `processing` only a second one, which the buyer must confirm. */
export function isPayable(
  { status, paymentStatus, expiresAt }: Pick<Order, 'status' | 'paymentStatus' | 'expiresAt'>,
  now: Date,
): boolean {
  return status === 'open' && PAYABLE.includes(paymentStatus) && expiresAt > now;
}

/** Whether an order is unpaid, also after an attempt that failed and after its time to pay. */
export function awaitsPayment({ paymentStatus }: Pick<Order, 'paymentStatus'>): boolean {
  return PAYABLE.includes(paymentStatus) || paymentStatus === 'authorized';
}

/** Whether an approved payment of an order may be captured. A late payment completes an expired order, but never a cancelled one. */
export function awaitsMoney(order: Pick<Order, 'status' | 'paymentStatus'>): boolean {
  return order.status !== 'cancelled' && awaitsPayment(order);
}
