import { type IANAZone } from 'luxon';
import { type DeliveryProgress } from '../../delivery/deliveries/delivery.types.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { instantOf, midnightOf, wallTimeAt } from '../../lib/time/local-time.js';
import { isSale } from '../order/order-rules.js';
import { ALL_BACK, type Order } from '../order/order.types.js';
import { sumOf } from '../settling/payment-events.js';

/** The time to withdraw, in days after that of the purchase (directive 2011/83/EU, article 9). */
const PERIOD_DAYS = 14;
const [SATURDAY, SUNDAY] = [6, 0];

type WithdrawableOrder = Pick<
  Order,
  'origin' | 'totalMinor' | 'paidAt' | 'paymentStatus' | 'items' | 'consents' | 'withdrawal'
>;

/**
 * When the time to withdraw from a purchase ends: with the last day, and not on a weekend (regulation 1182/71, article 3).
 * @param zone that of the shop: the days are its days
 */
export function withdrawableUntil(paidAt: Date, zone: IANAZone): Date {
  // The day of the purchase does not count.
  const lastDay = midnightOf(wallTimeAt(paidAt.getTime(), zone)) + PERIOD_DAYS * DAY_MS;
  const weekday = new Date(lastDay).getUTCDay();
  const shift = weekday === SATURDAY ? 2 : weekday === SUNDAY ? 1 : 0;
  return new Date(instantOf(lastDay + (shift + 1) * DAY_MS, zone));
}

/** The positions of the items of an order that were delivered once, also when they were revoked since. */
export function deliveredOf({ items }: Pick<DeliveryProgress, 'items'>): ReadonlySet<number> {
  return new Set(items.filter(({ deliveredAt }) => deliveredAt !== null).map(({ position }) => position));
}

/**
 * The products of an order from which its buyer can withdraw, whenever that is: those of a sale that was paid, unless the money is back, or the
 * buyer has agreed to lose the right by the delivery and the product was delivered.
 * @param delivered the positions of the items that were delivered once
 */
export function withdrawableProducts(order: WithdrawableOrder, delivered: ReadonlySet<number>): string[] {
  const { totalMinor, paidAt, paymentStatus, items, consents = [] } = order;
  if (!isSale(order) || totalMinor === 0 || paidAt === null || ALL_BACK.includes(paymentStatus)) return [];
  const isWaived = consents.some(({ kind }) => kind === 'immediate_delivery');
  return items.filter((_, position) => !isWaived || !delivered.has(position)).map(({ productId }) => productId);
}

/** What an order lets its buyer withdraw from, and until when. */
export interface WithdrawalRight {
  /** null: from nothing. */
  readonly until: Date | null;
  readonly productIds: readonly string[];
}

/** The right of withdrawal of an order now. Who has withdrawn once has no second right: the shop has to settle the first one. */
export function withdrawalRight(
  order: WithdrawableOrder,
  delivered: ReadonlySet<number>,
  zone: IANAZone,
  now: Date,
): WithdrawalRight {
  const none = { until: null, productIds: [] };
  const productIds = withdrawableProducts(order, delivered);
  if (order.withdrawal !== undefined || order.paidAt === null || productIds.length === 0) return none;
  const until = withdrawableUntil(order.paidAt, zone);
  return now < until ? { until, productIds } : none;
}

/** Why a buyer cannot withdraw from an order that has no withdrawal yet; null when that is possible. */
export function withdrawalProblem(
  order: WithdrawableOrder,
  delivered: ReadonlySet<number>,
  zone: IANAZone,
  now: Date,
): Extract<ErrorCode, 'withdrawal_ended' | 'withdrawal_not_possible'> | null {
  if (order.paidAt === null || withdrawableProducts(order, delivered).length === 0) return 'withdrawal_not_possible';
  return now < withdrawableUntil(order.paidAt, zone) ? null : 'withdrawal_ended';
}

/** Whether the buyer has got back what the items of the withdrawal cost. */
export function isPaidBack({
  items,
  reversals,
  withdrawal,
}: Pick<Order, 'items' | 'reversals' | 'withdrawal'>): boolean {
  const withdrawn = items.filter(({ productId }) => withdrawal?.productIds.includes(productId) === true);
  return sumOf(reversals) >= withdrawn.reduce((sum, { netMinor }) => sum + netMinor, 0);
}

/** What is wrong with the products that a buyer names. */
export function productProblems(named: readonly string[], possible: readonly string[]): string[] {
  return named
    .filter((id) => !possible.includes(id))
    .map((id) => `items has ${id}, from which nobody can withdraw here`);
}
