import { Schema, type Types } from 'mongoose';

export const IDEMPOTENCY_MODEL = 'IdempotencyRecord';

export interface IdempotencyRecord {
  _id: Types.ObjectId;
  /** SHA-256 of caller, path and key. */
  scope: string;
  /** SHA-256 of the body. */
  fingerprint: string;
  /** The id of what the request creates. */
  creationId: Types.ObjectId;
  /**
   * The answer's data, sealed: it may show what is for its caller alone. Empty where it was not to be kept; null while the first
   * request runs.
   */
  sealedAnswer: string | null;
  /** Until when the first request is taken to be running. */
  leaseUntil: Date;
  expiresAt: Date;
}

export const idempotencySchema = new Schema<IdempotencyRecord>(
  {
    scope: { type: String, required: true },
    fingerprint: { type: String, required: true },
    creationId: { type: Schema.Types.ObjectId, required: true },
    sealedAnswer: { type: String, default: null },
    leaseUntil: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'idempotency_records' },
);

// The earlier request with a key; of two at once only one can be the first.
idempotencySchema.index({ scope: 1 }, { unique: true });
// Garbage collection only: what is over is taken over before that.
idempotencySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
