import { type Order } from '../../orders/order/order.types.js';

/** The entry in the history of an order of which an email did not reach the buyer. */
export const EMAIL_UNDELIVERED = 'email_undelivered';

/**
 * Whether an email to the buyer was given up before money arrived, so that the owners have no email about it yet. Of an order with nothing to
 * pay, and after the first payment, they got it at once.
 */
export function failedUnpaid({ history, totalMinor }: Pick<Order, 'history' | 'totalMinor'>): boolean {
  const failed = history.findIndex(({ action }) => action === EMAIL_UNDELIVERED);
  if (failed < 0 || totalMinor === 0) return false;
  return !history.slice(0, failed).some(({ action }) => action === 'payment.succeeded');
}
