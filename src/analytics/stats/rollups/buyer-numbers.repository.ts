import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { oneOf } from '../../../infrastructure/database/one-of.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { BUYER_NUMBER_MODEL, type BuyerNumberRecord } from './buyer-number.schema.js';

/** How many records the database returns in one command. A rush of sales has thousands: other requests run between two batches. */
const BATCH_SIZE = 250;

/** The numbers of the buyers of shops. A number is given when the first payment of the buyer is folded, and stays. */
@Injectable()
export class BuyerNumbersRepository {
  constructor(@InjectModel(BUYER_NUMBER_MODEL) private readonly numbers: Model<BuyerNumberRecord>) {}

  /** The numbers of the buyers, for those who have one. */
  async find(shopId: string, buyerKeys: readonly string[], transaction: Transaction): Promise<Map<string, number>> {
    if (buyerKeys.length === 0) return new Map();
    const records = await this.numbers
      .find({ shopId, buyerKey: oneOf(buyerKeys) })
      .batchSize(BATCH_SIZE)
      .session(transaction)
      .lean();
    return new Map(records.map(({ buyerKey, number }) => [buyerKey, number]));
  }

  async insertMany(shopId: string, numbers: ReadonlyMap<string, number>, transaction: Transaction): Promise<void> {
    const records = [...numbers].map(([buyerKey, number]) => ({ shopId, buyerKey, number }));
    await this.numbers.insertMany(records, { session: transaction });
  }
}
