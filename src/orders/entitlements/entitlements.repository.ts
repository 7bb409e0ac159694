import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { nameless } from '../../infrastructure/buyers/naming-fields.js';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { claimDue } from '../../infrastructure/database/claim-due.js';
import { orConflict } from '../../infrastructure/database/database-errors.js';
import { countListed } from '../../infrastructure/database/count-listed.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { afterTime } from '../../infrastructure/database/paging.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { timePositionOf } from '../../lib/paging/time-position.js';
import { ENTITLEMENT_MODEL, type EntitlementRecord } from './entitlement.schema.js';
import {
  type EndedBy,
  type Entitlement,
  type EntitlementFilter,
  ENTITLEMENT_STATES,
  type EntitlementState,
} from './entitlement.types.js';

/** An entitlement as it was read; null: it is new. */
export interface ChangedEntitlement {
  readonly before: Entitlement | null;
  readonly after: Entitlement;
}

/** What processes of the version before have not stored. */
const LATER_FIELDS = { upgrade: null, upgradedBy: null, paidMinor: 0, listMinor: 0 };

const toEntitlement = (record: EntitlementRecord): Entitlement => ({ ...LATER_FIELDS, ...fromStored(record) });

const toRecord = ({ id, ...entitlement }: Entitlement) => forInsert({ ...entitlement, _id: id });

/** The fields that have changed, with the time of the change; none when nothing has. */
function differences(before: Entitlement, after: Entitlement, changedAt: Date): Partial<Entitlement> {
  const fields = Object.keys(after) as (keyof Entitlement)[];
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  if (changed.length === 0) return {};
  return { ...Object.fromEntries(changed.map((field) => [field, after[field]])), changedAt };
}

const positionOf = ({ changedAt: createdAt, id }: Entitlement): string => timePositionOf({ createdAt, id });

/** The entitlements of one place: the game server, and all servers at once. */
const within = (serverIds: Iterable<string>): QueryFilter<EntitlementRecord> => ({
  serverId: oneOf([null, ...serverIds]),
});

const OPEN_STATES = ENTITLEMENT_STATES.filter((state) => state !== 'ended');

/** The conditions of a filter beside the state. */
function conditionsOf(filter: EntitlementFilter): QueryFilter<EntitlementRecord>[] {
  const { nicknameKey, productId, serverId, orderId, changedSince } = filter;
  return [
    ...(nicknameKey === undefined ? [] : [{ nicknameKey }]),
    ...(productId === undefined ? [] : [{ $or: [{ countsAs: productId }, { productId }] }]),
    ...(serverId === undefined ? [] : [within([serverId])]),
    ...(orderId === undefined ? [] : [{ orderId }]),
    ...(changedSince === undefined ? [] : [{ changedAt: trusted({ $gte: changedSince }) }]),
  ];
}

/** The states in which a filter looks. Together where the player or the order decides; otherwise one range of an index for each. */
function statesOf({ isOwned, nicknameKey, orderId }: EntitlementFilter): readonly (readonly EntitlementState[])[] {
  const states = isOwned ? OPEN_STATES : ENTITLEMENT_STATES;
  return nicknameKey === undefined && orderId === undefined ? states.map((state) => [state]) : [states];
}

@Injectable()
export class EntitlementsRepository {
  constructor(@InjectModel(ENTITLEMENT_MODEL) private readonly entitlements: Model<EntitlementRecord>) {}

  /**
   * The entitlements that a filter finds, the latest change first or last, and how many there are (`countListed`).
   * @param only those of these servers, of all servers at once, and of any server; null: all
   */
  async list(
    shopId: string,
    only: ReadonlySet<string> | null,
    filter: EntitlementFilter,
    page: PageRequest,
    now: Date,
  ): Promise<Page<Entitlement>> {
    const { oldestFirst = false, limit } = page;
    const way = oldestFirst ? 1 : -1;
    const conditions = [{}, ...(only === null ? [] : [within(only)]), ...conditionsOf(filter)];
    const after = afterTime(page, oldestFirst ? 'oldestFirst' : 'newestFirst', 'changedAt');
    // What is over counts until the job has seen it, so that an index alone decides the count.
    const lasting = filter.isOwned ? [{ $or: [{ endsAt: null }, { endsAt: trusted({ $gt: now }) }] }] : [];
    const states = statesOf(filter);
    const read = (ofStates: readonly EntitlementState[]) =>
      this.entitlements
        .find({ shopId, state: oneOf(ofStates), $and: [...conditions, ...lasting, ...after] })
        .sort({ changedAt: way, _id: way })
        .limit(limit + 1)
        .lean();
    const [total, ...parts] = await Promise.all([
      countListed<EntitlementRecord>(this.entitlements, { shopId, state: oneOf(states.flat()), $and: conditions }),
      ...states.map(read),
    ]);
    const entitlements = parts.map((records) => records.map(toEntitlement));
    return Page.ofParts<Entitlement>(entitlements, page, positionOf).counted(total);
  }

