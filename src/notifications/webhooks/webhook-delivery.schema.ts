import { Schema } from 'mongoose';
import { DAY_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import {
  DELIVERED_EVENTS,
  type WebhookAttempt,
  type StoredWebhookDelivery,
  WEBHOOK_DELIVERY_STATES,
} from './webhook-delivery.types.js';

export const WEBHOOK_DELIVERY_MODEL = 'WebhookDelivery';

/** How long a delivery can be read and replayed. */
const RETENTION_SECONDS = (30 * DAY_MS) / SECOND_MS;

export type WebhookDeliveryRecord = Stored<StoredWebhookDelivery, 'shopId' | 'webhookId' | 'messageId'>;

export const webhookDeliverySchema = new Schema<WebhookDeliveryRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    webhookId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    eventId: { type: String, required: true, immutable: true },
    type: { type: String, enum: DELIVERED_EVENTS, required: true, immutable: true },
    stream: { type: String, default: null },
    body: { type: String, required: true, immutable: true },
    state: { type: String, enum: WEBHOOK_DELIVERY_STATES, required: true },
    attempts: {
      type: [
        new Schema<WebhookAttempt>(
          {
            at: { type: Date, required: true },
            status: { type: Number, default: null },
            error: { type: String, default: null },
            durationMs: { type: Number, required: true },
            response: { type: String, default: null },
          } satisfies SchemaFields<WebhookAttempt>,
          { _id: false },
        ),
      ],
      required: true,
    },
    failures: { type: Number, required: true },
    nextAttemptAt: { type: Date, default: null },
    createdAt: { type: Date, required: true, immutable: true },
    messageId: { type: Schema.Types.ObjectId, required: true },
  } satisfies SchemaFields<WebhookDeliveryRecord>,
  { versionKey: false, collection: 'webhook_deliveries' },
);

// The deliveries of a webhook, newest first (`list`).
webhookDeliverySchema.index({ shopId: 1, webhookId: 1, _id: -1 });
// Those in a state (`list`), and among those that wait the one of a message (`findByMessage`, which is rare).
webhookDeliverySchema.index({ shopId: 1, webhookId: 1, state: 1, _id: -1 });
// Those of a time range, to replay them (`endedBetween`).
webhookDeliverySchema.index({ shopId: 1, webhookId: 1, createdAt: 1, _id: 1 });
// Deletes old deliveries.
webhookDeliverySchema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });
