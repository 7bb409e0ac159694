import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { claimDue } from '../../infrastructure/database/claim-due.js';
import { orConflict } from '../../infrastructure/database/database-errors.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ENTITLEMENT_MODEL, type EntitlementRecord } from './entitlement.schema.js';
import { type Entitlement } from './entitlement.types.js';

/** An entitlement as it was read; null: it is new. */
export interface ChangedEntitlement {
  readonly before: Entitlement | null;
  readonly after: Entitlement;
}

const toRecord = ({ id, ...entitlement }: Entitlement) => forInsert({ ...entitlement, _id: id });

/** The fields that have changed. */
function differences(before: Entitlement, after: Entitlement): Partial<Entitlement> {
  const fields = Object.keys(after) as (keyof Entitlement)[];
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, after[field]]));
}

@Injectable()
export class EntitlementsRepository {
  constructor(@InjectModel(ENTITLEMENT_MODEL) private readonly entitlements: Model<EntitlementRecord>) {}

  /** What these orders have given, in the order of their items. */
  async ofOrders(shopId: string, orderIds: readonly string[], transaction: Transaction | null): Promise<Entitlement[]> {
    const records = await this.entitlements
      .find({ shopId, orderId: oneOf(orderIds) })
      .sort({ orderId: 1, position: 1 })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** What these players own, or have owned, that counts as one of these products. */
  async ofPlayers(
    shopId: string,
    nicknameKeys: readonly string[],
    countsAs: readonly string[],
    transaction: Transaction | null,
  ): Promise<Entitlement[]> {
    const records = await this.entitlements
      .find({ shopId, nicknameKey: oneOf(nicknameKeys), countsAs: oneOf(countsAs) })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** Stores what is new and what has changed. Of two transactions that store the same new one, one runs again. */
  async save(changes: readonly ChangedEntitlement[], transaction: Transaction): Promise<void> {
    const added = changes.flatMap(({ before, after }) => (before === null ? [toRecord(after)] : []));
    if (added.length > 0) await orConflict(this.entitlements.insertMany(added, { session: transaction }));
    const updates = changes.flatMap(({ before, after }) => {
      const $set = before === null ? {} : differences(before, after);
      const filter = { _id: after.id, shopId: after.shopId };
      return Object.keys($set).length === 0 ? [] : [{ updateOne: { filter, update: { $set } } }];
    });
    if (updates.length > 0) await this.entitlements.bulkWrite(updates, { session: transaction });
  }

  /** Claims entitlements of all shops whose time is over: see `claimDue`. */
  async claimOver(now: Date, leaseUntil: Date, limit: number, transaction: Transaction): Promise<Entitlement[]> {
    const due = { field: 'endDueAt' } as const;
    const records = await claimDue<EntitlementRecord>(this.entitlements, due, { now, leaseUntil, limit }, transaction);
    return records.map(fromStored);
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    return aboutOrders<EntitlementRecord>(this.entitlements, 'orderId', {
      nickname: 'nickname',
      nicknameKey: 'player',
      buyerKey: 'mailbox',
    });
  }
}
