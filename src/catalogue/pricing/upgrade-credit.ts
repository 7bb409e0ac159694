import { type MinorUnits } from '../../lib/money/money.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { type SoldProduct } from '../snapshot/catalogue-snapshot.js';
import { type SoldTierGroup } from '../tier-groups/tier-group.types.js';

/** What a line replaces when it is paid, and what of that counts as paid already. */
export interface LineUpgrade {
  /** All purchases that it replaces, together or not at all. */
  readonly entitlementIds: readonly string[];
  /** What they take off its price. */
  readonly creditMinor: MinorUnits;
}

/** One purchase of a tier by a player: what is owned, what waits for its delivery, and what has ended. */
export interface OwnedTier {
  readonly id: string;
  readonly productId: string;
  readonly countsAs: string;
  readonly quantity: number;
  /** Of one unit; null: it does not end. */
  readonly durationDays: number | null;
  /** The game server on which it is owned; null: on all, or it is not known before the delivery. */
  readonly serverId: string | null;
  readonly state: 'pending' | 'active' | 'held' | 'ended';
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  /** The mailbox that paid for it. */
  readonly buyerKey: string;
  /** What was paid for it and did not go back. */
  readonly paidMinor: MinorUnits;
  /** What a unit cost then without any reduction. */
  readonly listMinor: MinorUnits;
  /** What it has replaced itself; null: nothing. */
  readonly upgrade: LineUpgrade | null;
}

/** What a player has of the tiers of a group. `none`: no tier that matters here. `held`: the payment of the highest one is in doubt. */
export type TierStanding =
  | { readonly kind: 'none' | 'owned' | 'held' }
  | {
      readonly kind: 'lower';
      readonly entitlementIds: readonly string[];
      /** What was paid for it, for the time that is left. */
      readonly creditMinor: MinorUnits;
      /** The mailboxes that paid for it. */
      readonly buyerKeys: readonly string[];
    };

/** The product that is bought, and where. */
export interface WantedTier {
  readonly product: Pick<SoldProduct, 'id' | 'countsAs' | 'ownedEverywhere'>;
  readonly group: SoldTierGroup;
  /** null: not known yet. */
  readonly serverId: string | null;
  /** Whether another purchase of the same tier adds to its time. */
  readonly extends: boolean;
}

/**
 * What a purchase is worth to its player: what was paid for it, and for what it replaced. Of a purchase that was replaced, no more counts
 * than its buyer has not got back.
 */
export function worthOf(
  { paidMinor, upgrade }: Pick<OwnedTier, 'paidMinor' | 'upgrade'>,
  all: readonly OwnedTier[],
): MinorUnits {
  if (upgrade === null) return paidMinor;
  const replaced = all.filter(({ id }) => upgrade.entitlementIds.includes(id));
  const kept = replaced.reduce((sum, one) => sum + worthOf(one, all), 0);
  return paidMinor + Math.min(upgrade.creditMinor, kept);
}

/**
 * What a purchase takes off a higher tier: what was paid for it, at most what it costs now, for the time that is left. An hour that has begun
 * counts whole, so that a price holds while a form is filled in.
 * @param listMinor the price of a unit now
 */
export function creditOf(
  { quantity, durationDays, startsAt, endsAt }: Pick<OwnedTier, 'quantity' | 'durationDays' | 'startsAt' | 'endsAt'>,
  worthMinor: MinorUnits,
  listMinor: MinorUnits,
  now: Date,
): MinorUnits {
  const whole = Math.min(worthMinor, listMinor * quantity);
  if (durationDays === null || startsAt === null || endsAt === null) return whole;
  const hours = durationDays * quantity * 24;
  const left = Math.min(hours, Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / HOUR_MS)));
  return Number((BigInt(whole) * BigInt(left)) / BigInt(hours));
}

/**
 * What a player has of the tiers of a group when another tier is bought.
 * @param owned all that the player has, or has had, of the group
 * @param products that the shop sells now. What it no longer sells keeps the price that it had
 */
export function tierStanding(
  { product, group, serverId, extends: addsUp }: WantedTier,
  owned: readonly OwnedTier[],
  products: ReadonlyMap<string, Pick<SoldProduct, 'priceMinor'>>,
  now: Date,
): TierStanding {
  const rankOf = (head: string): number => group.productIds.indexOf(head);
  const isHere = (one: OwnedTier): boolean =>
    product.ownedEverywhere || one.serverId === null || one.serverId === serverId;
  const open = owned.filter((one) => one.state !== 'ended' && rankOf(one.countsAs) >= 0 && isHere(one));
  const highest = Math.max(-1, ...open.map(({ countsAs }) => rankOf(countsAs)));
  const wanted = rankOf(product.countsAs ?? product.id);
  if (highest < 0) return { kind: 'none' };
  if (highest >= wanted) return { kind: highest === wanted && addsUp ? 'none' : 'owned' };
  if (open.some(({ state }) => state === 'held')) return { kind: 'held' };
  const credits = open.map((one) => {
    const listMinor = products.get(one.productId)?.priceMinor ?? one.listMinor;
    return creditOf(one, worthOf(one, owned), listMinor, now);
  });
  return {
    kind: 'lower',
    entitlementIds: open.map(({ id }) => id),
    creditMinor: credits.reduce((sum, credit) => sum + credit, 0),
    buyerKeys: [...new Set(open.map(({ buyerKey }) => buyerKey))],
  };
}
