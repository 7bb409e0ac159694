import { Schema } from 'mongoose';

export const STORED_KEYS_MODEL = 'StoredKeys';

/** The encryption keys that are necessary to read the database. There is one such record. */
export interface StoredKeysRecord {
  _id: string;
  /** The ids of the keys (`keyId`). They reveal nothing about the keys. */
  keyIds: string[];
}

export const storedKeysSchema = new Schema<StoredKeysRecord>(
  { _id: { type: String, required: true }, keyIds: { type: [String], required: true } },
  { versionKey: false, collection: 'encryption_keys' },
);
