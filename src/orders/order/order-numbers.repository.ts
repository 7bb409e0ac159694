import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ORDER_COUNTER_MODEL, type OrderCounterRecord } from './order-counter.schema.js';

/** How many order numbers each shop has given out. */
@Injectable()
export class OrderNumbersRepository {
  constructor(@InjectModel(ORDER_COUNTER_MODEL) private readonly counters: Model<OrderCounterRecord>) {}

  /** Gives out that many numbers more. @returns how many there are then */
  async issue(shopId: string, count: number, transaction: Transaction | null): Promise<number> {
    const { issued } = await this.counters
      .findOneAndUpdate({ shopId }, { $inc: { issued: count } }, { upsert: true, returnDocument: 'after' })
      .session(transaction)
      .lean();
    return issued;
  }
}
