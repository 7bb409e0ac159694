import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { WEBHOOK_FILTERS, WEBHOOK_FORMATS, type Webhook } from './webhook.types.js';

export const WEBHOOK_MODEL = 'Webhook';

export type WebhookRecord = Stored<Webhook, 'shopId'>;

export const webhookSchema = new Schema<WebhookRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    // AES-256-GCM, like the secrets below; the context is the webhook and the name of the value.
    sealedUrl: { type: String, required: true },
    events: { type: [String], enum: WEBHOOK_FILTERS, required: true },
    format: { type: String, enum: WEBHOOK_FORMATS, required: true },
    isActive: { type: Boolean, required: true },
    description: { type: String, default: null },
    sealedSecret: { type: String, required: true },
    sealedPreviousSecret: { type: String, default: null },
    previousSecretUntil: { type: Date, default: null },
    failingSince: { type: Date, default: null },
    disabledAt: { type: Date, default: null },
    createdAt: { type: Date, required: true, immutable: true },
    createdBy: { type: String, required: true, immutable: true },
  } satisfies SchemaFields<WebhookRecord>,
  { versionKey: false, collection: 'webhooks' },
);

// The webhooks of a shop, newest first (`list`), how many there are (`countAll`), and those that get an event
// (`filtersOf`, `listeningTo`).
webhookSchema.index({ shopId: 1, _id: -1 });