  /** What these orders have given, in the order of their items. */
  async ofOrders(shopId: string, orderIds: readonly string[], transaction: Transaction | null): Promise<Entitlement[]> {
    const records = await this.entitlements
      .find({ shopId, orderId: oneOf(orderIds) })
      .sort({ orderId: 1, position: 1 })
      .session(transaction)
      .lean();
    return records.map(toEntitlement);
  }

  async find(shopId: string, id: string, transaction: Transaction | null): Promise<Entitlement | null> {
    const record = await this.entitlements.findOne({ _id: id, shopId }).session(transaction).lean();
    return record === null ? null : fromStored(record);
  }

  /** Ends an entitlement for good, as staff decide. */
  async endByStaff(shopId: string, id: string, at: Date, transaction: Transaction): Promise<void> {
    const ended = { endedBy: 'staff' as const satisfies EndedBy, endsAt: at, changedAt: at };
    await this.entitlements.updateOne({ _id: id, shopId }, { $set: ended }, { session: transaction });
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
    return records.map(toEntitlement);
  }

  /** All that these players own, or have owned, that has replaced something or was replaced. */
  async inUpgrades(shopId: string, nicknameKeys: readonly string[], transaction: Transaction): Promise<Entitlement[]> {
    const involved = [{ upgrade: trusted({ $ne: null }) }, { upgradedBy: trusted({ $ne: null }) }];
    const records = await this.entitlements
      .find({ shopId, nicknameKey: oneOf(nicknameKeys), $or: involved })
      .session(transaction)
      .lean();
    return records.map(toEntitlement);
  }

  /**
   * Marks entitlements as replaced by an order. @param before as they were read in the same transaction
   * @returns whether all of them were as they were read
   */
  async replace(
    shopId: string,
    before: readonly Entitlement[],
    orderId: string,
    changedAt: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const ids = before.map(({ id }) => id);
    const change = { $set: { upgradedBy: orderId, changedAt } };
    const write = { _id: oneOf(ids), shopId };
    const { matchedCount } = await this.entitlements.updateMany(write, forInsert(change), { session: transaction });
    return matchedCount === ids.length;
  }

  /** Stores what is new and what has changed. Of two transactions that store the same new one, one runs again. */
  async save(changes: readonly ChangedEntitlement[], changedAt: Date, transaction: Transaction): Promise<void> {
    const added = changes.flatMap(({ before, after }) => (before === null ? [toRecord(after)] : []));
    if (added.length > 0) await orConflict(this.entitlements.insertMany(added, { session: transaction }));
    const updates = changes.flatMap(({ before, after }) => {
      const $set = before === null ? {} : differences(before, after, changedAt);
      const filter = { _id: after.id, shopId: after.shopId };
      return Object.keys($set).length === 0 ? [] : [{ updateOne: { filter, update: { $set } } }];
    });
    if (updates.length > 0) await this.entitlements.bulkWrite(updates, { session: transaction });
  }

  /** Claims entitlements of all shops whose time is over: see `claimDue`. */
  async claimOver(now: Date, leaseUntil: Date, limit: number, transaction: Transaction): Promise<Entitlement[]> {
    const due = { field: 'endDueAt' } as const;
    const records = await claimDue<EntitlementRecord>(this.entitlements, due, { now, leaseUntil, limit }, transaction);
    return records.map(toEntitlement);
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    return aboutOrders<EntitlementRecord>(this.entitlements, 'orderId', {
      nickname: 'nickname',
      nicknameKey: 'player',
      buyerKey: 'mailbox',
      ...nameless('upgrade'),
    });
  }
}
