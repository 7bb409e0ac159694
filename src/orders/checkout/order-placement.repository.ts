import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type BuyerKeys, sameBuyer } from '../../domain/buyers/buyer-keys.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import { ALL_BACK, type OpenOrderSlot } from '../order/order.types.js';

const paidAfter = (time: Date): { $gt: Date } => trusted({ $gt: time });

/** Reads the orders of a buyer that decide whether the buyer can place another one. */
@Injectable()
export class OrderPlacementRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /** The slots of the shop's open orders that have a slot of one of these holders. */
  async takenSlots(
    shopId: string,
    holders: readonly string[],
    transaction: Transaction | null,
  ): Promise<OpenOrderSlot[]> {
    const records = await this.orders
      .find({ shopId, status: 'open', 'slots.holder': oneOf(holders) }, { slots: 1 })
      .session(transaction)
      .lean();
    return records.flatMap(({ slots = [] }) => slots);
  }

  /** Counts the orders of a buyer with nothing to pay since a time, at most up to a number. */
  async countFree(
    shopId: string,
    buyer: BuyerKeys,
    since: Date,
    upTo: number,
    transaction: Transaction | null,
  ): Promise<number> {
    const free = { shopId, ...sameBuyer(buyer), paidAt: paidAfter(since), totalMinor: 0 };
    return this.orders.countDocuments(free, { limit: upTo }).session(transaction);
  }

  /** Whether a buyer has paid another order in the shop, and the money did not go back. */
  async hasPaid(
    shopId: string,
    buyer: BuyerKeys,
    exceptOrderId: string,
    transaction: Transaction | null,
  ): Promise<boolean> {
    const others = {
      shopId,
      ...sameBuyer(buyer),
      paidAt: paidAfter(new Date(0)),
      paymentStatus: trusted({ $nin: ALL_BACK }),
      _id: trusted({ $ne: exceptOrderId }),
    };
    return (await this.orders.exists(others).session(transaction)) !== null;
  }

  /** Whether somebody has paid an amount for an order with this mailbox. An order with nothing to pay proves nothing. */
  async hasSpent(shopId: string, buyerKey: string, transaction: Transaction | null): Promise<boolean> {
    const paid = { shopId, buyerKey, paidAt: paidAfter(new Date(0)), totalMinor: trusted({ $gt: 0 }) };
    return (await this.orders.exists(paid).session(transaction)) !== null;
  }
}
