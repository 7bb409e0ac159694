import { type EventState, type InboxEvent } from './inbox.types.js';

/** States that no repetition changes. */
const FINAL: readonly EventState[] = ['processed', 'ignored'];

export function isFinal({ state }: Pick<InboxEvent, 'state'>): boolean {
  return FINAL.includes(state);
}

/** What has to be applied to which order. */
export interface Due {
  readonly orderId: string;
  /** The event itself first, then those of its payment that waited for an order. */
  readonly events: readonly InboxEvent[];
}

/**
 * What follows from an event, given all stored events of its payment (itself included). Refunds and disputes often name
 * only the payment, so they find their order through another event of it, or wait for one; whichever comes last applies
 * both. Null: it is done already, or nothing tells its order yet.
 */
export function dueWith(id: string, ofPayment: readonly InboxEvent[]): Due | null {
  const own = ofPayment.find((event) => event.id === id);
  if (own === undefined || isFinal(own)) return null;
  // An event whose order is not there is no witness.
  const witness = ofPayment.find((event) => event.orderId !== null && event.state !== 'failed');
  const orderId = own.orderId ?? witness?.orderId ?? null;
  if (orderId === null) return null;
  const waiting = ofPayment.filter((event) => event.id !== id && event.orderId === null && !isFinal(event));
  return { orderId, events: [own, ...waiting] };
}
