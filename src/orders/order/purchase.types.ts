import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { type OrderItem, type PaymentStatus } from './order.types.js';

/** A player, and whose player it is. */
export interface Player extends BuyerKeys {
  readonly nickname: string;
}

/** An order that was paid, without its private fields. */
export interface Purchase extends Player {
  readonly paidAt: Date;
  readonly items: readonly Pick<OrderItem, 'name' | 'quantity'>[];
}

/** A purchase with what has become of its payment. */
export interface PaidOrder extends Purchase {
  readonly paymentStatus: PaymentStatus;
}
