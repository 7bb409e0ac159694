import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { deleteBatch } from '../../../infrastructure/database/delete-batch.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { type Breakdown, type PartChange, type PartSums } from './breakdown-rules.js';
import { BREAKDOWN_SUM_MODEL, type BreakdownSumRecord } from './breakdown-sum.schema.js';
import { forEachSum, type SalesSums } from './sale-sums.js';
import { type CellRange } from './time-cells.js';

type GroupedSums = SalesSums & { readonly _id: string | null };

const TOTALS = forEachSum((name) => ({ $sum: `$${name}` }));

/** The sums of the parts of sales. Only the folding of the ledger writes them. */
@Injectable()
export class BreakdownSumsRepository {
  constructor(@InjectModel(BREAKDOWN_SUM_MODEL) private readonly sums: Model<BreakdownSumRecord>) {}

  async add(shopId: string, changes: readonly PartChange[], transaction: Transaction): Promise<void> {
    const upserts = changes.map(({ currency, by, key, sizeMs, atMs, sums }) => ({
      updateOne: {
        filter: { shopId, currency, by, sizeMs, at: new Date(atMs), key },
        update: { $inc: sums },
        upsert: true,
      },
    }));
    await this.sums.bulkWrite(upserts, { session: transaction });
  }

  /** The sums of every part of a breakdown over some ranges of cells. */
  async inRanges(
    shopId: string,
    currency: string,
    by: Breakdown,
    ranges: readonly CellRange[],
    transaction: Transaction,
  ): Promise<PartSums[]> {
    if (ranges.length === 0) return [];
    const alternatives = ranges.map(({ sizeMs, fromMs, toMs }) => {
      return {
        ...{ shopId: new Types.ObjectId(shopId), currency, by, sizeMs },
        at: { $gte: new Date(fromMs), $lt: new Date(toMs) },
      };
    });
    const parts = await this.sums
      .aggregate<GroupedSums>([{ $match: { $or: alternatives } }, { $group: { _id: '$key', ...TOTALS } }])
      .session(transaction);
    return parts.map(({ _id: key, ...sums }) => ({ key, sums }));
  }

  /** Deletes some sums of a shop. @returns how many */
  deleteBatch(shopId: string, limit: number, transaction: Transaction): Promise<number> {
    return deleteBatch(this.sums, shopId, limit, transaction);
  }
}
