/** A buyer as staff name one: with exactly one of the two. */
export interface BuyerName {
  readonly email?: string | undefined;
  readonly nickname?: string | undefined;
}

/** A buyer of a shop: one mailbox, and all players for whom it ordered. */
export interface Buyer {
  readonly shopId: string;
  /** null: no order has the nickname. */
  readonly mailbox: string | null;
  readonly nicknames: readonly string[];
  readonly emails: readonly string[];
  readonly orderIds: readonly string[];
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
