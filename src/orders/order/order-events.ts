import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { type Order } from './order.types.js';

type Placed = Pick<Order, 'id' | 'origin' | 'discount' | 'paidAt'>;

/** The events of a new order. An order with nothing to pay is paid at once, and a rehearsal shows what a payment would cause. */
export function eventsOfPlacement({ id, origin, discount, paidAt }: Placed): NewShopEvent[] {
  const details = { discountId: discount?.discountId ?? null };
  const created = { type: 'order.created', subjectId: id, details } as const;
  return paidAt === null && origin !== 'rehearsal' ? [created] : [created, { type: 'order.paid', subjectId: id }];
}
