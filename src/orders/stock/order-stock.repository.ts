import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type BuyerKeys, sameBuyer } from '../../platform/buyers/buyer-keys.js';
import { oneOf } from '../../platform/database/one-of.js';
import { fromStored } from '../../platform/database/stored.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import { type OrderItem, type OrderStatus } from '../order/order.types.js';

/** The states of orders whose pieces count for the limits per buyer. */
const COUNTED: readonly OrderStatus[] = ['open', 'completed'];

/** Pieces of a product in an order. */
export type OrderPieces = Pick<OrderItem, 'productId' | 'quantity' | 'takesStock'>;

const PIECES = { 'items.productId': 1, 'items.quantity': 1, 'items.takesStock': 1 } as const;

/** The pieces of products in orders. */
@Injectable()
export class OrderStockRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /** How many pieces of a product a buyer has in open and completed orders. */
  async countPieces(
    shopId: string,
    buyer: BuyerKeys,
    productId: string,
    transaction: Transaction | null,
  ): Promise<number> {
    const product = { 'items.productId': new Types.ObjectId(productId) };
    const [sum] = await this.orders
      .aggregate<{ pieces: number }>([
        { $match: { shopId: new Types.ObjectId(shopId), ...sameBuyer(buyer), status: { $in: COUNTED }, ...product } },
        { $unwind: '$items' },
        { $match: product },
        { $group: { _id: null, pieces: { $sum: '$items.quantity' } } },
      ])
      .session(transaction);
    return sum?.pieces ?? 0;
  }

  /** The pieces in those of these orders that took some from a stock. */
  async piecesOf(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<OrderPieces[]> {
    const records = await this.orders
      .find({ _id: oneOf(orderIds), shopId, 'items.takesStock': true }, PIECES)
      .session(transaction)
      .lean<Pick<OrderRecord, '_id' | 'items'>[]>();
    return records.map(fromStored).flatMap(({ items }) => items);
  }
}
