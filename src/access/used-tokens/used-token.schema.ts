import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const USED_TOKEN_MODEL = 'UsedToken';

/** What a form was sent with, for the minute in which it can be sent again. */
export interface UsedTokenRecord {
  /** `usedTokenId` of the token and the content. */
  _id: string;
  /** The person who sent it. */
  userId: Types.ObjectId;
  /** The shop that it was about; null: none. */
  shopId: Types.ObjectId | null;
  expiresAt: Date;
}

export const usedTokenSchema = new Schema<UsedTokenRecord>(
  {
    _id: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    shopId: { type: Schema.Types.ObjectId, default: null },
    expiresAt: { type: Date, required: true },
  } satisfies SchemaFields<UsedTokenRecord>,
  { versionKey: false, collection: 'used_tokens' },
);

// Deletes old records. Every query checks `expiresAt` itself.
usedTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
