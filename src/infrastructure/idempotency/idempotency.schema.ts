import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../database/stored.js';

export const IDEMPOTENCY_MODEL = 'IdempotencyRecord';

export interface IdempotencyRecord {
  _id: Types.ObjectId;
  /** SHA-256 of caller, path and key. */
  scope: string;
  /** SHA-256 of the body. */
  fingerprint: string;
  /** The id of what the request creates. */
  creationId: Types.ObjectId;
  /** The id of the encryption key that the secret of the creation is derived from. */
  keyId: string;
  /**
   * The data of the response, encrypted, because it may be only for its caller. Empty when it must not be stored; null while the
   * first request runs.
   */
  sealedAnswer: string | null;
  /** Until this time the first request counts as running. */
  leaseUntil: Date;
  expiresAt: Date;
}

export const idempotencySchema = new Schema<IdempotencyRecord>(
  {
    scope: { type: String, required: true, immutable: true },
    fingerprint: { type: String, required: true },
    creationId: { type: Schema.Types.ObjectId, required: true },
    keyId: { type: String, required: true },
    sealedAnswer: { type: String, default: null },
    leaseUntil: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  } satisfies SchemaFields<IdempotencyRecord>,
  { versionKey: false, collection: 'idempotency_records' },
);

// Finds the earlier request with a key. Of two parallel requests, only one can be the first.
idempotencySchema.index({ scope: 1 }, { unique: true });
// Only removes old records. An expired record that is still there is replaced.
idempotencySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
