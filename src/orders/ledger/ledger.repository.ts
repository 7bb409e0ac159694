import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { nameless } from '../../infrastructure/buyers/naming-fields.js';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { afterShop } from '../../infrastructure/database/after-id.js';
import { claimDue } from '../../infrastructure/database/claim-due.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { LEDGER_ENTRY_MODEL, type LedgerEntryRecord } from './ledger-entry.schema.js';
import {
  type ClaimedEntry,
  type EntryName,
  type LedgerEntry,
  type SaleScope,
  type StoredLedgerEntry,
  type TimeRange,
} from './ledger.types.js';

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

  /** @param pending whether the rollups do not contain the entries yet */
  async insertMany(
    shopId: string,
    entries: readonly LedgerEntry[],
    pending: boolean,
    transaction: Transaction,
  ): Promise<void> {
    const profileDueAt = new Date();
    const records = entries.map((entry) => ({ ...entry, shopId, pending, profileDueAt }));
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

  /** Claims entries of all shops that the profiles of buyers do not contain: see `claimDue`. */
  async claimUnprofiled(now: Date, leaseUntil: Date, limit: number, transaction: Transaction): Promise<ClaimedEntry[]> {
    const due = { field: 'profileDueAt' } as const;
    const records = await claimDue<LedgerEntryRecord>(this.entries, due, { now, leaseUntil, limit }, transaction);
    return records.map(fromStored);
  }

  /** Marks those of some entries that the profiles of buyers do not contain yet, and returns them. */
  async markProfiled(
    shopId: string,
    entryIds: readonly string[],
    transaction: Transaction,
  ): Promise<StoredLedgerEntry[]> {
    const those = { _id: oneOf(entryIds), shopId, profileDueAt: trusted({ $ne: null }) };
    const records = await this.entries.find(those).session(transaction).lean();
    await this.entries.updateMany(those, { $set: { profileDueAt: null } }, { session: transaction });
    return records.map(fromStored);
  }

  /** The entries of a mailbox or a player that the profiles of buyers contain, without those of some orders. */
  async profiledOf(
    shopId: string,
    name: EntryName,
    exceptOrders: readonly string[],
    transaction: Transaction,
  ): Promise<StoredLedgerEntry[]> {
    const records = await this.entries
      .find({ shopId, ...name, profileDueAt: null, orderId: trusted({ $nin: [...exceptOrders] }) })
      .session(transaction)
      .lean();
    return records.map(fromStored);
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
      nicknameKey: 'player',
      ...nameless('currency', 'discountCode', 'events'),
    });
  }
}
