import { Schema } from 'mongoose';
import { type SchemaFields } from '../database/stored.js';

export const QUOTA_CLAIM_MODEL = 'QuotaClaim';

/**
 * One document for each quota of a person or a shop, and for the limits of a buyer, which every transaction that counts against the quota writes. Without
 * it, two transactions could both count one slot as free and then insert different records, so both would commit (write
 * skew). With it, they conflict.
 */
export interface QuotaClaimRecord {
  /** As `lockOn` returns it. */
  _id: string;
  revision: number;
  /** When it can be deleted; null: never. There can be as many buyers as anybody likes. */
  expiresAt: Date | null;
}

export const quotaClaimSchema = new Schema<QuotaClaimRecord>(
  {
    _id: { type: String, required: true },
    revision: { type: Number, required: true },
    expiresAt: { type: Date, default: null },
  } satisfies SchemaFields<QuotaClaimRecord>,
  { versionKey: false, collection: 'quota_claims' },
);

// Deletes the claims of buyers.
quotaClaimSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
