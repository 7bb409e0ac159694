import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, mongo } from 'mongoose';
import { type AuditChange } from '../../events/audit/audit.types.js';
import { type Ban } from '../../orders/bans/ban.types.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type BuyerName, type OrderState, type RecordIds } from './buyer.types.js';
import { bannedIn } from './erasure-rules.js';
import { ABOUT_ORDERS, BAN_ACTIONS } from './personal-data.js';
import { type Scrubber } from './scrub.js';

/** A record of any collection of a shop. */
interface ShopRecord {
  readonly _id: mongo.BSON.ObjectId;
  readonly [field: string]: unknown;
}

type StoredBan = ShopRecord & Pick<Ban, 'nickname' | 'email'>;
/** An entry of the audit log. */
export interface StoredAuditEntry extends ShopRecord {
  readonly changes: readonly AuditChange[];
}

const STATE_FIELDS = { buyerKey: 1, nicknameKey: 1, email: 1, status: 1, paymentStatus: 1, deliveryStatus: 1 };
/** The fields of the records of orders that have a nickname. */
const NICKNAME_FIELDS = [
  ['orders', 'nickname'],
  ['deliveries', 'nickname'],
  ['deliveries', 'deliveredTo'],
  ['delivery_attempts', 'nickname'],
] as const;

/**
 * The records of all features about buyers, as `personal-data.ts` lists them. It uses the driver: an erasure is the only change of
 * fields that never change otherwise, such as those of the audit log.
 */
@Injectable()
export class BuyerRecordsRepository {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** The orders of a mailbox, or of a player, the oldest first. */
  async orders(shopId: string, buyer: { buyerKey: string } | { nicknameKey: string }): Promise<OrderState[]> {
    const found = await this.of('orders')
      .find({ shopId: oid(shopId), ...buyer }, { projection: STATE_FIELDS })
      .sort({ _id: 1 })
      .toArray();
    return found.map(stateOf);
  }

  /** The states of orders, as a transaction sees them. */
  async orderStates(shopId: string, orderIds: readonly string[], session: Transaction): Promise<OrderState[]> {
    const filter = { shopId: oid(shopId), _id: { $in: orderIds.map(oid) } };
    return (await this.of('orders').find(filter, { projection: STATE_FIELDS, session }).toArray()).map(stateOf);
  }

  /** The ids of all records about some orders. */
  async recordsOf(shopId: string, orderIds: readonly string[]): Promise<RecordIds> {
    const found = new Map<string, mongo.BSON.ObjectId[]>();
    for (const { collection, field, names } of ABOUT_ORDERS) {
      const values =
        names === 'delivery' ? (found.get('deliveries') ?? []) : names === 'order' ? orderIds.map(oid) : orderIds;
      const filter = { shopId: oid(shopId), [field]: { $in: [...values] } };
      const records = await this.of(collection)
        .find(filter, { projection: { _id: 1 } })
        .toArray();
      found.set(
        collection,
        records.map(({ _id }) => _id),
      );
    }
    return found;
  }

  /** The records with some ids: collection -> records. */
  async read(shopId: string, ids: RecordIds): Promise<Map<string, ShopRecord[]>> {
    const read = new Map<string, ShopRecord[]>();
    for (const [collection, those] of ids) {
      const filter = { shopId: oid(shopId), _id: { $in: [...those] } };
      read.set(collection, await this.of(collection).find(filter).sort({ _id: 1 }).toArray());
    }
    return read;
  }

  /** The nicknames in the records of orders: also those before a change, and those of single deliveries. */
  async nicknames(shopId: string, ids: RecordIds): Promise<string[]> {
    const names = new Set<unknown>();
    for (const [collection, field] of NICKNAME_FIELDS) {
      const filter = { shopId: oid(shopId), _id: { $in: [...(ids.get(collection) ?? [])] } };
      for (const name of await this.of(collection).distinct(field, filter)) names.add(name);
    }
    const filter = { shopId: oid(shopId), _id: { $in: [...(ids.get('audit_log') ?? [])] } };
    for (const { changes } of await this.of('audit_log')
      .find(filter, { projection: { changes: 1 } })
      .toArray()) {
      for (const { field, before, after } of changes as AuditChange[]) {
        if (field === 'nickname') names.add(before).add(after);
      }
    }
    return [...names].filter((name) => typeof name === 'string');
  }

