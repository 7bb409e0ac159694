/**
 * What another purchase of an item does that the player owns. `extend`: the times add up, and as long as one purchase lasts, nothing is taken
 * away for another. `parallel`: each purchase is for itself, as for keys and coins. `refuse`: there is none; what was paid twice all the same adds up.
 */
export const REPEAT_RULES = ['extend', 'parallel', 'refuse'] as const;
export type RepeatRule = (typeof REPEAT_RULES)[number];

/** The rule of a product. Without one, what ends is extended, and what does not is for itself. */
export function repeatOf({
  repeat,
  durationDays,
}: {
  readonly repeat: RepeatRule | null;
  readonly durationDays: number | null;
}): RepeatRule {
  return repeat ?? (durationDays === null ? 'parallel' : 'extend');
}

/** What an item of an order keeps of its product, to decide what its player owns. */
export interface Ownership {
  readonly repeat: RepeatRule;
  /** The product as which it counts: itself, or the one that its product named. */
  readonly countsAs: string;
  /** Whether who has bought it for one game server owns it on all. */
  readonly ownedEverywhere: boolean;
}

export function ownershipOf(product: {
  readonly id: string;
  readonly repeat: RepeatRule | null;
  readonly durationDays: number | null;
  readonly countsAs: string | null;
  readonly ownedEverywhere: boolean;
}): Ownership {
  const { id, countsAs, ownedEverywhere } = product;
  return { repeat: repeatOf(product), countsAs: countsAs ?? id, ownedEverywhere };
}
