import { addSales, NO_SALES, type Sales, type SalesSums } from '../orders/sales.types.js';
import { type AdditiveFigures, type Compared, type ComparedFigures, type Figures } from './stats.types.js';

/** Rounded; adding 0 turns the negative zero, which is left of a small decrease, into 0. */
const round = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;

/** The figures that add up, from sums. */
export function additiveFigures(sums: SalesSums): AdditiveFigures {
  return {
    grossRevenue: sums.grossMinor,
    refunds: sums.refundsMinor,
    chargebacks: sums.chargebacksMinor,
    netRevenue: sums.grossMinor - sums.refundsMinor - sums.chargebacksMinor,
    orders: sums.orders,
    paidOrders: sums.paidOrders,
    newBuyers: sums.newBuyers,
    discountTotal: sums.discountMinor,
    itemsSold: sums.itemsSold,
  };
}

/**
 * All figures of a period. Nothing divided by nothing is null, not 0: a shop without a paid order has no average order.
 * `conversion` looks at the orders *created* in the period, whenever they were paid, so it is never above 1.
 */
export function figuresOf({ slots, uniqueBuyers }: Sales): Figures {
  const sums = slots.reduce<SalesSums>(addSales, NO_SALES);
  return {
    ...additiveFigures(sums),
    averageOrderValue: sums.paidOrders === 0 ? null : Math.round(sums.grossMinor / sums.paidOrders),
    uniqueBuyers,
    conversion: sums.orders === 0 ? null : round(sums.convertedOrders / sums.orders, 4),
  };
}

/**
 * A figure beside the earlier one. The percentage has the sign of the change, also when the earlier value is negative, and
 * two decimals; where the earlier value is 0 there is none (never Infinity).
 */
export function compared<Value extends number | null>(current: Value, previous: Value): Compared<Value>;
export function compared(current: number | null, previous: number | null): Compared<number | null> {
  if (current === null || previous === null) return { current, previous, change: null, changePercent: null };
  // Ratios have four decimals; whole numbers stay as they are.
  const change = round(current - previous, 4);
  const changePercent = previous === 0 ? null : round((change / Math.abs(previous)) * 100, 2);
  return { current, previous, change, changePercent };
}

/** Every figure beside the earlier one. */
export function comparedFigures(current: Figures, previous: Figures): ComparedFigures {
  const beside = <Name extends keyof Figures>(name: Name): Compared<Figures[Name]> =>
    compared(current[name], previous[name]);
  return {
    grossRevenue: beside('grossRevenue'),
    refunds: beside('refunds'),
    chargebacks: beside('chargebacks'),
    netRevenue: beside('netRevenue'),
    orders: beside('orders'),
    paidOrders: beside('paidOrders'),
    averageOrderValue: beside('averageOrderValue'),
    uniqueBuyers: beside('uniqueBuyers'),
    newBuyers: beside('newBuyers'),
    conversion: beside('conversion'),
    discountTotal: beside('discountTotal'),
    itemsSold: beside('itemsSold'),
  };
}
