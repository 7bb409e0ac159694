import { priceBasket, type WantedLine } from '../../catalogue/pricing/price-basket.js';
import {
  type LineUpgrade,
  type OwnedTier,
  tierStanding,
  type TierStanding,
} from '../../catalogue/pricing/upgrade-credit.js';
import { repeatOf } from '../../catalogue/products/product-ownership.js';
import { type CatalogueSnapshot } from '../../catalogue/snapshot/catalogue-snapshot.js';
import { tierOf } from '../../catalogue/tier-groups/tier-group-rules.js';
import { type SoldTierGroup } from '../../catalogue/tier-groups/tier-group.types.js';
import { leastChargeable } from '../../domain/payments/charge-rules.js';
import { formatAmount, type MinorUnits } from '../../lib/money/money.js';
import { type OrderProblem } from '../order/order-problem.js';

type Tiered = Pick<CatalogueSnapshot, 'products' | 'tierGroups'>;

/** Who receives a basket, and what the buyer accepts. */
export interface TierBuyer {
  /** All that the player has, or has had, of the tiers of the basket. */
  readonly owned: readonly OwnedTier[];
  /** The mailbox of the buyer; null: not known yet. */
  readonly buyerKey: string | null;
  /** Whether what was paid for a lower tier may be worth more than the higher one costs. */
  readonly acceptsUnusedCredit: boolean;
}

/** What a line costs less because of a lower tier, for the buyer. */
export interface QuotedUpgrade {
  readonly productId: string;
  readonly creditMinor: MinorUnits;
  /** What was paid for the lower tier beyond that. */
  readonly unusedMinor: MinorUnits;
}

export interface TieredLines {
  readonly lines: readonly WantedLine[];
  /** What was paid for the lower tier, by the product that replaces it. */
  readonly credits: ReadonlyMap<string, MinorUnits>;
  readonly problems: readonly OrderProblem[];
}

/** The tiers that decide about a basket, by their products; empty: it has none. */
export function tiersOf(productIds: readonly string[], { products, tierGroups }: Tiered): readonly string[] {
  const groups = productIds.flatMap((id) => {
    const product = products.get(id);
    return (product && tierOf(product, tierGroups)?.group) ?? [];
  });
  return [...new Set(groups.flatMap((group) => group.productIds))];
}

/**
 * Finds what each line of a basket replaces, and why a tier cannot be ordered.
 * @param buyer null: nobody's tiers count
 */
export function withTiers(
  wanted: readonly WantedLine[],
  { products, tierGroups }: Tiered,
  buyer: TierBuyer | null,
  serverId: string | null,
  now: Date,
): TieredLines {
  const lines: WantedLine[] = [];
  const credits = new Map<string, MinorUnits>();
  const problems: OrderProblem[] = [];
  const known = new Set<SoldTierGroup>();
  for (const line of wanted) {
    const { product } = line;
    const group = tierOf(product, tierGroups)?.group;
    if (group === undefined) {
      lines.push(line);
      continue;
    }
    const tier = { product, group, serverId, extends: isExtended(line) };
    const standing = buyer === null ? NOTHING : tierStanding(tier, buyer.owned, products, now);
    const { upgrade, availableMinor = 0 } = upgradeOf(line, standing);
    lines.push({ ...line, tiers: group.productIds, ...(upgrade && { upgrade }) });
    if (upgrade !== undefined) credits.set(product.id, availableMinor);
    problems.push(...problemsOf(line, standing, availableMinor, buyer));
    if (known.has(group)) {
      const message = `${product.name} is a tier of ${group.name}, as another product of the order: order one of them`;
      problems.push({ code: 'tier_twice', message, productId: product.id });
    }
    known.add(group);
  }
  return { lines, credits, problems };
}

const NOTHING: TierStanding = { kind: 'none' };

