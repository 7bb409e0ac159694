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
 * What an event adds to the sums of its order, or to those of a product: an order adds only the share that the items of the product
 * have in its subtotal. Each amount is rounded half up, so that all sums are whole minor units, however finely they are split.
 * @param productId null: all of the order
 */
export function sumsOf(facts: SaleFacts, event: SaleEvent, productId: string | null): Partial<SalesSums> {
  const { kind, count, amountMinor } = event;
  const sold = facts.items.filter((item) => item.productId === productId);
  const soldMinor = sold.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  const share = (amount: MinorUnits): MinorUnits => {
    if (productId === null) return amount;
    return facts.subtotalMinor > 0 ? Math.floor((amount * soldMinor) / facts.subtotalMinor + 0.5) : 0;
  };
  switch (kind) {
    case 'created':
      return { orders: count };
    case 'converted':
      return { convertedOrders: count };
    case 'new_buyer':
      return { newBuyers: count };
    case 'refund':
      return { refundsMinor: count * share(amountMinor) };
    case 'chargeback':
      return { chargebacksMinor: count * share(amountMinor) };
    case 'paid': {
      const grossMinor = share(facts.totalMinor);
      const quantity = sold.reduce((sum, item) => sum + item.quantity, 0);
      return {
        paidOrders: count,
        grossMinor: count * grossMinor,
        discountMinor: count * (productId === null ? facts.discountMinor : soldMinor - grossMinor),
        itemsSold: count * (productId === null ? facts.itemCount : quantity),
      };
    }
  }
}
