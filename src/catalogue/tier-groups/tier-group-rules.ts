import { type SoldTierGroup, type Tier } from './tier-group.types.js';

/** A product as far as it decides about its tier. */
export interface TieredProduct {
  readonly id: string;
  readonly name: string;
  /** null: itself. */
  readonly countsAs: string | null;
  readonly durationDays: number | null;
}

/** The tier of a product: that of the product as which it counts; null: it has none. */
export function tierOf(
  { id, countsAs }: Pick<TieredProduct, 'id' | 'countsAs'>,
  groups: readonly SoldTierGroup[],
): Tier | null {
  return tierOfHead(countsAs ?? id, groups);
}

/** The tier that a product is itself; null: it is none. */
export function tierOfHead(productId: string, groups: readonly SoldTierGroup[]): Tier | null {
  const group = groups.find(({ productIds }) => productIds.includes(productId));
  return group === undefined ? null : { group, productId, rank: group.productIds.indexOf(productId) + 1 };
}

/** The products that are as good as a product, by their ids: itself, and the higher tiers of its group. */
export function orHigher(productId: string, groups: readonly SoldTierGroup[]): readonly string[] {
  const tier = tierOfHead(productId, groups);
  return tier === null ? [productId] : tier.group.productIds.slice(tier.rank - 1);
}

/** Why products cannot be the tiers of one group, one sentence for each problem. */
export function tierProblems(products: readonly TieredProduct[]): string[] {
  const [first] = products;
  const others = products.filter(({ durationDays }) => durationDays !== first?.durationDays);
  return [
    ...products.flatMap(({ name, countsAs }) =>
      countsAs === null ? [] : [`${name} counts as another product: name that one`],
    ),
    ...others.map(({ name }) => `${name} must have the durationDays of ${first?.name ?? ''}, as all tiers of a group`),
  ];
}