interface FoundUpgrade {
  readonly upgrade?: LineUpgrade;
  /** All that was paid for the lower tier, also what the higher one does not cost. */
  readonly availableMinor?: MinorUnits;
}

function upgradeOf({ product }: WantedLine, standing: TierStanding): FoundUpgrade {
  if (standing.kind !== 'lower') return {};
  const { entitlementIds, creditMinor: availableMinor } = standing;
  return { upgrade: { entitlementIds, creditMinor: Math.min(availableMinor, product.priceMinor) }, availableMinor };
}

function problemsOf(
  { product, quantity }: WantedLine,
  standing: TierStanding,
  availableMinor: MinorUnits,
  buyer: TierBuyer | null,
): OrderProblem[] {
  const { id: productId, name, priceMinor, currency } = product;
  switch (standing.kind) {
    case 'none':
      return [];
    case 'owned':
      return [{ code: 'already_owned', message: `The player owns ${name} or a higher tier already`, productId }];
    case 'held':
      return [{ code: 'tier_held', message: "The payment of the player's lower tier is in doubt", productId }];
    case 'lower': {
      const payer = buyer?.acceptsUnusedCredit === true ? buyer.buyerKey : null;
      const isAccepted = payer !== null && standing.buyerKeys.includes(payer);
      const unused = `${formatAmount(availableMinor - priceMinor, currency)} of what was paid for the lower tier would be lost`;
      const message = `${unused}: its buyer can order with acceptUnusedCredit`;
      const single = `${name} replaces a lower tier of the player: order one of it`;
      return [
        ...(quantity > 1 ? [{ code: 'quantity_not_allowed', message: single, productId } as const] : []),
        ...(availableMinor > priceMinor && !isAccepted ? [{ code: 'credit_unused', message, productId } as const] : []),
      ];
    }
  }
}

/** What the buyer of a basket reads about its upgrades. @param credits of `withTiers` */
export function quotedUpgrades(
  lines: readonly WantedLine[],
  credits: ReadonlyMap<string, MinorUnits>,
): readonly QuotedUpgrade[] {
  return lines.flatMap(({ product: { id: productId }, upgrade }) => {
    if (upgrade === undefined) return [];
    const { creditMinor } = upgrade;
    return [{ productId, creditMinor, unusedMinor: (credits.get(productId) ?? creditMinor) - creditMinor }];
  });
}

function isExtended({ product }: WantedLine): boolean {
  return product.durationDays !== null && repeatOf(product) === 'extend';
}

/**
 * Uses less of a credit when it would leave an amount that no payment method can charge. A code comes after this: what it leaves must be
 * chargeable as every total.
 */
export function withChargeableRest(
  lines: readonly WantedLine[],
  { sales, methods }: Pick<CatalogueSnapshot, 'sales' | 'methods'>,
  now: Date,
): readonly WantedLine[] {
  const position = lines.findIndex(({ upgrade }) => upgrade !== undefined);
  const { upgrade, product } = lines[position] ?? {};
  if (upgrade === undefined || product === undefined) return lines;
  const using = (creditMinor: MinorUnits): readonly WantedLine[] =>
    lines.map((line, index) => (index === position ? { ...line, upgrade: { ...upgrade, creditMinor } } : line));
  const totalOf = (creditMinor: MinorUnits): MinorUnits => priceBasket(using(creditMinor), sales, now).subtotalMinor;
  const totalMinor = totalOf(upgrade.creditMinor);
  const least = totalMinor === 0 ? 0 : leastChargeable(methods, totalMinor, product.currency);
  if (totalMinor >= least) return lines;
  // The total falls with the credit: the largest credit that leaves enough.
  let [enough, tooMuch] = [0, upgrade.creditMinor];
  while (tooMuch - enough > 1) {
    const middle = Math.floor((enough + tooMuch) / 2);
    if (totalOf(middle) >= least) enough = middle;
    else tooMuch = middle;
  }
  return using(enough);
}
