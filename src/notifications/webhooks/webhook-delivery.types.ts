import { type Transitions } from '../../lib/states/transitions.js';
import { SHOP_EVENT_TYPES } from '../../events/shop-events/shop-event.types.js';

/** `waiting`: to be sent or retried. `failed`: all attempts failed, or the webhook is off. A delivery in a final state can be replayed. */
export const WEBHOOK_DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number];

export const WEBHOOK_DELIVERY_TRANSITIONS: Transitions<WebhookDeliveryState> = {
  waiting: ['delivered', 'failed'],
  delivered: ['waiting'],
  failed: ['waiting'],
};

/** The event of a test request, which staff trigger. */
export const TEST_EVENT = 'webhook.test';

export const DELIVERED_EVENTS = [...SHOP_EVENT_TYPES, TEST_EVENT] as const;

/** One attempt to deliver an event. */
export interface WebhookAttempt {
  readonly at: Date;
  /** The status of the response; null if there was no response. */
  readonly status: number | null;
  /** Why there was no response (`SendingError`); null: there was one. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The beginning of the response body; null: no response. */
  readonly response: string | null;
}

/** How many attempts are stored with a delivery. */
export const MAX_STORED_ATTEMPTS = 20;

/** The delivery of one event to a webhook, with the log of its attempts. */
export interface WebhookDelivery {
  readonly id: string;
  readonly shopId: string;
  readonly webhookId: string;
  /** The header `webhook-id`: the same in every attempt and in every replay. */
  readonly eventId: string;
  readonly type: (typeof DELIVERED_EVENTS)[number];
  /** Deliveries of one stream are sent in their order; null: in any order. */
  readonly stream: string | null;
  /** The body of a `standard` webhook, as it is signed. */
  readonly body: string;
  readonly state: WebhookDeliveryState;
  /** The latest `MAX_STORED_ATTEMPTS` attempts. */
  readonly attempts: readonly WebhookAttempt[];
  /** How many attempts have failed since it was created or replayed. */
  readonly failures: number;
  /** When the next attempt is due; null: as soon as possible, or never. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

/** A delivery as it is stored. */
export interface StoredWebhookDelivery extends WebhookDelivery {
  /** The latest message in the outbox that sends it. */
  readonly messageId: string;
}
