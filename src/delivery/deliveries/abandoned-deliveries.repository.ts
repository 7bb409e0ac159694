import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { claimDue } from '../../infrastructure/database/claim-due.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DELIVERY_MODEL, type DeliveryRecord } from './delivery.schema.js';
import { type AbandonedDelivery } from './delivery.types.js';

/** Deliveries whose last lease ended without a report. */
@Injectable()
export class AbandonedDeliveriesRepository {
  constructor(@InjectModel(DELIVERY_MODEL) private readonly deliveries: Model<DeliveryRecord>) {}

  /** Claims such deliveries of all shops: see `claimDue`. */
  async claim(now: Date, leaseUntil: Date, limit: number, transaction: Transaction): Promise<AbandonedDelivery[]> {
    const due = { field: 'dueAt', filter: { state: 'leased', attemptsLeft: 0 } } as const;
    const records = await claimDue<DeliveryRecord>(this.deliveries, due, { now, leaseUntil, limit }, transaction);
    return records.map(fromStored).map(({ id, shopId }) => ({ id, shopId, claimedUntil: leaseUntil }));
  }

  /**
   * Marks deliveries of a shop as uncertain that are still claimed until this time: their commands may have run. One that a plugin has reported
   * since, or that was held or revoked, is not changed.
   * @returns the orders of those that are uncertain now
   */
  async end(shopId: string, ids: readonly string[], claimedUntil: Date, transaction: Transaction): Promise<string[]> {
    const claimed = {
      _id: oneOf(ids),
      shopId,
      state: 'leased' as const,
      attemptsLeft: 0,
      dueAt: claimedUntil,
    };
    // The snapshot of the transaction: the update changes the deliveries that were read, or conflicts and runs again.
    const records = await this.deliveries.find(claimed, { orderId: 1 }).session(transaction).lean();
    if (records.length > 0) {
      await this.deliveries.updateMany(claimed, { $set: { state: 'uncertain' } }, { session: transaction });
    }
    return [...new Set(records.map(({ orderId }) => orderId.toHexString()))];
  }
}
