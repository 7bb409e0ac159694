import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { statesBefore } from '../common/states/transitions.js';
import { oneOf } from '../database/one-of.js';
import { type Transaction } from '../database/transactions.js';
import { DELIVERY_TRANSITIONS } from './delivery-transitions.js';
import { DELIVERY_MODEL, type DeliveryRecord } from './delivery.schema.js';
import { type AbandonedDelivery } from './delivery.types.js';

/** Deliveries whose last lease ended without a report. */
@Injectable()
export class AbandonedDeliveriesRepository {
  constructor(@InjectModel(DELIVERY_MODEL) private readonly deliveries: Model<DeliveryRecord>) {}

  /**
   * Claims such deliveries of all shops, the one that waited longest first, by moving their `dueAt` to `until`. Until then no
   * other process claims them.
   */
  async claim(now: Date, until: Date, limit: number, transaction: Transaction): Promise<AbandonedDelivery[]> {
    const abandoned = { state: 'leased', attemptsLeft: 0, dueAt: trusted({ $lte: now }) } as const;
    const records = await this.deliveries
      .find(abandoned, { shopId: 1 })
      .sort({ dueAt: 1 })
      .limit(limit)
      .session(transaction)
      .lean();
    const claimed = { _id: trusted({ $in: records.map(({ _id }) => _id) }), ...abandoned };
    if (records.length > 0) {
      await this.deliveries.updateMany(claimed, { $set: { dueAt: until } }, { session: transaction });
    }
    return records.map(({ _id, shopId }) => ({
      id: _id.toHexString(),
      shopId: shopId.toHexString(),
      claimedUntil: until,
    }));
  }

  /**
   * Marks deliveries of a shop as failed that are still claimed until this time. One that a plugin has reported since, or that
   * was held back, is not changed.
   * @returns the orders of those that failed
   */
  async fail(shopId: string, ids: readonly string[], claimedUntil: Date, transaction: Transaction): Promise<string[]> {
    const claimed = {
      _id: oneOf(ids),
      shopId,
      state: trusted({ $in: statesBefore(DELIVERY_TRANSITIONS, 'failed') }),
      attemptsLeft: 0,
      dueAt: claimedUntil,
    };
    // The snapshot of the transaction: the update changes the deliveries that were read, or conflicts and runs again.
    const records = await this.deliveries.find(claimed, { orderId: 1 }).session(transaction).lean();
    if (records.length > 0) {
      await this.deliveries.updateMany(claimed, { $set: { state: 'failed' } }, { session: transaction });
    }
    return [...new Set(records.map(({ orderId }) => orderId.toHexString()))];
  }
}
