import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type Transaction } from '../database/transactions.js';
import { QUOTA_CLAIM_MODEL, type QuotaClaimRecord } from './quota-claim.schema.js';

@Injectable()
export class QuotaClaimsRepository {
  constructor(@InjectModel(QUOTA_CLAIM_MODEL) private readonly claims: Model<QuotaClaimRecord>) {}

  /** Makes transactions with the same claim run one after the other: the second one conflicts, and runs again. */
  async claim(id: string, transaction: Transaction): Promise<void> {
    await this.claims.updateOne({ _id: id }, { $inc: { revision: 1 } }, { upsert: true, session: transaction });
  }
}
