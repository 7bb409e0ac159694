import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { beginningWith } from '../../infrastructure/database/beginnings.js';
import { countListed } from '../../infrastructure/database/count-listed.js';
import { afterTime } from '../../infrastructure/database/paging.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { readTimePosition, timePositionOf } from '../../lib/paging/time-position.js';
import { BUYER_PROFILE_MODEL, type BuyerProfileRecord } from './buyer-profile.schema.js';
import {
  type BuyerNote,
  type BuyerProfile,
  type OrdersOfProfile,
  type ProfileFilter,
  type ProfileName,
} from './buyer-profile.types.js';
import { isEmpty, type ProfileChange } from './profile-rules.js';

/** A change of a profile, with the state that its orders give it. */
export type ProfileWrite = ProfileChange & { readonly key: string; readonly state: OrdersOfProfile };

/** A name without orders sorts as if its latest one were the first of all. */
const positionOf = ({ id, lastOrderAt }: BuyerProfile): string =>
  timePositionOf({ id, createdAt: lastOrderAt ?? new Date(0) });

@Injectable()
export class BuyerProfilesRepository {
  constructor(@InjectModel(BUYER_PROFILE_MODEL) private readonly profiles: Model<BuyerProfileRecord>) {}

  /** Adds changes to profiles, which are created when they are missing. */
  async add(shopId: string, writes: readonly ProfileWrite[], transaction: Transaction): Promise<void> {
    const upserts = writes.map(({ kind, name, key, orders, paidOrders, money, state }) => ({
      updateOne: {
        filter: { shopId, kind, name },
        update: {
          $inc: { orders, paidOrders, ...amountPaths(money) },
          $set: { ...state },
          $setOnInsert: { key, note: null },
        },
        upsert: true,
      },
    }));
    if (upserts.length > 0) await this.profiles.bulkWrite(upserts, { session: transaction });
  }

  /** Writes the sums of a profile as they are, and what its orders say. */
  async replace(
    shopId: string,
    { kind, name, orders, paidOrders, money, state }: Omit<ProfileWrite, 'key'>,
    note: BuyerNote | null,
    transaction: Transaction,
  ): Promise<void> {
    const values = { orders, paidOrders, money: { ...money }, ...state, note };
    await this.profiles.updateOne({ shopId, kind, name }, { $set: values }, { session: transaction });
  }

  async find(shopId: string, key: string, transaction: Transaction | null): Promise<BuyerProfile | null> {
    const record = await this.profiles.findOne({ shopId, key }).session(transaction).lean();
    return record && profileOf(record);
  }

  async findNamed(
    shopId: string,
    { kind, name }: ProfileName,
    transaction: Transaction | null,
  ): Promise<BuyerProfile | null> {
    const record = await this.profiles.findOne({ shopId, kind, name }).session(transaction).lean();
    return record && profileOf(record);
  }

  /**
   * The profiles that a filter finds, and how many there are (`countListed`): those with the latest orders first, or, when their names
   * begin alike, in the order of the names.
   */
  async list(shopId: string, { kind, prefix }: ProfileFilter, page: PageRequest): Promise<Page<BuyerProfile>> {
    const ofKind = { shopId, kind };
    const [records, total] = await Promise.all(
      prefix === undefined
        ? [
            this.latest(ofKind, page),
            countListed<BuyerProfileRecord>(this.profiles, { ...ofKind, lastOrderAt: hasOrders() }),
          ]
        : [
            this.beginning(ofKind, prefix, page),
            countListed<BuyerProfileRecord>(this.profiles, { ...ofKind, name: beginningWith(prefix) }),
          ],
    );
    return Page.of(records.map(profileOf), page.limit, positionOf).counted(total);
  }

  /** Returns whether the profile was there. */
  async setNote(shopId: string, key: string, note: BuyerNote | null, transaction: Transaction): Promise<boolean> {
    const { matchedCount } = await this.profiles.updateOne(
      { shopId, key },
      { $set: { note } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /** Deletes those of some profiles that say nothing any more. */
  async deleteEmpty(shopId: string, names: readonly ProfileName[], transaction: Transaction): Promise<void> {
    for (const { kind, name } of names) {
      const profile = await this.findNamed(shopId, { kind, name }, transaction);
      if (profile !== null && isEmpty(profile)) {
        await this.profiles.deleteOne({ shopId, kind, name }, { session: transaction });
      }
    }
  }

  /** Deletes those of some profiles whose name no order has, also with a note. */
  async deleteWithoutOrders(shopId: string, names: readonly ProfileName[], transaction: Transaction): Promise<void> {
    for (const { kind, name } of names) {
      await this.profiles.deleteOne({ shopId, kind, name, lastOrderAt: null }, { session: transaction });
    }
  }

  private latest(ofKind: QueryFilter<BuyerProfileRecord>, page: PageRequest): Promise<BuyerProfileRecord[]> {
    return this.profiles
      .find({ ...ofKind, $and: [{ lastOrderAt: hasOrders() }, ...afterTime(page, 'newestFirst', 'lastOrderAt')] })
      .sort({ lastOrderAt: -1, _id: -1 })
      .limit(page.limit + 1)
      .lean<BuyerProfileRecord[]>()
      .exec();
  }

  /** A position has no name, because it stands in addresses: it has the id of the last profile shown. */
  private async beginning(
    ofKind: QueryFilter<BuyerProfileRecord>,
    prefix: string,
    { after, limit }: PageRequest,
  ): Promise<BuyerProfileRecord[]> {
    const last =
      after === null ? null : await this.profiles.findOne({ ...ofKind, _id: readTimePosition(after).id }).lean();
    if (after !== null && last === null) return [];
    return this.profiles
      .find({ ...ofKind, name: beginningWith(prefix, last?.name) })
      .sort({ name: 1 })
      .limit(limit + 1)
      .lean<BuyerProfileRecord[]>()
      .exec();
  }
}

const hasOrders = (): { $gt: Date } => trusted({ $gt: new Date(0) });

type WithoutMoney = Omit<BuyerProfileRecord, 'money'> & Partial<Pick<BuyerProfileRecord, 'money'>>;

/** The profile of a buyer who has paid nothing has no amounts, because `add` names the paths of amounts only. */
const profileOf = (record: WithoutMoney): BuyerProfile => fromStored({ ...record, money: record.money ?? {} });

/** The amounts by the paths of their fields. */
function amountPaths(money: ProfileChange['money']): Record<string, number> {
  const paths = Object.entries(money).flatMap(([currency, amounts]) =>
    Object.entries(amounts).map(([field, minor]): [string, number] => [`money.${currency}.${field}`, minor as number]),
  );
  return Object.fromEntries(paths);
}
