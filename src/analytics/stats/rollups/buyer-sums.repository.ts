import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { deleteEarlier } from '../../../infrastructure/database/delete-earlier.js';
import { oneOf } from '../../../infrastructure/database/one-of.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { BUYER_SUM_MODEL, type BuyerSumRecord } from './buyer-sum.schema.js';
import { buyerIn, type BuyerSum, type BuyerSumChange, type SummedMonth } from './buyer-sums.js';
import { type SumsVersion } from './rollup-phases.js';

/** How many records the database returns in one command. A rush of sales has thousands: other requests run between two batches. */
const BATCH_SIZE = 250;

/** A sum as it is stored, without what only the statistics need. */
export type StoredBuyerSum = Omit<BuyerSumRecord, 'version' | 'number'>;

/** The sums that the buyers of shops paid. */
@Injectable()
export class BuyerSumsRepository {
  constructor(@InjectModel(BUYER_SUM_MODEL) private readonly sums: Model<BuyerSumRecord>) {}

  async add(version: SumsVersion, changes: readonly BuyerSumChange[], transaction: Transaction): Promise<void> {
    const upserts = changes.map(({ netMinor, number, ...buyer }) => ({
      updateOne: {
        filter: { ...version, ...buyer },
        update: { $inc: { netMinor }, ...(number === undefined ? {} : { $set: { number } }) },
        upsert: true,
      },
    }));
    await this.sums.bulkWrite(upserts, { session: transaction });
  }

  /** The numbers of the buyers, by `buyerIn`, for those who have one. */
  async numbersOf(
    version: SumsVersion,
    buyerKeys: ReadonlySet<string>,
    transaction: Transaction,
  ): Promise<Map<string, number>> {
    if (buyerKeys.size === 0) return new Map();
    const records = await this.sums
      .find({ ...version, buyerKey: oneOf(buyerKeys), month: null })
      .batchSize(BATCH_SIZE)
      .session(transaction)
      .lean();
    return new Map(records.flatMap((sum) => (sum.number === undefined ? [] : [[buyerIn(sum), sum.number]])));
  }

  /** The buyers who paid most, in descending order, without those who got everything back. */
  async top(
    version: SumsVersion,
    currency: string,
    month: SummedMonth,
    limit: number,
    transaction: Transaction,
  ): Promise<BuyerSum[]> {
    return this.sums
      .find({ ...version, currency, month, netMinor: trusted({ $gt: 0 }) }, { _id: 0, buyerKey: 1, netMinor: 1 })
      .sort({ netMinor: -1, buyerKey: 1 })
      .limit(limit)
      .session(transaction)
      .lean();
  }

  /** All sums of a buyer. */
  ofBuyer(version: SumsVersion, buyerKey: string, transaction: Transaction): Promise<StoredBuyerSum[]> {
    return this.sums
      .find({ ...version, buyerKey }, { version: 0, number: 0 })
      .session(transaction)
      .lean();
  }

  /** Gives the sums of a buyer to another name, in all versions. The other name may have sums already. */
  async rename(shopId: string, from: string, to: string, transaction: Transaction): Promise<void> {
    const records = await this.sums.find({ shopId, buyerKey: from }).session(transaction).lean();
    for (const { version, currency, month, netMinor, number } of records) {
      await this.sums.updateOne(
        { shopId, version, currency, month, buyerKey: to },
        { $inc: { netMinor }, ...(number === undefined ? {} : { $setOnInsert: { number } }) },
        { upsert: true, session: transaction },
      );
    }
    await this.sums.deleteMany({ shopId, buyerKey: from }, { session: transaction });
  }

  /** Deletes some sums of earlier versions. @returns how many */
  deleteEarlier(version: SumsVersion, limit: number, transaction: Transaction): Promise<number> {
    return deleteEarlier(this.sums, version, limit, transaction);
  }
}
