import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { readMany } from '../database/direct-reads.js';
import { insertAll } from '../database/direct-writes.js';
import { type Transaction } from '../database/transactions.js';
import { BUYER_NUMBER_MODEL, type BuyerNumberRecord } from './buyer-number.schema.js';

/** The numbers of the buyers of shops. A number is given when the first payment of the buyer is folded, and stays. */
@Injectable()
export class BuyerNumbersRepository {
  constructor(@InjectModel(BUYER_NUMBER_MODEL) private readonly numbers: Model<BuyerNumberRecord>) {}

  /** The numbers of those of the buyers that have one. */
  async find(shopId: string, buyerKeys: readonly string[], transaction: Transaction): Promise<Map<string, number>> {
    if (buyerKeys.length === 0) return new Map();
    const filter = { shopId: new Types.ObjectId(shopId), buyerKey: trusted({ $in: [...buyerKeys] }) };
    const reading = { batchSize: 20_000, transaction };
    const records = await readMany<BuyerNumberRecord>(this.numbers, filter, reading);
    return new Map(records.map(({ buyerKey, number }) => [buyerKey, number]));
  }

  async insertMany(shopId: string, numbers: ReadonlyMap<string, number>, transaction: Transaction): Promise<void> {
    if (numbers.size === 0) return;
    const records = [...numbers].map(([buyerKey, number]) => ({
      shopId: new Types.ObjectId(shopId),
      buyerKey,
      number,
    }));
    await insertAll<BuyerNumberRecord>(this.numbers, records, transaction);
  }
}
