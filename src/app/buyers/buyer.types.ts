/** A buyer as staff name one: with exactly one of the two. */
export interface BuyerName {
  readonly email?: string | undefined;
  readonly nickname?: string | undefined;
}

/** Everything that is stored about a buyer. */
export interface BuyerExport {
  readonly emails: readonly string[];
  readonly nicknames: readonly string[];
  /** Collection -> records. */
  readonly records: Readonly<Record<string, readonly object[]>>;
}

/** What an erasure has done. */
export interface Erasure {
  readonly orders: number;
  readonly bans: number;
  /** What stands in the orders instead of the email address; null: no order had the identity. */
  readonly pseudonym: string | null;
}
