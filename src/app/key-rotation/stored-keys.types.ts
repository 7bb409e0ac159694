export const STORED_KEYS_COLLECTION = 'encryption_keys';

/** The encryption keys that are necessary to read the database. There is one such record. */
export interface StoredKeysRecord {
  _id: string;
  /** The ids of the keys (`keyId`). They reveal nothing about the keys. */
  keyIds: string[];
}
