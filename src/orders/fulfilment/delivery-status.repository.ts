import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { statesBefore } from '../../lib/states/transitions.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type EntitlingOrder } from '../entitlements/entitlement.types.js';
import { withHistory } from '../order/order-history.js';
import { DELIVERY_STATUS_TRANSITIONS } from '../order/order-transitions.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import { type DeliveryStatus, type HistoryEntry, type Order } from '../order/order.types.js';

const ENTITLING_FIELDS = {
  ...{ status: 1, paymentStatus: 1, deliveryStatus: 1, buyerKey: 1, items: 1, serverId: 1, nickname: 1 },
  ...{ origin: 1, reversals: 1 },
} as const satisfies Record<Exclude<keyof EntitlingOrder, 'id'>, 1>;

/** Reads and moves the delivery status of orders. */
@Injectable()
export class DeliveryStatusRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  async find(
    shopId: string,
    orderIds: readonly string[],
    transaction: Transaction,
  ): Promise<Pick<Order, 'id' | 'deliveryStatus'>[]> {
    const records = await this.orders
      .find({ _id: oneOf(orderIds), shopId }, { deliveryStatus: 1 })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** As `find`, with all from which entitlements follow. */
  async findEntitling(
    shopId: string,
    orderIds: readonly string[],
    transaction: Transaction,
  ): Promise<EntitlingOrder[]> {
    const records = await this.orders
      .find({ _id: oneOf(orderIds), shopId }, ENTITLING_FIELDS)
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** As `OrdersService.addHistory`, for several orders. */
  async addHistory(
    shopId: string,
    orderIds: readonly string[],
    entry: HistoryEntry,
    transaction: Transaction,
  ): Promise<void> {
    const added = { $push: withHistory([entry]) };
    await this.orders.updateMany({ _id: oneOf(orderIds), shopId }, added, { session: transaction });
  }

  /** @returns how many of the orders were in a state that may move to this one */
  async move(
    shopId: string,
    orderIds: readonly string[],
    to: DeliveryStatus,
    history: readonly HistoryEntry[],
    transaction: Transaction,
  ): Promise<number> {
    const { matchedCount } = await this.orders.updateMany(
      { _id: oneOf(orderIds), shopId, deliveryStatus: oneOf(statesBefore(DELIVERY_STATUS_TRANSITIONS, to)) },
      { $set: { deliveryStatus: to }, $push: withHistory(history) },
      { session: transaction },
    );
    return matchedCount;
  }
}
