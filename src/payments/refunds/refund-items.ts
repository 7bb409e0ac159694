import { formatAmount, type MinorUnits } from '../../lib/money/money.js';
import { splitAmount } from '../../lib/money/split-amount.js';
import { type Order } from '../../orders/order/order.types.js';
import { stateOf } from './refund-rules.js';
import { type Refund, type RefundedItem, type RefundRequest } from './refund.types.js';

type RefundedOrder = Pick<Order, 'items' | 'payments'>;

/** What is wrong with the items that a refund names: one sentence for each problem. */
export function itemProblems({ items }: Pick<Order, 'items'>, request: RefundRequest): string[] {
  const { items: named = [], takeBack = false } = request;
  const unknown = named.filter((id) => !items.some(({ productId }) => productId === id));
  return [
    ...unknown.map((id) => `items has ${id}, which the order does not have`),
    ...(takeBack && named.length === 0 ? ['items must name what is taken back'] : []),
  ];
}

/** What was paid for these products of an order, without what refunds that name them give back. @param refunds all refunds of the order */
export function leftOf(
  order: RefundedOrder,
  refunds: readonly Refund[],
  productIds: readonly string[],
): RefundedItem[] {
  const earlier = refunds.filter((refund) => stateOf(refund, order) !== 'failed').flatMap(({ items = [] }) => items);
  return order.items.flatMap(({ productId, netMinor }, position) => {
    if (!productIds.includes(productId)) return [];
    const back = sum(earlier.filter((item) => item.position === position));
    return [{ position, productId, amountMinor: Math.max(0, netMinor - back) }];
  });
}

/** Why an amount of some items cannot be refunded, in one sentence; null when it can. @param left as `leftOf` */
export function itemsProblem(left: readonly RefundedItem[], amountMinor: MinorUnits, currency: string): string | null {
  const leftMinor = sum(left);
  if (leftMinor === 0) return 'Nothing was paid for these items, or all of it went back';
  if (amountMinor <= leftMinor) return null;
  return `At most ${formatAmount(leftMinor, currency)} of these items can still be refunded`;
}

/** The parts of an amount that items get. @param left as `leftOf` */
export function partsOf(left: readonly RefundedItem[], amountMinor: MinorUnits): RefundedItem[] {
  const weights = left.map((item) => item.amountMinor);
  const amounts = splitAmount(amountMinor, weights);
  return left.map((item, index) => ({ ...item, amountMinor: amounts[index] ?? 0 }));
}

/** What some items get together. */
export function sum(items: readonly Pick<RefundedItem, 'amountMinor'>[]): MinorUnits {
  return items.reduce((total, { amountMinor }) => total + amountMinor, 0);
}
