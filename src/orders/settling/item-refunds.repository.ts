import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import { type OrderItem } from '../order/order.types.js';

/** What refunds change in one item of an order. */
export type RefundedFields = Pick<OrderItem, 'refundedMinor' | 'takenBack'>;

/** Writes what refunds say about single items of orders. */
@Injectable()
export class ItemRefundsRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /** @param changes by the position of their item: at least one */
  async set(
    shopId: string,
    orderId: string,
    changes: ReadonlyMap<number, RefundedFields>,
    transaction: Transaction,
  ): Promise<void> {
    const fields = [...changes].flatMap(([position, change]) =>
      Object.entries(change).map(([field, value]) => [`items.${position}.${field}`, value]),
    );
    const set = { $set: Object.fromEntries(fields) as object };
    await this.orders.updateOne({ _id: orderId, shopId }, set, { session: transaction });
  }
}
