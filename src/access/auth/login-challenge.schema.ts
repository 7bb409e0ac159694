import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const LOGIN_CHALLENGE_MODEL = 'LoginChallenge';

/** A login with the right password that waits for the second factor. */
export interface LoginChallengeRecord {
  _id: Types.ObjectId;
  /** SHA-256 of the token that the first step returned. */
  tokenHash: string;
  userId: Types.ObjectId;
  /** When the given password was set; null: at the registration. A later password change makes the login fail. */
  passwordChangedAt: Date | null;
  expiresAt: Date;
}

export const loginChallengeSchema = new Schema<LoginChallengeRecord>(
  {
    tokenHash: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    passwordChangedAt: { type: Date, default: null },
    expiresAt: { type: Date, required: true },
  } satisfies SchemaFields<LoginChallengeRecord>,
  { versionKey: false, collection: 'login_challenges' },
);

// The token that the second step sends.
loginChallengeSchema.index({ tokenHash: 1 }, { unique: true });
// Deletes expired logins. Every query checks `expiresAt` itself.
loginChallengeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
