import { Schema } from 'mongoose';
import { ALL_PERMISSIONS } from '../../domain/principal/permissions.js';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type ApiKey, API_KEY_TYPES } from './api-key.types.js';

export const API_KEY_MODEL = 'ApiKey';

/** `isActive` is not stored: it depends on the time. */
export type ApiKeyRecord = Stored<Omit<ApiKey, 'isActive'>, 'shopId' | 'userId' | 'serverIds' | 'rotationId'> & {
  /**
   * SHA-256 of the secrets, the newest first: one, or two after a rotation with a grace. A plain hash is enough for 178
   * random bits. One list, so that one unique index finds a key by each of them.
   */
  hashes: string[];
};

export const apiKeySchema = new Schema<ApiKeyRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    userId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    name: { type: String, required: true },
    type: { type: String, enum: API_KEY_TYPES, required: true, immutable: true },
    scopes: { type: [String], enum: ALL_PERMISSIONS, required: true },
    serverIds: { type: [Schema.Types.ObjectId], default: null },
    ipAllowlist: { type: [String], default: null },
    hashes: { type: [String], required: true },
    previousKeyExpiresAt: { type: Date, default: null },
    preview: { type: String, required: true },
    createdAt: { type: Date, required: true, immutable: true },
    expiresAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
    rotatedAt: { type: Date, default: null },
    rotationId: { type: Schema.Types.ObjectId, default: null },
    lastUsedAt: { type: Date, default: null },
  } satisfies SchemaFields<ApiKeyRecord>,
  { versionKey: false, collection: 'api_keys' },
);

// The key of a request, by one of its secrets.
apiKeySchema.index({ hashes: 1 }, { unique: true });
// The keys of a person, newest first.
apiKeySchema.index({ userId: 1, _id: -1 });
// The keys of a shop, newest first.
apiKeySchema.index({ shopId: 1, _id: -1 });
// How many keys a person and a shop have (`countActive`).
apiKeySchema.index({ userId: 1, revokedAt: 1 });
apiKeySchema.index({ shopId: 1, revokedAt: 1 });
