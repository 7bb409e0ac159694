import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { ATTEMPT_RESULTS, type DeliveryAttempt } from './delivery.types.js';

export const DELIVERY_ATTEMPT_MODEL = 'DeliveryAttempt';

export type DeliveryAttemptRecord = Stored<DeliveryAttempt, 'shopId' | 'deliveryId' | 'serverId'>;

export const deliveryAttemptSchema = new Schema<DeliveryAttemptRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    deliveryId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    attempt: { type: Number, required: true, immutable: true },
    serverId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    nickname: { type: String, required: true },
    leasedBy: { type: String, required: true },
    leasedAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
    result: { type: String, enum: ATTEMPT_RESULTS, default: null },
    output: { type: String, default: null },
    acknowledgedAt: { type: Date, default: null },
  } satisfies SchemaFields<DeliveryAttemptRecord>,
  { versionKey: false, collection: 'delivery_attempts' },
);

// The attempts of a delivery. An attempt number is given once.
deliveryAttemptSchema.index({ shopId: 1, deliveryId: 1, attempt: 1 }, { unique: true });
