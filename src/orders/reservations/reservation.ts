import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { type Author } from '../../events/audit/audit.service.js';
import { type LockName } from '../../domain/limits/lock-names.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type NewOrder, type Order } from '../order/order.types.js';
import { type OrderLimit } from './order-limits.js';

/** An order that is to be placed, with what decides what it holds. */
export interface ReservationRequest extends Pick<NewOrder, 'id' | 'items' | 'serverId'> {
  /** null when the buyer is not known: then what depends on the buyer is not checked. */
  readonly buyer: BuyerKeys | null;
  readonly discountCode: string | undefined;
  /** The limits of its products. */
  readonly limits: readonly OrderLimit[];
}

/** An order that is placed in a transaction. */
export type PlacedOrder = Pick<Order, 'shopId' | 'id' | 'items' | 'discount' | 'createdAt'> & BuyerKeys;

/** A paid order, for what it gives back and takes again. */
export type FollowedOrder = Pick<Order, 'id' | 'status' | 'paymentStatus' | 'items'>;

/**
 * One kind of thing that an order holds from when it is placed until it is paid or ends: units of the stock, the use of a code. Every step
 * takes the transaction of the order, so that the order and what it holds change together or not at all. A kind has the steps that it needs.
 */
export interface Reservation {
  /**
   * Why an order cannot have it now.
   * @param transaction in which the order is placed; null for a quote, which places no order
   */
  problems(
    shopId: string,
    request: ReservationRequest,
    transaction: Transaction | null,
  ): Promise<readonly OrderProblem[]>;

  /** The records that concurrent orders write too, for `TransactionOptions.oneAtATime`. */
  names(shopId: string, request: ReservationRequest): readonly LockName[];

  /** Takes it for a new order, after `problems` in the same transaction. @throws AppError when nothing is left */
  take(order: PlacedOrder, transaction: Transaction): Promise<void>;

  /**
   * Makes it final, because the order is paid. An order that had expired takes it again, even when nothing is left: the buyer gets what was
   * promised.
   * @param order as it was before the payment
   */
  settle(order: PlacedOrder & Pick<Order, 'status'>, transaction: Transaction): Promise<void>;

  /**
   * Gives it back when the money of a paid order went back in full, and takes it again when the money returns, or when what counted as not
   * delivered was delivered after all.
   * @param order as it is after a change of its money or its deliveries
   */
  follow(author: Author, order: FollowedOrder, transaction: Transaction): Promise<void>;

  /** Gives it back for orders that ended unpaid. */
  release(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<void>;
}
