import { Schema, type Types } from 'mongoose';

export const LOGIN_CHALLENGE_MODEL = 'LoginChallenge';

/** A login whose password was right and whose second factor is waited for. */
export interface LoginChallengeRecord {
  _id: Types.ObjectId;
  /** SHA-256 of the token that the first step answered. */
  tokenHash: string;
  userId: Types.ObjectId;
  /** Since when the proved password is the right one: a change of it ends the login. */
  passwordChangedAt: Date | null;
  expiresAt: Date;
}

export const loginChallengeSchema = new Schema<LoginChallengeRecord>(
  {
    tokenHash: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    passwordChangedAt: { type: Date, default: null },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'login_challenges' },
);

// The token that the second step presents.
loginChallengeSchema.index({ tokenHash: 1 }, { unique: true });
// Garbage collection only: every query checks `expiresAt` itself.
loginChallengeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
