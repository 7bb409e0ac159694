import { Schema, type Types } from 'mongoose';

export const PAYMENT_PROVIDER_MODEL = 'PaymentProvider';

/** A shop's configuration of a payment provider as it is stored. */
export interface PaymentProviderRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  provider: string;
  enabled: boolean;
  credentialNames: string[];
  /** AES-256-GCM; the context is shop and provider. */
  sealedCredentials: string;
  /** SHA-256 of the webhook's path secret. */
  secretHash: string;
  previousSecretHash: string | null;
  previousSecretUntil: Date | null;
  configuredAt: Date;
  configuredBy: string;
}

export const paymentProviderSchema = new Schema<PaymentProviderRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true },
    provider: { type: String, required: true },
    enabled: { type: Boolean, required: true },
    credentialNames: { type: [String], required: true },
    sealedCredentials: { type: String, required: true },
    secretHash: { type: String, required: true },
    previousSecretHash: { type: String, default: null },
    previousSecretUntil: { type: Date, default: null },
    configuredAt: { type: Date, required: true },
    configuredBy: { type: String, required: true },
  },
  { versionKey: false, collection: 'payment_providers' },
);

// The webhook's look-up; the providers of a shop; one configuration a shop and provider.
paymentProviderSchema.index({ shopId: 1, provider: 1 }, { unique: true });
