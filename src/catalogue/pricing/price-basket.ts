import { type MinorUnits } from '../../lib/money/money.js';
import { splitAmount } from '../../lib/money/split-amount.js';
import { discountAmount, isFor as isForCode } from '../discounts/discount-rules.js';
import { type UncountedDiscount } from '../discounts/discount.types.js';
import { bestReduction, isFor, type ReducedProduct, type Reduction, stateOf } from '../sales/sale-rules.js';
import { type SoldSale } from '../sales/sale.types.js';
import { type SoldProduct } from '../snapshot/catalogue-snapshot.js';
import { type LineUpgrade } from './upgrade-credit.js';

/** A product that is for sale, and how many units of it are wanted. */
export interface WantedLine {
  readonly product: SoldProduct;
  readonly quantity: number;
  /** What it replaces; absent: nothing. Then the quantity is 1. */
  readonly upgrade?: LineUpgrade;
  /** The tiers of its group, the lowest first; absent: it is no tier. */
  readonly tiers?: readonly string[];
}

/** What a line costs before a discount code. */
export interface LinePrice {
  /** The price of a unit without any reduction, and without what is credited for a lower tier. */
  readonly listMinor: MinorUnits;
  /** The sale that reduces it; null: none. */
  readonly saleId: string | null;
  /** What the sale takes off a unit. */
  readonly saleMinor: MinorUnits;
  /** What a unit costs. */
  readonly unitPriceMinor: MinorUnits;
  /** What all units cost. */
  readonly totalMinor: MinorUnits;
}

/** The parts of a line in the discount of a code, and in what the order costs: those of all lines add up. */
export interface LineParts {
  readonly discountMinor: MinorUnits;
  readonly netMinor: MinorUnits;
}

export type PricedLine = WantedLine & LinePrice & LineParts;

export interface PricedBasket {
  readonly lines: readonly PricedLine[];
  /** The sum of the lines before the code. */
  readonly subtotalMinor: MinorUnits;
}

/** A line that a code may be for. */
export interface CodeLine {
  readonly productId: string;
  readonly totalMinor: MinorUnits;
}

/**
 * The prices of a basket: a function of what the shop sells and the time, nothing else. A code comes after it (`withCode`), because it is
 * read again in the transaction of an order.
 * @param now one moment for the whole basket
 */
export function priceBasket(lines: readonly WantedLine[], sales: readonly SoldSale[], now: Date): PricedBasket {
  const priced = lines.map((line): PricedLine => {
    const { product, quantity, upgrade } = line;
    const { priceMinor: listMinor } = product;
    // A sale reduces the difference: what was paid for the lower tier is no price of the higher one.
    const priceMinor = Math.max(0, listMinor - (upgrade?.creditMinor ?? 0));
    const { reduction } = unitPrice({ ...product, priceMinor }, sales, now);
    const unitPriceMinor = reduction?.priceMinor ?? priceMinor;
    const totalMinor = unitPriceMinor * quantity;
    const sale = { saleId: reduction?.sale.id ?? null, saleMinor: priceMinor - unitPriceMinor };
    const price = { listMinor, ...sale, unitPriceMinor, totalMinor };
    return { ...line, ...price, discountMinor: 0, netMinor: totalMinor };
  });
  return { lines: priced, subtotalMinor: priced.reduce((sum, { totalMinor }) => sum + totalMinor, 0) };
}

/** What a unit of a product costs at a moment, for baskets and for everybody who looks at the product. */
export function unitPrice(
  product: ReducedProduct & Pick<SoldProduct, 'priceMinor'>,
  sales: readonly SoldSale[],
  now: Date,
): { readonly listMinor: MinorUnits; readonly reduction: Reduction | null } {
  const { priceMinor: listMinor } = product;
  return { listMinor, reduction: bestReduction(product, listMinor, sales, now) };
}

/** Whether a product is shown as reduced at a moment: by a sale, or by a higher price beside its own. */
export function isReduced(
  product: ReducedProduct & Pick<SoldProduct, 'priceMinor' | 'compareAtPriceMinor'>,
  sales: readonly SoldSale[],
  now: Date,
): boolean {
  return product.compareAtPriceMinor !== null || unitPrice(product, sales, now).reduction !== null;
}

/** Whether lines cost less just before the latest sale for them ended. @param sales also those that ended a while ago */
export function costsMoreSinceSale(lines: readonly WantedLine[], sales: readonly SoldSale[], now: Date): boolean {
  const ends = sales
    .filter((sale) => stateOf(sale, now) === 'ended' && lines.some(({ product }) => isFor(sale, product)))
    .map(({ endsAt }) => endsAt?.getTime() ?? 0);
  if (ends.length === 0) return false;
  const before = priceBasket(lines, sales, new Date(Math.max(...ends) - 1));
  return before.subtotalMinor < priceBasket(lines, sales, now).subtotalMinor;
}

/**
 * Takes the discount of a code off the lines that it is for.
 * @param discount which applies to the basket; null: none does
 * @param reducedIds the products that are reduced
 */
export function withCode<Line extends CodeLine>(
  lines: readonly Line[],
  discount: Pick<UncountedDiscount, 'type' | 'value' | 'maxDiscountMinor' | 'productIds' | 'excludesReduced'> | null,
  reducedIds: readonly string[],
): (Line & LineParts)[] {
  const eligible = lines.map(({ productId, totalMinor }) => {
    return discount !== null && isForCode(discount, productId, reducedIds) ? totalMinor : 0;
  });
  const sum = eligible.reduce((total, minor) => total + minor, 0);
  return spread(lines, discount === null ? 0 : discountAmount(discount, sum), eligible);
}

/**
 * Takes an amount off lines, in proportion to what they cost.
 * @param weights what counts of each line; absent: all of it
 */
export function spread<Line extends Pick<CodeLine, 'totalMinor'>>(
  lines: readonly Line[],
  amountMinor: MinorUnits,
  weights: readonly MinorUnits[] = lines.map(({ totalMinor }) => totalMinor),
): (Line & LineParts)[] {
  const parts = splitAmount(amountMinor, weights);
  return lines.map((line, index) => {
    const discountMinor = parts[index] ?? 0;
    return { ...line, discountMinor, netMinor: line.totalMinor - discountMinor };
  });
}

/** What lines cost together. */
export function netOf(lines: readonly Pick<LineParts, 'netMinor'>[]): MinorUnits {
  return lines.reduce((sum, { netMinor }) => sum + netMinor, 0);
}
