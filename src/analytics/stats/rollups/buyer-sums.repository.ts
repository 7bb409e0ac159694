import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { deleteBatch } from '../../../infrastructure/database/delete-batch.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { BUYER_SUM_MODEL, type BuyerSumRecord } from './buyer-sum.schema.js';
import { type BuyerSum, type BuyerSumChange, type SummedMonth } from './buyer-sums.js';

/** The sums that the buyers of shops paid. Only the folding of the ledger writes them. */
@Injectable()
export class BuyerSumsRepository {
  constructor(@InjectModel(BUYER_SUM_MODEL) private readonly sums: Model<BuyerSumRecord>) {}

  async add(shopId: string, changes: readonly BuyerSumChange[], transaction: Transaction): Promise<void> {
    const upserts = changes.map(({ currency, month, buyerKey, netMinor }) => ({
      updateOne: {
        filter: { shopId, currency, month, buyerKey },
        update: { $inc: { netMinor } },
        upsert: true,
      },
    }));
    await this.sums.bulkWrite(upserts, { session: transaction });
  }

  /** The buyers who paid most, in descending order, without those who got everything back. */
  async top(
    shopId: string,
    currency: string,
    month: SummedMonth,
    limit: number,
    transaction: Transaction,
  ): Promise<BuyerSum[]> {
    return this.sums
      .find({ shopId, currency, month, netMinor: trusted({ $gt: 0 }) }, { _id: 0, buyerKey: 1, netMinor: 1 })
      .sort({ netMinor: -1, buyerKey: 1 })
      .limit(limit)
      .session(transaction)
      .lean();
  }

  /** Deletes some sums of a shop. @returns how many */
  deleteBatch(shopId: string, limit: number, transaction: Transaction): Promise<number> {
    return deleteBatch(this.sums, shopId, limit, transaction);
  }
}
