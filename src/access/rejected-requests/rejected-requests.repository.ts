import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { MAX_KEPT, type RejectedRequest } from './rejected-request.types.js';
import { REJECTED_REQUESTS_MODEL, type RejectedRequestsRecord } from './rejected-requests.schema.js';

@Injectable()
export class RejectedRequestsRepository {
  constructor(@InjectModel(REJECTED_REQUESTS_MODEL) private readonly rejected: Model<RejectedRequestsRecord>) {}

  /** Adds requests to those of their shops, of which the latest `MAX_KEPT` stay. */
  async addAll(
    byShop: ReadonlyMap<string, readonly RejectedRequest[]>,
    updatedAt: Date,
    transaction: Transaction,
  ): Promise<void> {
    const upserts = [...byShop].map(([shopId, requests]) => ({
      updateOne: {
        filter: { shopId },
        update: { $push: { requests: { $each: [...requests], $slice: -MAX_KEPT } }, $set: { updatedAt } },
        upsert: true,
      },
    }));
    await this.rejected.bulkWrite(upserts, { session: transaction });
  }

  /** Those that are kept, in the order in which they were added. */
  async find(shopId: string): Promise<readonly RejectedRequest[]> {
    const record = await this.rejected.findOne({ shopId }, { requests: 1 }).lean();
    return record?.requests ?? [];
  }
}