  /** Scrubs records, and deletes the nickname codes of their orders. */
  async rewrite(shopId: string, ids: RecordIds, scrubber: Scrubber, session: Transaction): Promise<void> {
    for (const [collection, those] of ids) {
      await this.scrubAll(collection, { shopId: oid(shopId), _id: { $in: [...those] } }, scrubber, session);
    }
    await this.of('nickname_change_codes').deleteMany(
      { orderId: { $in: [...(ids.get('orders') ?? [])] } },
      { session },
    );
  }

  bans(shopId: string, keys: readonly string[]): Promise<StoredBan[]> {
    return this.of<StoredBan>('bans')
      .find({ shopId: oid(shopId), key: { $in: [...keys] } })
      .toArray();
  }

  /** The entries of the audit log about bans of a buyer, also about those that have ended. @param isBuyer gets whom a ban names */
  async banEntries(shopId: string, isBuyer: (name: BuyerName) => boolean): Promise<StoredAuditEntry[]> {
    const filter = { shopId: oid(shopId), action: { $in: [...BAN_ACTIONS] } };
    const found: StoredAuditEntry[] = [];
    for await (const entry of this.of<StoredAuditEntry>('audit_log').find(filter).sort({ _id: 1 })) {
      if (isBuyer(bannedIn(entry.changes))) found.push(entry);
    }
    return found;
  }

  /** Scrubs bans, and entries of the audit log about bans. */
  async rewriteBans(
    shopId: string,
    bans: readonly ShopRecord[],
    entries: readonly ShopRecord[],
    scrubber: Scrubber,
    session: Transaction,
  ): Promise<void> {
    // A buyer who was erased before, came back and was banned again: the new ban counts.
    const keys = bans.map((ban) => scrubber.record(ban)['key']);
    await this.of('bans').deleteMany({ shopId: oid(shopId), key: { $in: keys } }, { session });
    await this.scrubAll('bans', withIds(shopId, bans), scrubber, session);
    await this.scrubAll('audit_log', withIds(shopId, entries), scrubber, session);
  }

  async deleteClaims(claims: readonly string[], session: Transaction): Promise<void> {
    await this.of<{ _id: string }>('quota_claims').deleteMany({ _id: { $in: [...claims] } }, { session });
  }

  private async scrubAll(
    collection: string,
    filter: mongo.Filter<ShopRecord>,
    scrubber: Scrubber,
    session: Transaction,
  ): Promise<void> {
    for (const record of await this.of(collection).find(filter, { session }).toArray()) {
      const scrubbed = scrubber.record(record);
      const changed = Object.entries(scrubbed).filter(([field, value]) => !same(value, record[field]));
      if (changed.length === 0) continue;
      await this.of(collection).updateOne(
        { ...filter, _id: record._id },
        { $set: Object.fromEntries(changed) },
        { session },
      );
    }
  }

  private of<Record extends mongo.BSON.Document = ShopRecord>(name: string): mongo.Collection<Record> {
    return this.connection.getClient().db(this.connection.name).collection<Record>(name);
  }
}

const oid = (hex: string): mongo.BSON.ObjectId => mongo.BSON.ObjectId.createFromHexString(hex);
const withIds = (shopId: string, records: readonly ShopRecord[]): mongo.Filter<ShopRecord> => ({
  shopId: oid(shopId),
  _id: { $in: records.map(({ _id }) => _id) },
});
const same = (left: unknown, right: unknown): boolean =>
  mongo.BSON.EJSON.stringify({ value: left }) === mongo.BSON.EJSON.stringify({ value: right });

function stateOf({ _id, buyerKey, nicknameKey, email, status, paymentStatus, deliveryStatus }: ShopRecord): OrderState {
  const id = _id.toHexString();
  return { id, buyerKey, nicknameKey, email, status, paymentStatus, deliveryStatus } as OrderState;
}
