import { canMove } from '../../platform/states/transitions.js';
import { type MoneyHolder } from '../../delivery/deliveries/delivery.types.js';
import { GOODS_BY_PAYMENT } from './order-transitions.js';
import { type DeliveryStatus, type OpenOrderPlace, type Order, type PaymentStatus } from './order.types.js';

const MONEY: Readonly<Record<PaymentStatus, MoneyHolder>> = {
  pending: 'unclear',
  authorized: 'unclear',
  paid: 'shop',
  partially_refunded: 'shop',
  refunded: 'buyer',
  disputed: 'unclear',
  charged_back: 'buyer',
  failed: 'unclear',
  needs_review: 'unclear',
};

/**
 * Who has the money of an order. `shop`: its goods may go to the buyer. `buyer`: they are taken back. `unclear`: what is not
 * delivered waits, also when the order was cancelled before it was paid.
 */
export function moneyHolder({ status, paymentStatus }: Pick<Order, 'status' | 'paymentStatus'>): MoneyHolder {
  return status === 'completed' ? MONEY[paymentStatus] : 'unclear';
}

/**
 * The state of the goods after a change of the payment: queued while the shop has the money, held back (`revoked`) when the
 * buyer got it back or it is in doubt. Where the table has no such move (the goods are delivered), they stay as they are.
 */
export function deliveryAfter(
  current: DeliveryStatus,
  payment: { readonly paymentStatus: PaymentStatus; readonly paidAt: Date | null },
): DeliveryStatus {
  if (payment.paidAt === null) return current;
  const target: DeliveryStatus = MONEY[payment.paymentStatus] === 'shop' ? 'queued' : 'revoked';
  return canMove(GOODS_BY_PAYMENT, current, target) ? target : current;
}

/**
 * A free place of a holder, or null when as many as the quota are taken. Not the first free one, because
 * parallel orders would all choose it.
 * @param taken places of this and other holders
 * @param random from 0 to 1
 */
export function freePlace(
  holder: string,
  taken: readonly OpenOrderPlace[],
  quota: number,
  random: number,
): number | null {
  const numbers = new Set(taken.filter((place) => place.holder === holder).map(({ number }) => number));
  if (numbers.size >= quota) return null;
  let number = Math.floor(random * quota);
  while (numbers.has(number)) number = (number + 1) % quota;
  return number;
}
