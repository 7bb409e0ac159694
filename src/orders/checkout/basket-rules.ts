import { type OrderProblem } from '../order/order-problem.js';
import { type BuyerLimit, type OrderItem } from '../order/order.types.js';
import { type UncountedProduct } from '../../catalogue/products/product.types.js';

export interface OrderLine {
  readonly productId: string;
  readonly quantity: number;
}

/** The items of a basket at today's prices. */
export interface PricedLines {
  /** Without the products that are not for sale. */
  readonly items: readonly OrderItem[];
  /** The products of which one buyer may have only some. */
  readonly limits: readonly BuyerLimit[];
  readonly problems: readonly OrderProblem[];
}

/** The largest subtotal of an order in minor units: statistics over millions of them stay within the safe integers. */
const MAX_ORDER_MINOR = 100_000_000_000;

/** The problems of the form of the lines. A basket with one of them is not priced. */
export function lineProblems(lines: readonly OrderLine[]): string[] {
  const isRepeated = new Set(lines.map(({ productId }) => productId)).size !== lines.length;
  return isRepeated ? ['items must not repeat a product; use its quantity'] : [];
}

/**
 * The items of an order at today's prices, without the products that are not sold there, and a problem for each of those.
 * @param products the shop's products by id
 * @param serverId null: not known yet, so every server is possible
 */
export function priceLines(
  lines: readonly OrderLine[],
  products: ReadonlyMap<string, UncountedProduct>,
  serverId: string | null,
): PricedLines {
  const items: OrderItem[] = [];
  const problems: OrderProblem[] = [];
  const limits: BuyerLimit[] = [];
  for (const { productId, quantity } of lines) {
    const product = products.get(productId);
    if (product === undefined || !isSold(product, serverId)) {
      problems.push({
        code: 'product_not_available',
        message: `Product ${productId} is not for sale here`,
        productId,
      });
      continue;
    }
    const {
      name,
      priceMinor: unitPriceMinor,
      commandListId,
      requiresOnline,
      durationDays,
      hasStock: takesStock,
      maxPerOrder,
      maxPerBuyer,
    } = product;
    if (maxPerOrder !== null && quantity > maxPerOrder) {
      const message = `One order may have at most ${maxPerOrder} of ${name}`;
      problems.push({ code: 'quantity_not_allowed', message, productId });
    }
    const totalMinor = unitPriceMinor * quantity;
    const priced = { productId, name, quantity, unitPriceMinor, totalMinor };
    items.push({ ...priced, commandListId, requiresOnline, durationDays, takesStock });
    if (maxPerBuyer !== null) limits.push({ productId, name, quantity, maxPerBuyer });
  }
  return { items, limits, problems: [...problems, ...subtotalProblems(subtotalOf(items))] };
}

function isSold({ isActive, serverIds }: UncountedProduct, serverId: string | null): boolean {
  return isActive && (serverIds.length === 0 || serverId === null || serverIds.includes(serverId));
}

function subtotalProblems(subtotalMinor: number): OrderProblem[] {
  return subtotalMinor > MAX_ORDER_MINOR ? [{ code: 'validation_failed', message: 'The order is too large' }] : [];
}

/** The sum of the items, before any discount. */
export function subtotalOf(items: readonly OrderItem[]): number {
  return items.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
}
