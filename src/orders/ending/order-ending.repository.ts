import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { statesBefore } from '../../lib/states/transitions.js';
import { claimDue } from '../../infrastructure/database/claim-due.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { withHistory } from '../order/order-history.js';
import { ORDER_TRANSITIONS } from '../order/order-transitions.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import { type HistoryEntry, type Order } from '../order/order.types.js';
import { WITHOUT_SLOTS } from '../order/stored-order.js';

/** An order whose time to pay is over, as the expiry job claims it. */
export interface OverdueOrder extends Pick<Order, 'id' | 'shopId'> {
  readonly discountCode: string | null;
  /** How often the service failed to end it. */
  readonly expiryFailures: number;
}

/** The condition that the time to pay is over, and that no money is on its way. */
function isOver(now: Date) {
  const awaitedUntil = trusted({ $not: { $gt: now } });
  return { expiresAt: trusted({ $lte: now }), awaitedUntil };
}

/** Ends orders that were not paid. */
@Injectable()
export class OrderEndingRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /** Claims open orders of all shops whose time to pay is over: see `claimDue`. */
  async claimOverdue(now: Date, leaseUntil: Date, limit: number, transaction: Transaction): Promise<OverdueOrder[]> {
    const due = { field: 'expiryDueAt', filter: { status: 'open' } } as const;
    const records = await claimDue<OrderRecord>(this.orders, due, { now, leaseUntil, limit }, transaction);
    return records.map(({ _id, shopId, discount, expiryFailures }) => ({
      id: _id.toHexString(),
      shopId: shopId.toHexString(),
      discountCode: discount?.code ?? null,
      expiryFailures,
    }));
  }

  /** Delays an order that could not be ended, so that others are ended first. */
  async postponeExpiry(shopId: string, orderId: string, until: Date, transaction: Transaction): Promise<void> {
    await this.orders.updateOne(
      { _id: orderId, shopId },
      { $set: { expiryDueAt: until }, $inc: { expiryFailures: 1 } },
      { session: transaction },
    );
  }

  /**
   * Ends open orders of a shop, or, with `expired`, those of them whose time to pay is over and that wait for no money.
   * @returns their ids: an order that is paid or ended already, or has time left, is not among them
   */
  async end(
    shopId: string,
    orderIds: readonly string[],
    to: 'expired' | 'cancelled',
    history: HistoryEntry,
    transaction: Transaction,
  ): Promise<string[]> {
    const ending = {
      _id: oneOf(orderIds),
      shopId,
      status: oneOf(statesBefore(ORDER_TRANSITIONS, to)),
      ...(to === 'expired' ? isOver(history.at) : {}),
    };
    // The snapshot of the transaction: the update changes the orders that were read, or conflicts and runs again.
    const records = await this.orders.find(ending, { _id: 1 }).session(transaction).lean();
    const change = { $set: { status: to }, $push: withHistory([history]), ...WITHOUT_SLOTS };
    if (records.length > 0) await this.orders.updateMany(ending, change, { session: transaction });
    return records.map(({ _id }) => _id.toHexString());
  }
}
