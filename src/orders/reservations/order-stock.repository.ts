import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type BuyerKeys, sameBuyer } from '../../domain/buyers/buyer-keys.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import { type HeldUnits } from './order-limits.js';
import { withHistory } from '../order/order-history.js';
import {
  ALL_BACK,
  type HistoryEntry,
  type Order,
  type OrderItem,
  type OrderOrigin,
  type OrderStatus,
} from '../order/order.types.js';

/** The orders whose units count for limits. In a rehearsal nobody gets any. */
const HELD = {
  origin: trusted({ $ne: 'rehearsal' as const satisfies OrderOrigin }),
  status: oneOf<OrderStatus>(['open', 'completed']),
  paymentStatus: trusted({ $nin: ALL_BACK }),
};

const HELD_FIELDS = {
  ...{ 'items.productId': 1, 'items.quantity': 1, 'items.takenBack': 1 },
  ...{ createdAt: 1, status: 1, buyerKey: 1, nicknameKey: 1 },
};

/** The units of a product in an order. */
export type OrderUnits = Pick<OrderItem, 'productId' | 'quantity' | 'takesStock'>;

const UNIT_FIELDS = { 'items.productId': 1, 'items.quantity': 1, 'items.takesStock': 1 } as const;

/** What open orders are for. */
export type OpenItems = Pick<Order, 'serverId'> & {
  readonly items: readonly Pick<OrderItem, 'countsAs' | 'ownedEverywhere'>[];
};

/** Reads the units of products in orders. */
@Injectable()
export class OrderStockRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /**
   * The units of these products in open and completed orders whose money did not go back, without items that a refund took back.
   * @param buyer only in orders of the mailbox or for the player; null: in all
   * @param since the first moment of an order that counts
   */
  async heldBy(
    shopId: string,
    buyer: BuyerKeys | null,
    productIds: ReadonlySet<string>,
    since: Date,
    transaction: Transaction | null,
  ): Promise<HeldUnits[]> {
    const ofProducts = { 'items.productId': oneOf(productIds), createdAt: trusted({ $gte: since }) };
    const records = await this.orders
      .find({ shopId, ...(buyer && sameBuyer(buyer)), ...HELD, ...ofProducts }, HELD_FIELDS)
      .session(transaction)
      .lean<Pick<OrderRecord, '_id' | 'items' | 'createdAt' | 'status' | 'buyerKey' | 'nicknameKey'>[]>();
    return records.map(fromStored).flatMap(({ items, createdAt: orderedAt, status, buyerKey, nicknameKey }) => {
      const isOpen = status === 'open';
      const by = { isSameMailbox: buyerKey === buyer?.buyerKey, isSamePlayer: nicknameKey === buyer?.nicknameKey };
      const wanted = items.filter(({ productId, takenBack }) => productIds.has(productId) && takenBack !== true);
      return wanted.map(({ productId, quantity }) => ({ productId, quantity, orderedAt, isOpen, ...by }));
    });
  }

  /** Writes whether the units of some items of an order are in the stock again. */
  async setRestocked(
    shopId: string,
    orderId: string,
    items: readonly { readonly position: number; readonly restocked: boolean }[],
    history: readonly HistoryEntry[],
    transaction: Transaction,
  ): Promise<void> {
    const fields = items.map(({ position, restocked }) => [`items.${position}.restocked`, restocked]);
    const change = { $set: Object.fromEntries(fields) as object, $push: withHistory(history) };
    await this.orders.updateOne({ _id: orderId, shopId }, change, { session: transaction });
  }

  /** The open orders of a buyer, by mailbox and player, for something that counts as one of these products. */
  async openItems(
    shopId: string,
    { buyerKey, nicknameKey }: BuyerKeys,
    countsAs: readonly string[],
    transaction: Transaction | null,
  ): Promise<OpenItems[]> {
    const records = await this.orders
      .find(
        { shopId, buyerKey, nicknameKey, status: 'open', 'items.countsAs': oneOf(countsAs) },
        { serverId: 1, 'items.countsAs': 1, 'items.ownedEverywhere': 1 },
      )
      .session(transaction)
      .lean<Pick<OrderRecord, '_id' | 'serverId' | 'items'>[]>();
    return records.map(fromStored);
  }

  /** The units in these orders. An order that took none from a stock is not in the result. */
  async unitsOf(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<OrderUnits[]> {
    const records = await this.orders
      .find({ _id: oneOf(orderIds), shopId, 'items.takesStock': true }, UNIT_FIELDS)
      .session(transaction)
      .lean<Pick<OrderRecord, '_id' | 'items'>[]>();
    return records.map(fromStored).flatMap(({ items }) => items);
  }
}
