import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { forInsert } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { withHistory } from '../order/order-history.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import { type HistoryEntry, type Withdrawal } from '../order/order.types.js';

@Injectable()
export class WithdrawalsRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /** The ids of the orders with a withdrawal since a time, the latest first. */
  async latest(shopId: string, since: Date, limit: number): Promise<string[]> {
    const records = await this.orders
      .find({ shopId, 'withdrawal.at': trusted({ $type: 'date', $gte: since }) }, { _id: 1 })
      .sort({ 'withdrawal.at': -1 })
      .limit(limit)
      .lean();
    return records.map(({ _id }) => _id.toHexString());
  }

  /** Stores the withdrawal from an order, once. @returns false when the order has one */
  async insert(
    shopId: string,
    orderId: string,
    withdrawal: Withdrawal,
    history: HistoryEntry,
    transaction: Transaction,
  ): Promise<boolean> {
    const without = { _id: orderId, shopId, withdrawal: trusted({ $exists: false }) };
    const change = { $set: forInsert({ withdrawal }), $push: withHistory([history]) };
    const { matchedCount } = await this.orders.updateOne(without, change, { session: transaction });
    return matchedCount === 1;
  }
}
