import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { PRICE_CHANGE_MODEL, type PriceChangeRecord } from './price-change.schema.js';
import { NO_END, type PriceChange } from './price-change.types.js';

/** Which prices are meant: those of some products, or those in a category. */
type Wanted = { readonly productIds: readonly string[] } | { readonly categoryId: string };

@Injectable()
export class PriceChangesRepository {
  constructor(@InjectModel(PRICE_CHANGE_MODEL) private readonly changes: Model<PriceChangeRecord>) {}

  async insert(changes: readonly Omit<PriceChange, 'id'>[], transaction: Transaction): Promise<void> {
    await this.changes.insertMany(changes.map(forInsert), { session: transaction });
  }

  /** The prices that are in force. */
  async inForce(shopId: string, wanted: Wanted, transaction: Transaction): Promise<PriceChange[]> {
    const within = 'categoryId' in wanted ? wanted : { productId: oneOf(wanted.productIds) };
    return this.find({ shopId, until: NO_END, ...within }, 0, transaction);
  }

  /** Ends prices that are in force. */
  async end(shopId: string, ids: readonly string[], until: Date, transaction: Transaction): Promise<void> {
    await this.changes.updateMany(
      { _id: oneOf(ids), shopId, until: NO_END },
      { $set: { until } },
      { session: transaction },
    );
  }

  /**
   * The prices that were in force after a moment, the earliest first.
   * @param productId null: of all products
   * @param limit how many at most; 0: all
   */
  async listSince(
    shopId: string,
    productId: string | null,
    since: Date,
    limit: number,
    transaction: Transaction | null,
  ): Promise<PriceChange[]> {
    const within = productId === null ? {} : { productId };
    return this.find({ shopId, ...within, until: trusted({ $gt: since }) }, limit, transaction);
  }

  private async find(
    wanted: QueryFilter<PriceChangeRecord>,
    limit: number,
    transaction: Transaction | null,
  ): Promise<PriceChange[]> {
    const records = await this.changes.find(wanted).sort({ until: 1 }).limit(limit).session(transaction).lean();
    return records.map(fromStored);
  }
}
