import { Schema, type Types } from 'mongoose';
import { type Permission } from '../common/auth/permissions.js';
import { API_KEY_TYPES, type ApiKeyType } from './api-key.types.js';

export const API_KEY_MODEL = 'ApiKey';

export interface ApiKeyRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  userId: Types.ObjectId;
  name: string;
  type: ApiKeyType;
  scopes: Permission[];
  /** SHA-256 of the key: enough for 178 random bits. */
  hash: string;
  preview: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

export const apiKeySchema = new Schema<ApiKeyRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    type: { type: String, enum: API_KEY_TYPES, required: true },
    scopes: { type: [String], required: true },
    hash: { type: String, required: true },
    preview: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
    lastUsedAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'api_keys' },
);

// The key of a request.
apiKeySchema.index({ hash: 1 }, { unique: true });
// A person's keys, newest first.
apiKeySchema.index({ userId: 1, _id: -1 });
