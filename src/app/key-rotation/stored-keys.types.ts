export const STORED_KEYS_COLLECTION = 'encryption_keys';

/** The encryption keys that are necessary to read the database. There is one such record. */
export interface StoredKeysRecord {
  _id: string;
  /** The ids of the keys (`keyId`). They reveal nothing about the keys. */
  keyIds: string[];
  /** When a process started last, or the keys changed: so a start and giving up a key write the same record, and do not miss each other. */
  changedAt: Date;
}
