import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted, Types } from 'mongoose';
import { type TimeRange } from '../../../orders/ledger/ledger.types.js';
import { deleteEarlier } from '../../../infrastructure/database/delete-earlier.js';
import { oneOf } from '../../../infrastructure/database/one-of.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { type PartSums, type SalesPart } from './breakdown-rules.js';
import { type RollupChange } from './rollup-changes.js';
import { ROLLUP_MODEL, type RollupRecord } from './rollup.schema.js';
import { type SumsVersion } from './rollup-phases.js';
import { forEachSum, type SalesSums } from './sale-sums.js';

/** How many records the database returns in one command. A year of days has hundreds of them: other requests run between two batches. */
const BATCH_SIZE = 100;
const TOTALS = forEachSum((name) => ({ $sum: `$${name}` }));

/** The sums of a day, or of its quarters of an hour by their index, and how often each buyer paid (`packed`). */
export interface Rollup {
  readonly per: RollupRecord['per'];
  readonly key: SalesPart['key'];
  readonly atMs: number;
  readonly sums: Partial<SalesSums>;
  readonly quarters: Readonly<Record<string, Partial<SalesSums>>>;
  readonly buyers: Readonly<Record<string, Uint8Array>>;
}

/** Which rollups of a part to read. */
export interface RollupSelection extends Pick<SalesPart, 'by'> {
  readonly currency: string;
  /** Absent: of every key. */
  readonly key?: SalesPart['key'];
  /** The sums of the days in these ranges. */
  readonly days: readonly TimeRange[];
  /** The sums of the quarters of these days. */
  readonly quartersOf: Iterable<number>;
}

const between = ({ fromMs, toMs }: TimeRange) => ({ $gte: new Date(fromMs), $lt: new Date(toMs) });
const datesOf = (days: Iterable<number>): Date[] => [...new Set(days)].map((day) => new Date(day));

function toRollup(record: Omit<RollupRecord, 'shopId' | 'version' | 'currency' | 'by'>): Rollup {
  const { per, key, at, quarters = {}, buyers = {} } = record;
  return { per, key, atMs: at.getTime(), sums: record, quarters, buyers };
}

/** The sums of days and quarters of an hour. Only the folding of the ledger writes them. */
@Injectable()
export class RollupsRepository {
  constructor(@InjectModel(ROLLUP_MODEL) private readonly rollups: Model<RollupRecord>) {}

  /** @param buyers whether to read how often each buyer paid, which is most of a rollup */
  async *find(
    sums: SumsVersion,
    { days, quartersOf, ...part }: RollupSelection,
    buyers: 'with buyers' | 'without buyers',
    transaction: Transaction,
  ): AsyncGenerator<Rollup, void> {
    const quarters = datesOf(quartersOf);
    const alternatives: QueryFilter<RollupRecord>[] = [
      ...days
        .filter(({ fromMs, toMs }) => fromMs < toMs)
        .map((range) => ({ per: 'day' as const, at: trusted(between(range)) })),
      ...(quarters.length > 0 ? [{ per: 'quarter' as const, at: oneOf(quarters) }] : []),
    ];
    if (alternatives.length === 0) return;
    const projection: { buyers?: 0 } = buyers === 'with buyers' ? {} : { buyers: 0 };
    const filter = { $or: alternatives.map((alternative) => ({ ...sums, ...part, ...alternative })) };
    // Without `promoteBuffers` lean records have the driver's own class for bytes.
    const records = this.rollups
      .find(filter, projection, { promoteBuffers: true })
      .session(transaction)
      .lean()
      .cursor({ batchSize: BATCH_SIZE });
    for await (const record of records) yield toRollup(record);
  }

  /** The sums of every part of a breakdown over some days. */
  async sumsOfDays(
    { shopId, version }: SumsVersion,
    breakdown: Pick<RollupChange, 'currency' | 'by'>,
    days: TimeRange,
    transaction: Transaction,
  ): Promise<PartSums[]> {
    const ofDays = { shopId: new Types.ObjectId(shopId), version, ...breakdown, per: 'day', at: between(days) };
    const parts = await this.rollups
      .aggregate<SalesSums & { readonly _id: string | null }>([
        { $match: ofDays },
        { $group: { _id: '$key', ...TOTALS } },
      ])
      .session(transaction);
    return parts.map(({ _id: key, ...ofPart }) => ({ key, sums: ofPart }));
  }

  /** The rollups that a change of some parts writes, as far as they exist. */
  async ofDays(
    sums: SumsVersion,
    { currency, by }: Pick<RollupChange, 'currency' | 'by'>,
    keys: readonly (string | null)[],
    days: readonly number[],
    transaction: Transaction,
  ): Promise<Rollup[]> {
    const ofParts = { ...sums, currency, by, key: oneOf(new Set(keys)), per: oneOf(['day', 'quarter'] as const) };
    const records = await this.rollups
      .find({ ...ofParts, at: oneOf(datesOf(days)) }, { per: 1, key: 1, at: 1, buyers: 1 }, { promoteBuffers: true })
      .session(transaction)
      .lean();
    return records.map(toRollup);
  }

  async add(
    sums: SumsVersion,
    changes: readonly (RollupChange & { readonly buyers: ReadonlyMap<string, Buffer> })[],
    transaction: Transaction,
  ): Promise<void> {
    const upserts = changes.map(({ currency, by, key, per, atMs, increments, buyers }) => ({
      updateOne: {
        filter: { ...sums, currency, by, key, per, at: new Date(atMs) },
        update: {
          $inc: Object.fromEntries([...increments].filter(([, by]) => by !== 0)),
          $set: Object.fromEntries([...buyers].map(([time, counts]) => [`buyers.${time}`, counts])),
        },
        upsert: true,
      },
    }));
    await this.rollups.bulkWrite(upserts, { session: transaction });
  }

  /** Deletes some sums of earlier versions. @returns how many */
  deleteEarlier(sums: SumsVersion, limit: number, transaction: Transaction): Promise<number> {
    return deleteEarlier(this.rollups, sums, limit, transaction);
  }
}
