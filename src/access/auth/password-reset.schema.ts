import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const PASSWORD_RESET_MODEL = 'PasswordReset';

export interface PasswordResetRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  /** SHA-256 of the token in the email. */
  tokenHash: string;
  expiresAt: Date;
}

export const passwordResetSchema = new Schema<PasswordResetRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    tokenHash: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  } satisfies SchemaFields<PasswordResetRecord>,
  { versionKey: false, collection: 'password_resets' },
);

// One per person: a new one replaces the old one.
passwordResetSchema.index({ userId: 1 }, { unique: true });
// The token that a person sends.
passwordResetSchema.index({ tokenHash: 1 }, { unique: true });
// Deletes expired tokens. Every query checks `expiresAt` itself.
passwordResetSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
