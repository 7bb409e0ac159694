import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { afterShop } from '../database/after-id.js';
import { readMany } from '../database/direct-reads.js';
import { insertAll } from '../database/direct-writes.js';
import { oneOf } from '../database/one-of.js';
import { type Transaction } from '../database/transactions.js';
import { LEDGER_ENTRY_MODEL, type LedgerEntryRecord } from './ledger-entry.schema.js';
import { type LedgerEntry, type StoredLedgerEntry } from './ledger.types.js';
import { type SaleScope } from './sale-events.js';
import { type Stretch } from './time-cells.js';

const toEntry = ({ _id, orderId, serverId, items, pending, ...rest }: LedgerEntryRecord): StoredLedgerEntry => ({
  ...rest,
  id: _id.toHexString(),
  orderId: orderId.toHexString(),
  serverId: serverId?.toHexString() ?? null,
  items: items.map(({ productId, ...item }) => ({ ...item, productId: productId.toHexString() })),
  isPending: pending === true,
});

/** The condition that an entry is in a scope. */
function within({ currency, serverId, productId }: SaleScope): Record<string, unknown> {
  return {
    currency,
    ...(serverId === null ? {} : { serverId: new Types.ObjectId(serverId) }),
    ...(productId === null ? {} : { 'items.productId': new Types.ObjectId(productId) }),
  };
}

/** The ledger of what happened to orders. A transaction that adds to it writes no document of another one. */
@Injectable()
export class LedgerRepository {
  constructor(@InjectModel(LEDGER_ENTRY_MODEL) private readonly entries: Model<LedgerEntryRecord>) {}

  async insertMany(shopId: string, entries: readonly LedgerEntry[], transaction: Transaction): Promise<void> {
    const records = entries.map(({ orderId, serverId, items, events, ...rest }) => ({
      ...rest,
      shopId: new Types.ObjectId(shopId),
      orderId: new Types.ObjectId(orderId),
      serverId: serverId === null ? null : new Types.ObjectId(serverId),
      items: items.map((item) => ({ ...item, productId: new Types.ObjectId(item.productId) })),
      events: [...events],
      pending: true as const,
    }));
    await insertAll<LedgerEntryRecord>(this.entries, records, transaction);
  }

  /** The next shop, by its id, that has entries which the rollups do not contain yet; null: there is none. */
  async nextPendingShop(after: string | null): Promise<string | null> {
    const record = await this.entries
      .findOne({ pending: true, ...afterShop(after) }, { shopId: 1 })
      .sort({ shopId: 1, _id: 1 })
      .lean();
    return record?.shopId.toHexString() ?? null;
  }

  /** Some entries that the rollups do not contain yet, oldest first. */
  async pendingPortion(shopId: string, limit: number, transaction: Transaction): Promise<StoredLedgerEntry[]> {
    const records = await this.entries
      .find({ shopId, pending: true })
      .sort({ _id: 1 })
      .limit(limit)
      .session(transaction)
      .lean();
    return records.map(toEntry);
  }

  async markFolded(shopId: string, entryIds: readonly string[], transaction: Transaction): Promise<void> {
    const marks = { $unset: { pending: 1 } } as const;
    await this.entries.updateMany({ _id: oneOf(entryIds), shopId }, marks, { session: transaction });
  }

  /** Marks all entries of some orders as not in the rollups. */
  async markPending(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<void> {
    const marks = { $set: { pending: true } } as const;
    await this.entries.updateMany({ shopId, orderId: oneOf(orderIds) }, marks, { session: transaction });
  }

  async ofOrders(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<StoredLedgerEntry[]> {
    const records = await this.entries
      .find({ shopId, orderId: oneOf(orderIds) })
      .session(transaction)
      .lean();
    return records.map(toEntry);
  }

  /** All entries of some buyers in a scope. */
  async ofBuyers(
    shopId: string,
    buyerKeys: readonly string[],
    scope: SaleScope,
    transaction: Transaction,
  ): Promise<StoredLedgerEntry[]> {
    const records = await this.entries
      .find({ shopId, buyerKey: trusted({ $in: [...buyerKeys] }), ...within(scope) })
      .session(transaction)
      .lean();
    return records.map(toEntry);
  }

  /**
   * The entries of a scope of which the kept sums lack something, each once: pending ones, and those with an event in one of
   * these stretches of time.
   */
  async loose(
    shopId: string,
    scope: SaleScope,
    edges: readonly Stretch[],
    transaction: Transaction,
  ): Promise<StoredLedgerEntry[]> {
    const ofScope = { shopId: new Types.ObjectId(shopId), ...within(scope) };
    const inEdges = edges.map(({ fromMs, toMs }) => ({
      ...ofScope,
      events: trusted({ $elemMatch: { at: { $gte: new Date(fromMs), $lt: new Date(toMs) } } }),
    }));
    const pending = { ...ofScope, pending: true as const };
    const reading = { batchSize: 20_000, transaction };
    const records = await readMany<LedgerEntryRecord>(this.entries, { $or: [pending, ...inEdges] }, reading);
    return records.map(toEntry);
  }
}
