import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type Transaction } from '../database/transactions.js';
import { QUOTA_CLAIM_MODEL, type QuotaClaimRecord } from './quota-claim.schema.js';
import { oneOf } from '../database/one-of.js';
import { type Buyer, type PersonalData } from '../buyers/personal-data.js';

@Injectable()
export class QuotaClaimsRepository {
  constructor(@InjectModel(QUOTA_CLAIM_MODEL) private readonly claims: Model<QuotaClaimRecord>) {}

  /**
   * Makes transactions that share a claim run one after the other: the second one conflicts, and runs again.
   * @param expiresAt after this time, and after the transaction, the claims are not needed any more; null: they stay
   */
  async claimAll(ids: readonly string[], expiresAt: Date | null, transaction: Transaction): Promise<void> {
    const update = { $inc: { revision: 1 }, $set: { expiresAt } };
    const writes = ids.map((id) => ({ updateOne: { filter: { _id: id }, update, upsert: true } }));
    await this.claims.bulkWrite(writes, { session: transaction });
  }

  /** What the claims have about buyers. @param idsOf returns the claims of a buyer */
  personalData(idsOf: (buyer: Buyer) => readonly string[]): PersonalData {
    return {
      collection: this.claims.collection.collectionName,
      eraseBuyer: (buyer) => (transaction) => this.deleteAll(idsOf(buyer), transaction),
    };
  }

  private async deleteAll(ids: readonly string[], transaction: Transaction): Promise<void> {
    await this.claims.deleteMany({ _id: oneOf(ids) }, { session: transaction });
  }
}
