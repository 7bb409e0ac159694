import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const SESSION_MODEL = 'Session';
export const REFRESH_TOKEN_MODEL = 'RefreshToken';

export interface SessionRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  /** The time of the latest refresh; null before the first. */
  lastUsedAt: Date | null;
  /** The start of the client's `User-Agent` at the login; null when it sent none. */
  device: string | null;
}

export interface RefreshTokenRecord {
  _id: Types.ObjectId;
  /** SHA-256 of the token. */
  hash: string;
  sessionId: Types.ObjectId;
  expiresAt: Date;
  usedAt: Date | null;
}

export const sessionSchema = new Schema<SessionRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    createdAt: { type: Date, required: true, immutable: true },
    expiresAt: { type: Date, required: true },
    revokedAt: { type: Date, default: null },
    lastUsedAt: { type: Date, default: null },
    device: { type: String, default: null },
  } satisfies SchemaFields<SessionRecord>,
  { versionKey: false, collection: 'sessions' },
);

// The sessions of a person, newest first.
sessionSchema.index({ userId: 1, _id: -1 });
// Deletes expired sessions. Every query checks `expiresAt` itself.
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const refreshTokenSchema = new Schema<RefreshTokenRecord>(
  {
    hash: { type: String, required: true, immutable: true },
    sessionId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    expiresAt: { type: Date, required: true },
    usedAt: { type: Date, default: null },
  } satisfies SchemaFields<RefreshTokenRecord>,
  { versionKey: false, collection: 'refresh_tokens' },
);

// The token that a client sends.
refreshTokenSchema.index({ hash: 1 }, { unique: true });
// Deletes expired tokens. Used tokens stay until they expire, so that a second use is recognised.
refreshTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
