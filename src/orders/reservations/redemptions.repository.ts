import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type BuyerKeys, sameBuyer } from '../../domain/buyers/buyer-keys.js';
import { statesBefore } from '../../lib/states/transitions.js';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { REDEMPTION_MODEL, type RedemptionRecord } from './redemption.schema.js';
import { type Redemption, REDEMPTION_TRANSITIONS } from './redemption.types.js';

@Injectable()
export class RedemptionsRepository {
  constructor(@InjectModel(REDEMPTION_MODEL) private readonly redemptions: Model<RedemptionRecord>) {}

  async insert(
    shopId: string,
    values: Omit<Redemption, 'id' | 'shopId'>,
    transaction: Transaction,
  ): Promise<Redemption> {
    const record = await this.redemptions.insertOne(forInsert({ ...values, shopId }), { session: transaction });
    return fromStored(record.toObject());
  }

  /** Counts the uses of a code by one buyer; released uses do not count. */
  async count(shopId: string, discountId: string, buyer: BuyerKeys, transaction: Transaction | null): Promise<number> {
    const filter = { shopId, discountId, ...sameBuyer(buyer), state: trusted({ $ne: 'released' as const }) };
    return this.redemptions.countDocuments(filter).session(transaction);
  }

  /** Whether a buyer has an order with a code that is not paid yet. */
  async hasReserved(
    shopId: string,
    discountId: string,
    buyer: BuyerKeys,
    transaction: Transaction | null,
  ): Promise<boolean> {
    const filter = { shopId, discountId, ...sameBuyer(buyer), state: 'reserved' as const };
    return (await this.redemptions.exists(filter).session(transaction)) !== null;
  }

  /** Releases the reserved uses of orders, and returns them as they were before. A redeemed use stays. */
  async release(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<Redemption[]> {
    const releasable = {
      orderId: oneOf(orderIds),
      shopId,
      state: oneOf(statesBefore(REDEMPTION_TRANSITIONS, 'released')),
    };
    const before = await this.redemptions.find(releasable).session(transaction).lean();
    if (before.length === 0) return [];
    await this.redemptions.updateMany(releasable, { $set: { state: 'released' } }, { session: transaction });
    return before.map(fromStored);
  }

  /**
   * Redeems the reserved or released use of an order.
   * @returns the use as it was before, or null when the order has no such use
   */
  async redeem(shopId: string, orderId: string, transaction: Transaction): Promise<Redemption | null> {
    const state = oneOf(statesBefore(REDEMPTION_TRANSITIONS, 'redeemed'));
    const change = { $set: { state: 'redeemed' as const } };
    const before = await this.redemptions
      .findOneAndUpdate({ orderId, shopId, state }, change, { session: transaction })
      .lean();
    return before && fromStored(before);
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    return aboutOrders<RedemptionRecord>(this.redemptions, 'orderId', { buyerKey: 'mailbox', nicknameKey: 'player' });
  }
}
