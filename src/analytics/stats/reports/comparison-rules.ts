import { addSales, netMinorOf, NO_SALES, type SalesSums } from '../rollups/sale-sums.js';
import { type Sales } from '../rollups/sales.types.js';
import { type AdditiveFigures, type Compared, type ComparedFigures, type Figures } from './stats.types.js';

/** Rounds. Adding 0 turns a negative zero, the result for a very small decrease, into 0. */
const round = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;

/** The figures that add up, computed from sums. */
export function additiveFigures(sums: SalesSums): AdditiveFigures {
  return {
    grossRevenue: sums.grossMinor,
    refunds: sums.refundsMinor,
    chargebacks: sums.chargebacksMinor,
    netRevenue: netMinorOf(sums),
    orders: sums.orders,
    paidOrders: sums.paidOrders,
    newBuyers: sums.newBuyers,
    discountTotal: sums.discountMinor,
    itemsSold: sums.itemsSold,
  };
}

/**
 * All figures of a period. A figure that would divide by 0 is null: a shop without a paid order has no average order.
 * `conversion` counts the orders *created* in the period, paid at any time, so it is never above 1.
 */
export function figuresOf({ buckets, uniqueBuyers }: Sales): Figures {
  const sums = buckets.reduce<SalesSums>(addSales, NO_SALES);
  return {
    ...additiveFigures(sums),
    averageOrderValue: sums.paidOrders === 0 ? null : Math.round(sums.grossMinor / sums.paidOrders),
    uniqueBuyers,
    // Multiplied first: 91 / 160 is a little less than 0.56875 in binary, and would be rounded down.
    conversion: sums.orders === 0 ? null : Math.round((sums.convertedOrders * 10_000) / sums.orders) / 10_000,
  };
}

/**
 * A figure compared with the earlier one. The percentage has two decimals and the sign of the change, also when the earlier
 * value is negative. It is null (never Infinity) when the earlier value is 0.
 */
export function compared<Value extends number | null>(current: Value, previous: Value): Compared<Value>;
export function compared(current: number | null, previous: number | null): Compared<number | null> {
  if (current === null || previous === null) return { current, previous, change: null, changePercent: null };
  // Ratios have four decimals. Whole numbers do not change.
  const change = round(current - previous, 4);
  const changePercent = previous === 0 ? null : round((change / Math.abs(previous)) * 100, 2);
  return { current, previous, change, changePercent };
}

/** Every figure compared with the earlier one. */
export function comparedFigures(current: Figures, previous: Figures): ComparedFigures {
  const of = <Name extends keyof Figures>(name: Name): Compared<Figures[Name]> =>
    compared(current[name], previous[name]);
  return {
    grossRevenue: of('grossRevenue'),
    refunds: of('refunds'),
    chargebacks: of('chargebacks'),
    netRevenue: of('netRevenue'),
    orders: of('orders'),
    paidOrders: of('paidOrders'),
    averageOrderValue: of('averageOrderValue'),
    uniqueBuyers: of('uniqueBuyers'),
    newBuyers: of('newBuyers'),
    conversion: of('conversion'),
    discountTotal: of('discountTotal'),
    itemsSold: of('itemsSold'),
  };
}
