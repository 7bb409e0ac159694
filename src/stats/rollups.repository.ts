import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type mongo, trusted, Types } from 'mongoose';
import { deletePortion } from '../database/delete-portion.js';
import { readMany } from '../database/direct-reads.js';
import { type Transaction } from '../database/transactions.js';
import { upsertMany } from '../database/upsert-many.js';
import { ROLLUP_MODEL, type RollupRecord } from './rollup.schema.js';
import { type SaleScope } from './sale-events.js';
import { type SalesSums } from './sales.types.js';
import { beginningsIn, bySize, type CellRange, type TimeCell } from './time-cells.js';

/** More ranges of one size than this are read as a list of cells. */
const MAX_RANGES = 20;

/** The sums of a cell, and the packed set of those who paid in it. */
export interface Rollup extends TimeCell {
  readonly sums: Partial<SalesSums>;
  readonly buyers: Uint8Array | null;
}

/** What is added to the sums of a cell. */
export interface RollupChange extends TimeCell {
  readonly scope: SaleScope;
  readonly sums: Partial<SalesSums>;
  /** The new set of buyers; null: it stays. */
  readonly buyers: Buffer | null;
}

function stored(shopId: string, { currency, serverId, productId }: SaleScope) {
  const id = (text: string | null): Types.ObjectId | null => (text === null ? null : new Types.ObjectId(text));
  return { shopId: new Types.ObjectId(shopId), currency, serverId: id(serverId), productId: id(productId) };
}

/** The conditions that together find the cells of all ranges. A database compares each record that it reads with all of them. */
function conditionsOf(ranges: readonly CellRange[]) {
  return [...bySize(ranges)].flatMap(([sizeMs, ofSize]): mongo.Filter<RollupRecord>[] => {
    if (ofSize.length > MAX_RANGES) {
      const beginnings = ofSize.flatMap(beginningsIn).map((atMs) => new Date(atMs));
      return [{ sizeMs, at: trusted({ $in: beginnings }) }];
    }
    return ofSize.map(({ fromMs, toMs }) => {
      return { sizeMs, at: trusted({ $gte: new Date(fromMs), $lt: new Date(toMs) }) };
    });
  });
}

function toRollup(record: RollupRecord): Rollup {
  // As the driver returns it: a Binary, whose `buffer` has the bytes.
  const bytes = record.buyers as Uint8Array | { readonly buffer: Uint8Array } | undefined;
  const buyers = bytes === undefined ? null : bytes instanceof Uint8Array ? bytes : bytes.buffer;
  return { sizeMs: record.sizeMs, atMs: record.at.getTime(), sums: record, buyers };
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
  ): Promise<Rollup[]> {
    return this.find(shopId, scope, ranges, { transaction });
  }

  /** As `inRanges`, without the buyers, which are most of a rollup. */
  sumsInRanges(
    shopId: string,
    scope: SaleScope,
    ranges: readonly CellRange[],
    transaction: Transaction,
  ): Promise<Rollup[]> {
    return this.find(shopId, scope, ranges, { fields: { buyers: 0 }, transaction });
  }

  private async find(
    shopId: string,
    scope: SaleScope,
    ranges: readonly CellRange[],
    reading: { readonly fields?: { readonly buyers: 0 }; readonly transaction: Transaction },
  ): Promise<Rollup[]> {
    if (ranges.length === 0) return [];
    const of = stored(shopId, scope);
    const alternatives = conditionsOf(ranges).map((condition) => ({ ...of, ...condition }));
    const all = { ...reading, batchSize: 20_000 };
    const records = await readMany<RollupRecord>(this.rollups, { $or: alternatives }, all);
    return records.map(toRollup);
  }

  async add(shopId: string, changes: readonly RollupChange[], transaction: Transaction): Promise<void> {
    const upserts = changes.map(({ scope, sizeMs, atMs, sums, buyers }) => ({
      filter: { ...stored(shopId, scope), sizeMs, at: new Date(atMs) },
      // A change of nothing is an error for some servers.
      update: {
        ...(Object.keys(sums).length === 0 ? {} : { $inc: sums }),
        ...(buyers === null ? {} : { $set: { buyers } }),
      },
    }));
    await upsertMany(this.rollups, upserts, transaction);
  }

  /** Deletes some rollups of a shop. @returns how many */
  deletePortion(shopId: string, limit: number, transaction: Transaction): Promise<number> {
    return deletePortion(this.rollups, shopId, limit, transaction);
  }
}
