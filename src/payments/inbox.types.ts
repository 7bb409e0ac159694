import { type PaymentNotice } from './providers/provider.js';

/**
 * What became of an event.
 * `received`: stored, not applied; with a notice that names no order, it waits for the event that does.
 * `processed`: in the order's ledger. `ignored`: means nothing here.
 * `failed`: could not be applied; every repetition tries again.
 */
export const EVENT_STATES = ['received', 'processed', 'ignored', 'failed'] as const;
export type EventState = (typeof EVENT_STATES)[number];

export const FAILURES = ['order_not_found', 'internal_error'] as const;
export type Failure = (typeof FAILURES)[number];

/** One event of a provider, in the inbox. */
export interface InboxEvent {
  readonly id: string;
  readonly shopId: string;
  readonly provider: string;
  /** The provider's id of the event. */
  readonly eventId: string;
  /** The provider's name of the kind of event. */
  readonly kind: string;
  readonly state: EventState;
  /** The order that it names, or that the payment was found to belong to. */
  readonly orderId: string | null;
  readonly notice: Omit<PaymentNotice, 'orderId'> | null;
}

/** What is answered about one event. */
export interface EventReceipt {
  readonly eventId: string;
  readonly state: EventState;
  /** Whether it was in the inbox already. */
  readonly duplicate: boolean;
}
