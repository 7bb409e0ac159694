import { Schema } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { STORED_KEYS_COLLECTION, type StoredKeysRecord } from './stored-keys.types.js';

export const STORED_KEYS_MODEL = 'StoredKeys';

export const storedKeysSchema = new Schema<StoredKeysRecord>(
  {
    _id: { type: String, required: true },
    keyIds: { type: [String], required: true },
    changedAt: { type: Date, required: true },
  } satisfies SchemaFields<StoredKeysRecord>,
  { versionKey: false, collection: STORED_KEYS_COLLECTION },
);
