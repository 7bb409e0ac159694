import { UNAPPLIED_PROBLEMS } from '../../domain/payments/provider-problems.js';
import { type Transitions } from '../../lib/states/transitions.js';
import { type PaymentDetails } from '../providers/provider.js';

/**
 * The state of an event.
 * `received`: stored, not applied yet. With a payment but no order, it waits for the event that names the order.
 * `processed`: added to the payments of its order. `ignored`: changes nothing here, because of its kind or because it is about nothing
 * of the shop.
 * `failed`: could not be applied; every repetition of the event is another attempt.
 * `rejected`: a request whose path secret was right, but not its signature or its body. One event counts those of a minute.
 */
export const INBOX_STATES = ['received', 'processed', 'ignored', 'failed', 'rejected'] as const;
export type InboxState = (typeof INBOX_STATES)[number];

export const INBOX_TRANSITIONS: Transitions<InboxState> = {
  received: ['processed', 'failed'],
  failed: ['processed', 'failed'],
  processed: [],
  ignored: [],
  rejected: [],
};

/** Why an event could not be applied, or a request was rejected. */
export const FAILURES = [...UNAPPLIED_PROBLEMS, 'webhook_rejected'] as const;
export type Failure = (typeof FAILURES)[number];

/** One event of a provider, as the inbox stores it. */
export interface InboxEvent {
  readonly id: string;
  readonly shopId: string;
  readonly provider: string;
  /** The provider's id of the event. */
  readonly eventId: string;
  /** The provider's name of the kind of event. */
  readonly kind: string;
  readonly state: InboxState;
  /** The order that it names, or that its payment belongs to. */
  readonly orderId: string | null;
  readonly payment: Omit<PaymentDetails, 'orderId'> | null;
}

/** An event with its outcome, for staff. */
export interface InboxEntry extends InboxEvent {
  /** Why it failed or was rejected; null otherwise. */
  readonly failure: Failure | null;
  /**
   * Why it was ignored, what was wrong with a rejected request, or why a person has to look at the order because of it; null
   * otherwise.
   */
  readonly problem: string | null;
  /** The number of attempts to apply it; of `rejected`, the number of requests. */
  readonly attempts: number;
  readonly receivedAt: Date;
  /** When it reached its state; null while it is `received`. */
  readonly settledAt: Date | null;
}

/** Which events a list has. */
export interface InboxFilter {
  readonly state?: InboxState | undefined;
  readonly orderId?: string | undefined;
}

/** The result of receiving one event. */
export interface EventResult {
  readonly eventId: string;
  readonly state: InboxState;
  /** As `InboxEntry` has it. */
  readonly problem: string | null;
  /** Whether the inbox has received it before. */
  readonly duplicate: boolean;
}
