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

/** What an owner can decide about what is still to run: it keeps the nickname until it has run, or it does not run. */
export const RUNNING_CHOICES = ['keep', 'drop'] as const;
export type RunningChoice = (typeof RUNNING_CHOICES)[number];

/** Why a buyer is erased, and what becomes of what is still to run. */
export interface ErasureRequest {
  readonly reason: string;
  /** undefined: nothing must be. */
  readonly running?: RunningChoice | undefined;
}

/** What an erasure has done. */
export interface Erasure {
  readonly orders: number;
  readonly bans: number;
  /** How many items keep the nickname until what is still to run for them has run. */
  readonly kept: number;
  /** What stands in the orders instead of the email address; null: no order had the identity. */
  readonly pseudonym: string | null;
}
