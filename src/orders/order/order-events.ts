import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { type Order, type Reversal } from './order.types.js';

type Placed = Pick<Order, 'id' | 'discount' | 'paidAt'>;
type Settled = Pick<Order, 'paymentStatus' | 'paidAt' | 'reversals'>;

const DISPUTED: ReadonlySet<Order['paymentStatus']> = new Set(['disputed', 'charged_back']);

const refundedMinor = (reversals: readonly Reversal[]): number =>
  reversals.filter(({ kind }) => kind === 'refund').reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** The events of a new order. An order with nothing to pay is paid at once. */
export function eventsOfPlacement({ id, discount, paidAt }: Placed): NewShopEvent[] {
  const details = { discountId: discount?.discountId ?? null };
  const created = { type: 'order.created', subjectId: id, details } as const;
  return paidAt === null ? [created] : [created, { type: 'order.paid', subjectId: id }];
}

/** The events of a change of an order's payments. The first correct payment is published once. */
export function eventsOfSettlement(before: Settled & Pick<Order, 'id'>, after: Settled): NewShopEvent[] {
  const { id: subjectId } = before;
  const newRefunds = refundedMinor(after.reversals) - refundedMinor(before.reversals);
  const isPaid = before.paidAt === null && after.paidAt !== null;
  const isDisputed = after.paymentStatus !== before.paymentStatus && DISPUTED.has(after.paymentStatus);
  return [
    ...(isPaid ? [{ type: 'order.paid', subjectId } as const] : []),
    ...(newRefunds > 0 ? [{ type: 'order.refunded', subjectId, details: { amountMinor: newRefunds } } as const] : []),
    ...(isDisputed ? [{ type: 'order.disputed', subjectId } as const] : []),
  ];
}
