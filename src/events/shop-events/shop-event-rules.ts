import { type NewShopEvent } from './shop-event.types.js';

/** The events that only make sense in the order in which they happened. The others cost one query less. */
const IN_ORDER = /^(order|delivery|refund|server)\./;

/** Returns the stream of an event. Events of one stream are published in the order in which they were recorded; null: in any order. */
export function streamOf({ type, subjectId }: Pick<NewShopEvent, 'type' | 'subjectId'>): string | null {
  return IN_ORDER.test(type) ? subjectId : null;
}
