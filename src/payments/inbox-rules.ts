import { INBOX_TRANSITIONS, type InboxEvent } from './inbox.types.js';

/** Whether no repetition of the event can change anything any more. */
export function isFinal({ state }: Pick<InboxEvent, 'state'>): boolean {
  return INBOX_TRANSITIONS[state].length === 0;
}

/** What must be applied to which order. */
export interface Due {
  readonly orderId: string;
  /** The event itself first, then those of its payment that waited for an order. */
  readonly events: readonly InboxEvent[];
}

/**
 * Decides what an event causes, given all stored events of its payment (itself included). Refunds and disputes often name
 * only the payment, so they find their order through another event of the payment, or wait for one. Whichever event comes
 * last applies both.
 * @returns null when the event is applied already, or when its order is not known yet
 */
export function dueWith(id: string, ofPayment: readonly InboxEvent[]): Due | null {
  const own = ofPayment.find((event) => event.id === id);
  if (own === undefined || isFinal(own)) return null;
  // A failed event names an order that the shop does not have.
  const named = ofPayment.find((event) => event.orderId !== null && event.state !== 'failed');
  const orderId = own.orderId ?? named?.orderId ?? null;
  if (orderId === null) return null;
  const waiting = ofPayment.filter((event) => event.id !== id && event.orderId === null && !isFinal(event));
  return { orderId, events: [own, ...waiting] };
}
