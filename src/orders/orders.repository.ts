import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { type Transaction } from '../database/transactions.js';
import { ORDER_MODEL, type OrderRecord } from './order.schema.js';
import { type DeliveryStatus, type HistoryEntry, type NewOrder, type Order, type OrderStatus } from './order.types.js';
import { type PaymentEvent } from './payment-event.types.js';
import { type Settlement } from './payment-settlement.js';

/** What a payment event changes. */
export interface SettledChange {
  readonly settlement: Settlement;
  readonly status: OrderStatus;
  readonly deliveryStatus: DeliveryStatus;
  readonly isFirstPurchase: boolean | null;
  readonly history: HistoryEntry;
}

function toOrder(record: OrderRecord): Order {
  const { _id, shopId, serverId, items, discount } = record;
  return {
    id: _id.toHexString(),
    shopId: shopId.toHexString(),
    serverId: serverId?.toHexString() ?? null,
    nickname: record.nickname,
    email: record.email,
    buyerKey: record.buyerKey,
    status: record.status,
    paymentStatus: record.paymentStatus,
    deliveryStatus: record.deliveryStatus,
    items: items.map((item) => ({ ...item, productId: item.productId.toHexString() })),
    itemCount: record.itemCount,
    subtotalMinor: record.subtotalMinor,
    discount: discount && {
      discountId: discount.discountId.toHexString(),
      code: discount.code,
      amountMinor: discount.amountMinor,
    },
    totalMinor: record.totalMinor,
    currency: record.currency,
    createdAt: record.createdAt,
    paidAt: record.paidAt,
    expiresAt: record.expiresAt,
    isFirstPurchase: record.isFirstPurchase,
    payments: record.payments,
    reversals: record.reversals,
    history: record.history,
  };
}

function toRecord(order: NewOrder): OrderRecord {
  const { id, shopId, serverId, items, discount, payments, reversals, history, ...rest } = order;
  return {
    ...rest,
    _id: new Types.ObjectId(id),
    shopId: new Types.ObjectId(shopId),
    serverId: serverId === null ? null : new Types.ObjectId(serverId),
    items: items.map((item) => ({
      ...item,
      productId: new Types.ObjectId(item.productId),
      commands: [...item.commands],
    })),
    discount: discount && { ...discount, discountId: new Types.ObjectId(discount.discountId) },
    discountMinor: discount?.amountMinor ?? 0,
    payments: [...payments],
    reversals: [...reversals],
    history: [...history],
    revision: 0,
  };
}

@Injectable()
export class OrdersRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  async insert(order: NewOrder, transaction: Transaction): Promise<void> {
    await this.orders.create([toRecord(order)], { session: transaction });
  }

  /** Inserts many orders at once, outside of any transaction. */
  async insertMany(orders: readonly NewOrder[]): Promise<void> {
    await this.orders.insertMany(orders.map(toRecord), { ordered: false, lean: true });
  }

  /** By its id alone: whoever holds the id of an order may act on it in public, after proving more. */
  async findPublic(orderId: string): Promise<Order | null> {
    const record = await this.orders.findById(orderId).lean();
    return record && toOrder(record);
  }

  /** The order, for whoever holds its access token. */
  async findByToken(orderId: string, accessTokenHash: string): Promise<Order | null> {
    const record = await this.orders.findOne({ _id: orderId, accessTokenHash }).lean();
    return record && toOrder(record);
  }

  async find(shopId: string, orderId: string, transaction: Transaction): Promise<Order | null> {
    const record = await this.orders.findOne({ _id: orderId, shopId }, null, { session: transaction }).lean();
    return record && toOrder(record);
  }

  /** Whether a buyer has paid another order in the shop. */
  async hasPaid(shopId: string, buyerKey: string, exceptOrderId: string, transaction: Transaction): Promise<boolean> {
    const paid = await this.orders
      .findOne(
        { shopId, buyerKey, paidAt: trusted({ $gt: new Date(0) }), _id: trusted({ $ne: exceptOrderId }) },
        { _id: 1 },
        { session: transaction },
      )
      .lean();
    return paid !== null;
  }

  /** Adds a payment event and what follows from it, unless the event is there already. */
  async settle(
    shopId: string,
    orderId: string,
    event: PaymentEvent,
    change: SettledChange,
    transaction: Transaction,
  ): Promise<boolean> {
    const { settlement, status, deliveryStatus, isFirstPurchase, history } = change;
    const { provider, eventId } = event;
    const { modifiedCount } = await this.orders.updateOne(
      { _id: orderId, shopId, payments: trusted({ $not: { $elemMatch: { provider, eventId } } }) },
      {
        $set: {
          paymentStatus: settlement.paymentStatus,
          paidAt: settlement.paidAt,
          reversals: [...settlement.reversals],
          status,
          deliveryStatus,
          isFirstPurchase,
        },
        $push: { payments: event, history },
        $inc: { revision: 1 },
      },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /** Open orders whose time is over, of all shops, longest over first. */
  async findOverdue(now: Date, limit: number): Promise<Pick<Order, 'id' | 'shopId'>[]> {
    const records = await this.orders
      .find({ status: 'open', expiresAt: trusted({ $lte: now }) }, { shopId: 1 })
      .sort({ expiresAt: 1 })
      .limit(limit)
      .lean();
    return records.map(({ _id, shopId }) => ({ id: _id.toHexString(), shopId: shopId.toHexString() }));
  }

  /** Ends an order that is still open; false when it is not, any more. */
  async expire(shopId: string, orderId: string, history: HistoryEntry, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.orders.updateOne(
      { _id: orderId, shopId, status: 'open', expiresAt: trusted({ $lte: history.at }) },
      { $set: { status: 'expired' }, $push: { history } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /** Renames the buyer while the goods still wait; false when they don't any more. */
  async rename(
    { id, shopId }: Pick<Order, 'id' | 'shopId'>,
    nickname: string,
    history: HistoryEntry,
    transaction: Transaction,
  ): Promise<boolean> {
    const { matchedCount } = await this.orders.updateOne(
      { _id: id, shopId, deliveryStatus: trusted({ $in: ['none', 'queued'] }) },
      { $set: { nickname }, $push: { history } },
      { session: transaction },
    );
    return matchedCount === 1;
  }
}
