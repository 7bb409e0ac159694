/** How many products a group has. */
export const MIN_TIERS = 2;
export const MAX_TIERS = 20;

/** What a shop decides about a group of tiers. */
export interface TierGroupValues {
  /** Buyers see it. */
  readonly name: string;
  /** Products that count as themselves, the lowest tier first. A product is in one group at most. */
  readonly productIds: readonly string[];
}

/** Products of which a player owns one at a time, and pays the difference for a higher one: the ranks of a game server, for example. */
export interface TierGroup extends TierGroupValues {
  readonly id: string;
  readonly shopId: string;
  readonly createdAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly createdBy: string;
}

/** A group as a snapshot has it. */
export type SoldTierGroup = Pick<TierGroup, 'id' | 'name' | 'productIds'>;

/** The tier of a product. */
export interface Tier {
  readonly group: SoldTierGroup;
  /** The product that is the tier. */
  readonly productId: string;
  /** From 1, the lowest. */
  readonly rank: number;
}
