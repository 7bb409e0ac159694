import { type OrderEventType } from './shop-event-details.js';
import { type NewShopEvent, type ShopEvent } from './shop-event.types.js';

/** The events that only make sense in the order in which they happened. The others cost one query less. */
const IN_ORDER = /^(order|delivery|entitlement|refund|sale|server)\./;

/** The events whose subject is an order. */
const ABOUT_ORDERS = /^(order|delivery|entitlement|refund)\./;

/** The order that an event is about; null: about something else. */
export function orderIdOf({ type, subjectId }: { readonly type: string; readonly subjectId: string }): string | null {
  return ABOUT_ORDERS.test(type) ? subjectId : null;
}

/** Whether an event is about an order. */
export const isOfOrder = (event: ShopEvent): event is ShopEvent<OrderEventType> => orderIdOf(event) !== null;

/** Returns the stream of an event. Events of one stream are published in the order in which they were recorded; null: in any order. */
export function streamOf({ type, subjectId }: Pick<NewShopEvent, 'type' | 'subjectId'>): string | null {
  return IN_ORDER.test(type) ? subjectId : null;
}
