import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { nameless } from '../../infrastructure/buyers/naming-fields.js';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { afterShop } from '../../infrastructure/database/after-id.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { LEDGER_ENTRY_MODEL, type LedgerEntryRecord } from './ledger-entry.schema.js';
import { type LedgerEntry, type SaleScope, type StoredLedgerEntry, type TimeRange } from './ledger.types.js';

/** How many records the database returns in one command. A busy shop has thousands: other requests run between two batches. */
const BATCH_SIZE = 250;

/** The condition that selects the entries of a scope. */
function within({ currency, serverId, productId }: SaleScope): QueryFilter<LedgerEntryRecord> {
  return {
    currency,
    ...(serverId === null ? {} : { serverId }),
    ...(productId === null ? {} : { 'items.productId': productId }),
  };
}

/** The entries of the ledger. A transaction that adds some writes no document of another transaction. */
@Injectable()
export class LedgerRepository {
  constructor(@InjectModel(LEDGER_ENTRY_MODEL) private readonly entries: Model<LedgerEntryRecord>) {}

  async insertMany(shopId: string, entries: readonly LedgerEntry[], transaction: Transaction): Promise<void> {
    const records = entries.map((entry) => ({ ...entry, shopId, pending: true }));
    await this.entries.insertMany(forInsert(records), { session: transaction });
  }

  /** The next shop, by its id, that has entries which the rollups do not contain yet; null when no shop follows. */
  async nextPendingShop(after: string | null): Promise<string | null> {
    const record = await this.entries
      .findOne({ pending: true, ...afterShop(after) }, { shopId: 1 })
      .sort({ shopId: 1, _id: 1 })
      .lean();
    return record?.shopId.toHexString() ?? null;
  }

  /** The oldest entries that the rollups do not contain yet. */
  async pendingBatch(shopId: string, limit: number, transaction: Transaction): Promise<StoredLedgerEntry[]> {
    const records = await this.entries
      .find({ shopId, pending: true })
      .sort({ _id: 1 })
      .limit(limit)
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  async markFolded(shopId: string, entryIds: readonly string[], transaction: Transaction): Promise<void> {
    await this.entries.updateMany(
      { _id: oneOf(entryIds), shopId },
      { $set: { pending: false } },
      { session: transaction },
    );
  }

  async ofOrders(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<StoredLedgerEntry[]> {
    const records = await this.entries
      .find({ shopId, orderId: oneOf(orderIds) })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  async renameBuyer(shopId: string, from: string, to: string, transaction: Transaction): Promise<void> {
    await this.entries.updateMany({ shopId, buyerKey: from }, { $set: { buyerKey: to } }, { session: transaction });
  }

  /** Reads the pending entries of a scope, and those with an event in one of the time ranges, each once. */
  async *select(
    shopId: string,
    scope: SaleScope,
    timeRanges: readonly TimeRange[],
    transaction: Transaction,
  ): AsyncGenerator<StoredLedgerEntry, void> {
    const ofScope = { shopId, ...within(scope) };
    const inRanges = timeRanges.map(({ fromMs, toMs }) => ({
      ...ofScope,
      events: trusted({ $elemMatch: { at: { $gte: new Date(fromMs), $lt: new Date(toMs) } } }),
    }));
    const records = this.entries
      .find({ $or: [{ ...ofScope, pending: true }, ...inRanges] })
      .session(transaction)
      .lean()
      .cursor({ batchSize: BATCH_SIZE });
    for await (const record of records) yield fromStored(record);
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    return aboutOrders<LedgerEntryRecord>(this.entries, 'orderId', {
      buyerKey: 'mailbox',
      ...nameless('currency', 'discountCode', 'events'),
    });
  }
}
