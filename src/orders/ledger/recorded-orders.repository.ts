import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { afterShop } from '../../infrastructure/database/after-id.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import { isSale } from '../order/order-rules.js';
import { ORDER_ORIGINS } from '../order/order.types.js';
import { type OrderCursor } from './ledger.types.js';
import { type RecordedOrder } from './sale-events.js';

/** The origins of orders that are sales. */
const SALES = ORDER_ORIGINS.filter((origin) => isSale({ origin }));

/** The fields of `RecordedOrder`. */
const RECORDED_FIELDS = {
  serverId: 1,
  currency: 1,
  buyerKey: 1,
  nicknameKey: 1,
  items: 1,
  itemCount: 1,
  subtotalMinor: 1,
  discount: 1,
  totalMinor: 1,
  createdAt: 1,
  paidAt: 1,
  isFirstPurchase: 1,
  payments: 1,
  reversals: 1,
} as const;

/** The orders that the ledger is compared with. */
@Injectable()
export class RecordedOrdersRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /** The next shop, by its id, that has orders; null when no shop follows. */
  async nextShop(after: string | null): Promise<string | null> {
    const record = await this.orders
      .findOne(afterShop(after), { shopId: 1 })
      .sort({ shopId: 1, createdAt: -1, _id: -1 })
      .lean();
    return record?.shopId.toHexString() ?? null;
  }

  /** A batch of the orders of a shop, the oldest first. @param after the last order of the batch before */
  async batch(
    shopId: string,
    after: OrderCursor | null,
    limit: number,
    transaction: Transaction,
  ): Promise<RecordedOrder[]> {
    const later = after && {
      createdAt: trusted({ $gte: after.createdAt }),
      $or: [{ createdAt: trusted({ $gt: after.createdAt }) }, { _id: trusted({ $gt: after.orderId }) }],
    };
    const records = await this.orders
      .find({ shopId, origin: oneOf(SALES), ...later }, RECORDED_FIELDS)
      .sort({ createdAt: 1, _id: 1 })
      .limit(limit)
      .session(transaction)
      .lean<Pick<OrderRecord, '_id' | keyof typeof RECORDED_FIELDS>[]>();
    return records.map(fromStored);
  }
}
