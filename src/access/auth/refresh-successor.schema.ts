import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const REFRESH_SUCCESSOR_MODEL = 'RefreshSuccessor';

/** The tokens that a client got for a refresh token, for a repetition of its request. */
export interface RefreshSuccessorRecord {
  _id: Types.ObjectId;
  /** SHA-256 of the refresh token that was used. */
  usedHash: string;
  /** The new tokens, encrypted with a key that is derived from the used one: only whoever sends that can read them. */
  sealedTokens: string;
  /** When the tokens were first requested again; null: not yet. */
  repeatedAt: Date | null;
  /** When a repetition no longer gets them, and the database deletes them. */
  expiresAt: Date;
}

export const refreshSuccessorSchema = new Schema<RefreshSuccessorRecord>(
  {
    usedHash: { type: String, required: true, immutable: true },
    sealedTokens: { type: String, required: true, immutable: true },
    repeatedAt: { type: Date, default: null },
    expiresAt: { type: Date, required: true, immutable: true },
  } satisfies SchemaFields<RefreshSuccessorRecord>,
  { versionKey: false, collection: 'refresh_successors' },
);

// The token that a client sends again. Unique: a token is used once.
refreshSuccessorSchema.index({ usedHash: 1 }, { unique: true });
// Deletes them. Every query checks `expiresAt` itself.
refreshSuccessorSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
