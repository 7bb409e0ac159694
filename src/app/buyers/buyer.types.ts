import { type Types } from 'mongoose';

/** A buyer as staff name one: with exactly one of the two. */
export interface BuyerName {
  readonly email?: string | undefined;
  readonly nickname?: string | undefined;
}

/** An order, with what decides whether its buyer can be erased. */
export interface OrderState {
  readonly id: string;
  readonly buyerKey: string;
  readonly nicknameKey: string;
  readonly email: string;
  readonly status: string;
  readonly paymentStatus: string;
  readonly deliveryStatus: string;
}

/** The ids of the records about some orders: collection -> ids. */
export type RecordIds = ReadonlyMap<string, readonly Types.ObjectId[]>;

/** A buyer of a shop: one mailbox, and all players for whom it ordered. */
export interface Buyer {
  readonly shopId: string;
  /** null: no order has the nickname. */
  readonly mailbox: string | null;
  readonly nicknames: readonly string[];
  readonly emails: readonly string[];
  readonly orders: readonly OrderState[];
  /** The ids of the records about these orders. */
  readonly recordIds: RecordIds;
}

/** Everything that is stored about a buyer: collection -> records. */
export type BuyerRecords = Readonly<Record<string, readonly object[]>>;

export interface BuyerExport {
  readonly emails: readonly string[];
  readonly nicknames: readonly string[];
  readonly records: BuyerRecords;
}

/** What an erasure has done. */
export interface Erasure {
  readonly orders: number;
  readonly bans: number;
  /** What stands in the orders instead of the email address; null: no order had the identity. */
  readonly pseudonym: string | null;
}
