import { Schema } from 'mongoose';
import { PROVIDER_FAILURES } from '../../domain/payments/provider-problems.js';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';

export const PAYMENT_PROVIDER_MODEL = 'PaymentProvider';

export type PaymentProviderRecord = Stored<PaymentConfiguration, 'shopId'>;

export const paymentProviderSchema = new Schema<PaymentProviderRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    provider: { type: String, required: true, immutable: true },
    enabled: { type: Boolean, required: true },
    credentialNames: { type: [String], required: true },
    // AES-256-GCM; the context is shop and provider.
    sealedCredentials: { type: String, required: true },
    // Some providers receive the webhook's URL with each payment.
    sealedWebhookSecret: { type: String, required: true },
    // SHA-256 of the webhook's path secret.
    secretHash: { type: String, required: true },
    previousSecretUntil: { type: Date, default: null },
    formerSecretHashes: { type: [String], default: [] },
    registeringUntil: { type: Date, default: null },
    configuredAt: { type: Date, required: true },
    configuredBy: { type: String, required: true },
    checkedAt: { type: Date, default: null },
    webhookRegistered: { type: Boolean, default: null },
    lastEventAt: { type: Date, default: null },
    lastRejectedAt: { type: Date, default: null },
    lastRejection: { type: String, default: null },
    rejectingSince: { type: Date, default: null },
    rejectionPublishedAt: { type: Date, default: null },
    failure: { type: String, enum: PROVIDER_FAILURES, default: null },
    lastError: { type: String, default: null },
    failingSince: { type: Date, default: null },
    failurePublishedAt: { type: Date, default: null },
    unappliedPublishedAt: { type: Date, default: null },
  } satisfies SchemaFields<PaymentProviderRecord>,
  { versionKey: false, collection: 'payment_providers' },
);

// The webhook's look-up; the providers of a shop; one configuration for each shop and provider.
paymentProviderSchema.index({ shopId: 1, provider: 1 }, { unique: true });
