import { type Transitions } from '../../platform/states/transitions.js';
import { SHOP_EVENT_TYPES } from '../../events/shop-events/shop-event.types.js';

/** `waiting`: it is sent, or tried again later. `failed`: all tries failed, or the webhook is off. Both ends can be replayed. */
export const WEBHOOK_DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number];

export const WEBHOOK_DELIVERY_TRANSITIONS: Transitions<WebhookDeliveryState> = {
  waiting: ['delivered', 'failed'],
  delivered: ['waiting'],
  failed: ['waiting'],
};

/** The event of a request that a person asked for, to try a webhook out. */
export const TEST_EVENT = 'webhook.test';

export const DELIVERED_EVENTS = [...SHOP_EVENT_TYPES, TEST_EVENT] as const;

/** One attempt to deliver an event. */
export interface DeliveryTry {
  readonly at: Date;
  /** The status of the response; null if there was no response. */
  readonly status: number | null;
  /** Why there was no answer (`SendingError`); null: there was one. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The beginning of the answer; null: there was none. */
  readonly response: string | null;
}

/** How many tries a delivery keeps. */
export const MAX_TRIES_KEPT = 20;

/** An event that a webhook gets: the log of what was sent, and what becomes of it. */
export interface WebhookDelivery {
  readonly id: string;
  readonly shopId: string;
  readonly webhookId: string;
  /** The header `webhook-id`: the same in every attempt and in every replay. */
  readonly eventId: string;
  readonly type: (typeof DELIVERED_EVENTS)[number];
  /** Deliveries with the same name are sent in their order; null: in any order. */
  readonly stream: string | null;
  /** The body of a `standard` webhook, as it is signed. */
  readonly body: string;
  readonly state: WebhookDeliveryState;
  /** The latest `MAX_TRIES_KEPT` tries. */
  readonly tries: readonly DeliveryTry[];
  /** How many tries have failed since it was written or replayed. */
  readonly failures: number;
  /** When the next attempt is due; null: as soon as possible, or never. */
  readonly nextTryAt: Date | null;
  readonly createdAt: Date;
}

/** A delivery as it is stored. */
export interface StoredWebhookDelivery extends WebhookDelivery {
  /** The latest message in the outbox that sends it. */
  readonly messageId: string;
}
