import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const SECOND_FACTOR_MODEL = 'SecondFactor';

export interface SecondFactorRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  /** The shared secret, encrypted and bound to the person. */
  sealedSecret: string;
  /** null: it still waits for its first code. */
  enabledAt: Date | null;
  /** Until when it waits for its first code; null once it is on. */
  pendingUntil: Date | null;
  /** The keyed hash of the code that was sent to the address of the person; null: the address was proven already. */
  emailCodeHash: string | null;
  lastStep: number;
  /** Keyed hashes of the recovery codes that are not used yet. */
  recoveryHashes: string[];
  /** The key of the hashes, encrypted and bound to the person. null: it still waits for its first code. */
  sealedRecoveryKey: string | null;
}

export const secondFactorSchema = new Schema<SecondFactorRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    sealedSecret: { type: String, required: true },
    enabledAt: { type: Date, default: null },
    pendingUntil: { type: Date, default: null },
    emailCodeHash: { type: String, default: null },
    lastStep: { type: Number, required: true },
    recoveryHashes: { type: [String], required: true },
    sealedRecoveryKey: { type: String, default: null },
  } satisfies SchemaFields<SecondFactorRecord>,
  { versionKey: false, collection: 'second_factors' },
);

// The second factor of a person; at most one.
secondFactorSchema.index({ userId: 1 }, { unique: true });
// Deletes setups that nobody confirmed. Every query checks `pendingUntil` itself.
secondFactorSchema.index({ pendingUntil: 1 }, { expireAfterSeconds: 0 });
