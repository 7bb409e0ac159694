import { type SaleEvent, type SaleFacts } from '../../../orders/ledger/sale-events.js';
import { type MinorUnits } from '../../../lib/money/money.js';

/** Sums over orders. They add up: the sums of a day are those of its hours together. Amounts in minor units. */
export interface SalesSums {
  /** What buyers paid (after discounts), counted when they paid. */
  readonly grossMinor: number;
  /** What discounts took off the paid orders. */
  readonly discountMinor: number;
  readonly paidOrders: number;
  readonly itemsSold: number;
  /** Paid orders that were the first of their buyer in the shop. */
  readonly newBuyers: number;
  /** What was refunded, counted when it was refunded. */
  readonly refundsMinor: number;
  /** What the shop lost in disputes, counted when it lost them. */
  readonly chargebacksMinor: number;
  /** Orders created, paid or not. */
  readonly orders: number;
  /** How many of the orders created were paid, at any time. */
  readonly convertedOrders: number;
}

export const NO_SALES: SalesSums = {
  grossMinor: 0,
  discountMinor: 0,
  paidOrders: 0,
  itemsSold: 0,
  newBuyers: 0,
  refundsMinor: 0,
  chargebacksMinor: 0,
  orders: 0,
  convertedOrders: 0,
};

const NAMES = Object.keys(NO_SALES) as readonly (keyof SalesSums)[];

/** Returns an object with one value for each of the sums: the fields of a schema, or of a stage of a pipeline. */
export const forEachSum = <Value>(valueOf: (name: string) => Value): Record<keyof SalesSums, Value> =>
  Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])) as Record<keyof SalesSums, Value>;

/** What buyers paid, minus what they got back. */
export const netMinorOf = ({ grossMinor, refundsMinor, chargebacksMinor }: SalesSums): number =>
  grossMinor - refundsMinor - chargebacksMinor;

/** Adds sums. A sum that the second operand lacks is 0. */
export function addSales(left: SalesSums, right: Partial<SalesSums>): SalesSums {
  const sums = { ...left };
  for (const name of NAMES) sums[name] += right[name] ?? 0;
  return sums;
}

/**
 * The part of an amount that belongs to a product, in whole minor units. An amount is split over the lines of the order by what they
 * cost: each line has the rounded part of itself and all lines before it, minus that of the lines before it. So the parts of all
 * products add up to the amount, however finely it is split.
 * @param facts of an order that cost something before its discount
 */
function partOfProduct(amount: MinorUnits, { items, subtotalMinor }: SaleFacts, productId: string): MinorUnits {
  let costMinor = 0;
  let before = 0;
  let part = 0;
  for (const item of items) {
    costMinor += item.totalMinor;
    const upToHere = Math.floor((amount * costMinor) / subtotalMinor + 0.5);
    if (item.productId === productId) part += upToHere - before;
    before = upToHere;
  }
  return part;
}

/**
 * What an event adds to the sums of its order, or to those of a product: of an order, a product has only its part (`partOfProduct`). What all
 * products of an order add together is what the order adds.
 * @param productId null: all of the order
 */
export function sumsOf(facts: SaleFacts, event: SaleEvent, productId: string | null): Partial<SalesSums> {
  const { kind, count, amountMinor, beforeMinor } = event;
  const share = (amount: MinorUnits): MinorUnits => {
    if (productId === null) return amount;
    return facts.subtotalMinor > 0 ? partOfProduct(amount, facts, productId) : 0;
  };
  // The part of all that has gone back, minus that of what went back before: many small refunds are split as one large refund is.
  const back = (): number => count * (share(beforeMinor + amountMinor) - share(beforeMinor));
  switch (kind) {
    case 'created':
      return { orders: count };
    case 'converted':
      return { convertedOrders: count };
    case 'new_buyer':
      return { newBuyers: count };
    case 'refund':
      return { refundsMinor: back() };
    case 'chargeback':
      return { chargebacksMinor: back() };
    case 'paid': {
      const sold = facts.items.filter((item) => item.productId === productId);
      const soldMinor = sold.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
      const quantity = sold.reduce((sum, item) => sum + item.quantity, 0);
      const grossMinor = share(facts.totalMinor);
      return {
        paidOrders: count,
        grossMinor: count * grossMinor,
        discountMinor: count * (productId === null ? facts.discountMinor : soldMinor - grossMinor),
        itemsSold: count * (productId === null ? facts.itemCount : quantity),
      };
    }
  }
}
