import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type Model, type QueryFilter, type Types, type UpdateQuery } from 'mongoose';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { oneOf } from '../database/one-of.js';
import { type Transaction } from '../database/transactions.js';
import { type Naming, type NamingFields } from './naming-fields.js';
import { namesIn, type Scrubber } from './scrubber.js';

/** A buyer of a shop: one mailbox, and all players for whom it ordered. */
export interface Buyer {
  readonly shopId: string;
  /** null: no order has the nickname. */
  readonly mailbox: string | null;
  /** One for each player. An unknown key is empty: nothing has an empty key. */
  readonly keys: readonly BuyerKeys[];
  readonly orderIds: readonly string[];
}

/** The part of an erasure that a transaction does, when everything that it needs was found. */
export type Erasing = (transaction: Transaction) => Promise<unknown>;

/**
 * What a collection has about buyers. All names are found in all collections before the first one changes: a name that only one
 * collection has is replaced in the others too.
 */
export interface PersonalData {
  readonly collection: string;
  /** The nicknames in what it has about some orders, as they were typed. */
  nicknames?(shopId: string, orderIds: readonly string[]): Promise<readonly string[]>;
  /** The nicknames and addresses in what it has about a buyer whom no order names, as they were typed. */
  spellings?(buyer: Buyer): Promise<readonly string[]>;
  /** What an export has. */
  read?(buyer: Buyer): Promise<readonly object[]> | readonly object[];
  /** Erases what it has about a buyer whom no order names. */
  eraseBuyer?(buyer: Buyer, scrubber: Scrubber): Erasing | Promise<Erasing>;
  /** Erases what it has about some orders. */
  eraseOrders?(shopId: string, orderIds: readonly string[], scrubber: Scrubber): Erasing | Promise<Erasing>;
}

/** What all features have about buyers. A feature adds each of its collections when its module is made. */
@Injectable()
export class PersonalDataRegistry {
  private readonly collections: PersonalData[] = [];

  get all(): readonly PersonalData[] {
    return this.collections;
  }

  add(...collections: readonly PersonalData[]): void {
    this.collections.push(...collections);
  }

  /** What each collection has, one after the other. undefined: nothing. */
  async each<Value>(of: (data: PersonalData) => Value | Promise<Value> | undefined): Promise<Value[]> {
    const values: Value[] = [];
    for (const data of this.collections) {
      const value = await of(data);
      if (value !== undefined) values.push(value);
    }
    return values;
  }
}

/** Some collections have no index for this. An erasure is rare, and reads all that the shop has. */
const READ_MAX_TIME_MS = MINUTE_MS;

interface Identified {
  readonly _id: Types.ObjectId;
}

/**
 * What a collection has about the orders of a buyer.
 * @param field names the order
 * @param options.keysOf returns what stands in the field for some orders, by default their ids
 * @param options.scrubbed returns a record as it is after the erasure, by default without all names
 */
export function aboutOrders<Item extends Identified>(
  model: Model<Item>,
  field: keyof Item & string,
  names: NamingFields<Item>,
  {
    keysOf = (_, orderIds) => Promise.resolve(orderIds),
    scrubbed = (record, scrubber) => scrubber.record(record, names),
  }: {
    readonly keysOf?: (shopId: string, orderIds: readonly string[]) => Promise<readonly string[]>;
    readonly scrubbed?: (record: Item, scrubber: Scrubber) => Item;
  } = {},
) {
  const of = async (shopId: string, orderIds: readonly string[], fields = {}): Promise<Item[]> =>
    found(model, { shopId, [field]: oneOf(await keysOf(shopId, orderIds)) }, fields);
  const withNicknames = Object.entries(names).filter(([, naming]) => naming === 'nickname' || naming === 'changes');
  return {
    collection: model.collection.collectionName,
    nicknames: async (shopId, orderIds) => {
      if (withNicknames.length === 0) return [];
      const fields = Object.fromEntries(withNicknames.map(([name]) => [name, 1]));
      return namesOf(await of(shopId, orderIds, fields), names, ['nickname']);
    },
    read: ({ shopId, orderIds }) => of(shopId, orderIds),
    eraseOrders: async (shopId, orderIds, scrubber) =>
      scrubbing(model, shopId, await of(shopId, orderIds, { _id: 1 }), (record) => scrubbed(record, scrubber)),
  } satisfies PersonalData;
}

/**
 * What a collection has about a buyer whom no order names.
 * @param isAbout decides it for each record that `where` selects
 */
export function aboutBuyers<Item extends Identified>(
  model: Model<Item>,
  where: (buyer: Buyer) => QueryFilter<Item>,
  names: NamingFields<Item>,
  isAbout: (record: Item, buyer: Buyer) => boolean = () => true,
) {
  const of = async (buyer: Buyer): Promise<Item[]> =>
    (await found(model, where(buyer), {})).filter((record) => isAbout(record, buyer));
  return {
    collection: model.collection.collectionName,
    spellings: async (buyer) => namesOf(await of(buyer), names, ['nickname', 'mailbox']),
    read: of,
    eraseBuyer: async (buyer, scrubber) =>
      scrubbing(model, buyer.shopId, await of(buyer), (record) => scrubber.record(record, names)),
  } satisfies PersonalData;
}

function found<Item>(model: Model<Item>, filter: QueryFilter<Item>, fields: object): Promise<Item[]> {
  return model.find(filter, fields).sort({ _id: 1 }).maxTimeMS(READ_MAX_TIME_MS).lean<Item[]>().exec();
}

function namesOf<Item extends object>(
  records: readonly Item[],
  names: NamingFields<Item>,
  kinds: readonly Naming[],
): string[] {
  return records.flatMap((record) => namesIn(record, names, kinds));
}

/** Changes records as they are in the transaction, also in fields that nothing else changes: an erasure is the only reason. */
function scrubbing<Item extends Identified>(
  model: Model<Item>,
  shopId: string,
  records: readonly Item[],
  scrubbed: (record: Item) => Item,
): Erasing {
  const those = { shopId, _id: oneOf(records.map(({ _id }) => _id)) } as QueryFilter<Item>;
  return async (session) => {
    for (const record of await model.find(those).session(session).lean<Item[]>()) {
      const changed = Object.entries(scrubbed(record)).filter(
        ([field, value]) => !isDeepStrictEqual(value, record[field as keyof Item]),
      );
      if (changed.length === 0) continue;
      const change = { $set: Object.fromEntries(changed) } as UpdateQuery<Item>;
      const one = { shopId, _id: record._id } as QueryFilter<Item>;
      await model.updateOne(one, change, { session, overwriteImmutable: true });
    }
  };
}
