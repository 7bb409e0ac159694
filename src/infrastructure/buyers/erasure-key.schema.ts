import { Schema } from 'mongoose';
import { type SchemaFields } from '../database/stored.js';

export const ERASURE_KEY_MODEL = 'ErasureKey';

/** A key of the hashes that replace the identity of erased buyers, encrypted. */
export interface ErasureKeyRecord {
  /** The id of the encryption key that was configured when it was made: so processes that start at once make the same one. */
  _id: string;
  sealedKey: string;
}

export const erasureKeySchema = new Schema<ErasureKeyRecord>(
  {
    _id: { type: String, required: true },
    sealedKey: { type: String, required: true },
  } satisfies SchemaFields<ErasureKeyRecord>,
  { versionKey: false, collection: 'erasure_keys' },
);
