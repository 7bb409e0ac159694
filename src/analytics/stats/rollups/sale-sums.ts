import { type SaleEvent, type SaleFacts } from '../../../orders/ledger/sale-events.js';

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
 * What an event adds to the sums of its order, or to those of a product, which has only its items. What all products of an order add
 * together is what the order adds.
 * @param productId null: all of the order
 */
export function sumsOf(facts: SaleFacts, event: SaleEvent, productId: string | null): Partial<SalesSums> {
  const { kind, count, amountMinor, lines } = event;
  switch (kind) {
    case 'created':
      return { orders: count };
    case 'converted':
      return { convertedOrders: count };
    case 'new_buyer':
      return { newBuyers: count };
    case 'refund':
    case 'chargeback': {
      const ofProduct = lines.filter((_, position) => facts.items[position]?.productId === productId);
      const backMinor = productId === null ? amountMinor : sumOf(ofProduct);
      return { [kind === 'refund' ? 'refundsMinor' : 'chargebacksMinor']: count * backMinor };
    }
    case 'paid': {
      const { items, totalMinor, discountMinor, itemCount } = facts;
      const sold = items.filter((item) => item.productId === productId);
      const [gross, discount, quantity] =
        productId === null
          ? [totalMinor, discountMinor, itemCount]
          : [
              sumOf(sold.map(({ netMinor }) => netMinor)),
              sumOf(sold.map((item) => item.discountMinor)),
              sumOf(sold.map((item) => item.quantity)),
            ];
      return {
        paidOrders: count,
        grossMinor: count * gross,
        discountMinor: count * discount,
        itemsSold: count * quantity,
      };
    }
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
