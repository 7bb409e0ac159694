import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type BuyerKeys, sameBuyer } from '../../domain/buyers/buyer-keys.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import { ALL_BACK, type OrderItem, type OrderOrigin, type OrderStatus } from '../order/order.types.js';

/** The orders whose units count for the limits per buyer. In a rehearsal nobody gets any. */
const HELD = {
  origin: { $ne: 'rehearsal' satisfies OrderOrigin },
  status: { $in: ['open', 'completed'] satisfies OrderStatus[] },
  paymentStatus: { $nin: ALL_BACK },
};

/** The units of a product in an order. */
export type OrderUnits = Pick<OrderItem, 'productId' | 'quantity' | 'takesStock'>;

const UNIT_FIELDS = { 'items.productId': 1, 'items.quantity': 1, 'items.takesStock': 1 } as const;

/** Reads the units of products in orders. */
@Injectable()
export class OrderStockRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /** How many units of a product a buyer has in open and completed orders whose money did not go back. */
  async countUnits(
    shopId: string,
    buyer: BuyerKeys,
    productId: string,
    transaction: Transaction | null,
  ): Promise<number> {
    const product = { 'items.productId': new Types.ObjectId(productId) };
    const [sum] = await this.orders
      .aggregate<{ units: number }>([
        { $match: { shopId: new Types.ObjectId(shopId), ...sameBuyer(buyer), ...HELD, ...product } },
        { $unwind: '$items' },
        { $match: product },
        { $group: { _id: null, units: { $sum: '$items.quantity' } } },
      ])
      .session(transaction);
    return sum?.units ?? 0;
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
