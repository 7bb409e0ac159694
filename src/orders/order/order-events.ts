import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { type Order } from './order.types.js';

type Placed = Pick<Order, 'id' | 'discount' | 'paidAt'>;

/** The events of a new order. An order with nothing to pay is paid at once. */
export function eventsOfPlacement({ id, discount, paidAt }: Placed): NewShopEvent[] {
  const details = { discountId: discount?.discountId ?? null };
  const created = { type: 'order.created', subjectId: id, details } as const;
  return paidAt === null ? [created] : [created, { type: 'order.paid', subjectId: id }];
}
