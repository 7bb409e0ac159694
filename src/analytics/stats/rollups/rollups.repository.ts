import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { type SaleScope } from '../../../orders/ledger/ledger.types.js';
import { deleteBatch } from '../../../infrastructure/database/delete-batch.js';
import { oneOf } from '../../../infrastructure/database/one-of.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { ROLLUP_MODEL, type RollupRecord } from './rollup.schema.js';
import { type SalesSums } from './sale-sums.js';
import { beginningsIn, bySize, type CellRange, type TimeCell } from './time-cells.js';

/** How many records the database returns in one command. A year of days has thousands of them: other requests run between two batches. */
const BATCH_SIZE = 100;
/** More ranges of one size than this are read as lists of cells. */
const MAX_RANGES = 20;
/** The cells in one list: a database prepares a query in one step, in which no other request runs. */
const MAX_LISTED = 1_000;

/** The sums of a cell, and the packed set of the buyers who paid in it. */
export interface Rollup extends TimeCell {
  readonly sums: Partial<SalesSums>;
  readonly buyers: Uint8Array | null;
}

/** What is added to the sums of a cell. */
export interface RollupChange extends TimeCell {
  readonly scope: SaleScope;
  readonly sums: Partial<SalesSums>;
  /** The new set of buyers; null when it stays the same. */
  readonly buyers: Buffer | null;
}

/** The alternatives of the queries that together find the cells of all ranges. A database compares each record with all alternatives. */
function* alternativesOf(ranges: readonly CellRange[]): Generator<readonly QueryFilter<RollupRecord>[]> {
  const few: QueryFilter<RollupRecord>[] = [];
  for (const [sizeMs, ofSize] of bySize(ranges)) {
    if (ofSize.length > MAX_RANGES) yield* listsOf(sizeMs, ofSize);
    else few.push(...ofSize.map(({ fromMs, toMs }) => ({ sizeMs, at: between(fromMs, toMs) })));
  }
  if (few.length > 0) yield few;
}

function* listsOf(sizeMs: number, ranges: readonly CellRange[]): Generator<readonly QueryFilter<RollupRecord>[]> {
  const beginnings = ranges.flatMap(beginningsIn).map((atMs) => new Date(atMs));
  for (let first = 0; first < beginnings.length; first += MAX_LISTED) {
    yield [{ sizeMs, at: oneOf(beginnings.slice(first, first + MAX_LISTED)) }];
  }
}

const between = (fromMs: number, toMs: number) => trusted({ $gte: new Date(fromMs), $lt: new Date(toMs) });

function toRollup(record: RollupRecord): Rollup {
  return { sizeMs: record.sizeMs, atMs: record.at.getTime(), sums: record, buyers: record.buyers ?? null };
}

/** The sums of cells of time. Only the folding of the ledger writes them. */
@Injectable()
export class RollupsRepository {
  constructor(@InjectModel(ROLLUP_MODEL) private readonly rollups: Model<RollupRecord>) {}

  /** The rollups of a scope in some ranges of cells: whole records, which a database returns faster than parts of them. */
  inRanges(
    shopId: string,
    scope: SaleScope,
    ranges: readonly CellRange[],
    transaction: Transaction,
  ): AsyncGenerator<Rollup, void> {
    return this.find(shopId, scope, ranges, {}, transaction);
  }

  /** As `inRanges`, without the buyers, which are most of a rollup. */
  sumsInRanges(
    shopId: string,
    scope: SaleScope,
    ranges: readonly CellRange[],
    transaction: Transaction,
  ): AsyncGenerator<Rollup, void> {
    return this.find(shopId, scope, ranges, { buyers: 0 }, transaction);
  }

  private async *find(
    shopId: string,
    scope: SaleScope,
    ranges: readonly CellRange[],
    projection: { readonly buyers?: 0 },
    transaction: Transaction,
  ): AsyncGenerator<Rollup, void> {
    for (const alternatives of alternativesOf(ranges)) {
      const filter = { $or: alternatives.map((cells) => ({ shopId, ...scope, ...cells })) };
      // Without `promoteBuffers` lean records have the driver's own class for bytes.
      const records = this.rollups
        .find(filter, projection, { promoteBuffers: true })
        .session(transaction)
        .lean()
        .cursor({ batchSize: BATCH_SIZE });
      for await (const record of records) yield toRollup(record);
    }
  }

  async add(shopId: string, changes: readonly RollupChange[], transaction: Transaction): Promise<void> {
    const upserts = changes.map(({ scope, sizeMs, atMs, sums, buyers }) => ({
      updateOne: {
        filter: { shopId, ...scope, sizeMs, at: new Date(atMs) },
        update: { $inc: sums, ...(buyers === null ? {} : { $set: { buyers } }) },
        upsert: true,
      },
    }));
    await this.rollups.bulkWrite(upserts, { session: transaction });
  }

  /** Deletes some rollups of a shop. @returns how many */
  deleteBatch(shopId: string, limit: number, transaction: Transaction): Promise<number> {
    return deleteBatch(this.rollups, shopId, limit, transaction);
  }
}
