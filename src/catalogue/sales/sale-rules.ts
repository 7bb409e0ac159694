import { type MinorUnits, percentOf } from '../../lib/money/money.js';
import { type SaleAnnouncement, type SaleState, type SaleValues, type SoldSale } from './sale.types.js';

/** The product that a sale is checked against. */
export interface ReducedProduct {
  readonly id: string;
  readonly categoryId: string | null;
}

/** The sale of a product at a moment, and what a unit costs with it. */
export interface Reduction {
  readonly sale: SoldSale;
  readonly priceMinor: MinorUnits;
}

export function stateOf({ startsAt, endsAt }: Pick<SaleValues, 'startsAt' | 'endsAt'>, now: Date): SaleState {
  if (endsAt !== null && now >= endsAt) return 'ended';
  return now < startsAt ? 'planned' : 'running';
}

/**
 * What is to be announced of a sale after a change.
 * @param before what was to be announced before it; null: nothing
 * @param state before the change
 */
export function announcementOf(
  { startsAt, endsAt }: Pick<SaleValues, 'startsAt' | 'endsAt'>,
  before: SaleAnnouncement | null,
  state: SaleState,
): SaleAnnouncement | null {
  if (state === 'planned' || before?.type === 'started') return { type: 'started', at: startsAt };
  return endsAt === null ? null : { type: 'ended', at: endsAt };
}

/** What is to be announced of a sale after its announcement. */
export function announcementAfter(
  { type }: SaleAnnouncement,
  { endsAt }: Pick<SaleValues, 'endsAt'>,
): SaleAnnouncement | null {
  return type === 'started' && endsAt !== null ? { type: 'ended', at: endsAt } : null;
}

/** Whether a sale is for a product. A category means the product's own one, not those below or above it. */
export function isFor(sale: SaleValues, { id, categoryId }: ReducedProduct): boolean {
  if (sale.excludedProductIds.includes(id)) return false;
  switch (sale.scope) {
    case 'all':
      return true;
    case 'products':
      return sale.productIds.includes(id);
    case 'categories':
      return categoryId !== null && sale.categoryIds.includes(categoryId);
  }
}

/** What a unit costs in a sale, never below 0. A percentage is rounded half up to a minor unit. */
export function reducedPrice({ type, value }: Pick<SaleValues, 'type' | 'value'>, priceMinor: MinorUnits): MinorUnits {
  return Math.max(0, priceMinor - (type === 'percent' ? percentOf(priceMinor, value) : value));
}

/**
 * The one sale that reduces a product at a moment: that with the lowest price, and of equal ones the older one. Sales never add up.
 * @returns null when no sale takes anything off
 */
export function bestReduction(
  product: ReducedProduct,
  priceMinor: MinorUnits,
  sales: readonly SoldSale[],
  now: Date,
): Reduction | null {
  const running = sales.filter((sale) => stateOf(sale, now) === 'running' && isFor(sale, product));
  const [best] = running
    .map((sale): Reduction => ({ sale, priceMinor: reducedPrice(sale, priceMinor) }))
    .filter((reduction) => reduction.priceMinor < priceMinor)
    .sort((one, other) => one.priceMinor - other.priceMinor || (one.sale.id < other.sale.id ? -1 : 1));
  return best ?? null;
}

/** The next moment at which a sale begins or ends; null: none is planned or running with an end. */
export function nextBoundary(sales: readonly SoldSale[], now: Date): Date | null {
  const times = sales.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]);
  return firstAfter(times, now);
}

/** The earliest of some moments that is still to come; null: none is. */
export function firstAfter(times: readonly (Date | null)[], now: Date): Date | null {
  const later = times.filter((at): at is Date => at !== null && at > now);
  return later.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null);
}
