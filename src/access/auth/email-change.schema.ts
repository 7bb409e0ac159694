import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const EMAIL_CHANGE_MODEL = 'EmailChange';

export interface EmailChangeRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  /** The new address, in lower case. */
  email: string;
  /** When the password was set that the person gave; null: at the registration. */
  passwordChangedAt: Date | null;
  /** SHA-256 of the token in the email to the new address. */
  tokenHash: string;
  expiresAt: Date;
}

export const emailChangeSchema = new Schema<EmailChangeRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    email: { type: String, required: true },
    passwordChangedAt: { type: Date, default: null },
    tokenHash: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  } satisfies SchemaFields<EmailChangeRecord>,
  { versionKey: false, collection: 'email_changes' },
);

// One per person: a new one replaces the old one.
emailChangeSchema.index({ userId: 1 }, { unique: true });
// The token that a person sends.
emailChangeSchema.index({ tokenHash: 1 }, { unique: true });
// Deletes expired changes. Every query checks `expiresAt` itself.
emailChangeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
