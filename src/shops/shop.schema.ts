import { Schema, type Types } from 'mongoose';
import { type NicknamePreset, NICKNAME_PRESETS } from '../common/validation/nickname-rule.js';

export const SHOP_MODEL = 'Shop';

/** The proof of a verified hostname, and when it is looked at again. */
export interface DomainProofRecord {
  token: string;
  /** When the TXT record is due; moved ahead by the process that looks, so that no other one does. */
  checkAt: Date;
  /** How often in a row the record was definitely not there. */
  misses: number;
  missingSince: Date | null;
}

export interface ShopRecord {
  _id: Types.ObjectId;
  uniqueName: string;
  displayName: string;
  currency: string;
  timezone: string;
  nicknameRule: { preset: NicknamePreset; pattern: string | null };
  isActive: boolean;
  domain: { hostname: string; token: string } | null;
  /** The hostname of a verified domain; absent otherwise, so that pending claims don't keep others out. */
  verifiedHostname?: string;
  /** Absent without a verified hostname, and where nobody has to prove it (the demo shop). */
  proof?: DomainProofRecord;
  createdAt: Date;
  createdBy: string;
  /** Null until the first change. */
  updatedAt: Date | null;
  updatedBy: string | null;
}

export const shopSchema = new Schema<ShopRecord>(
  {
    uniqueName: { type: String, required: true },
    displayName: { type: String, required: true },
    currency: { type: String, required: true },
    timezone: { type: String, required: true },
    nicknameRule: {
      type: new Schema(
        {
          preset: { type: String, enum: NICKNAME_PRESETS, required: true },
          pattern: { type: String, default: null },
        },
        { _id: false },
      ),
      required: true,
    },
    isActive: { type: Boolean, required: true },
    domain: {
      type: new Schema(
        { hostname: { type: String, required: true }, token: { type: String, required: true } },
        { _id: false },
      ),
      default: null,
    },
    verifiedHostname: { type: String },
    proof: {
      type: new Schema<DomainProofRecord>(
        {
          token: { type: String, required: true },
          checkAt: { type: Date, required: true },
          misses: { type: Number, required: true },
          missingSince: { type: Date, default: null },
        },
        { _id: false },
      ),
    },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
    updatedAt: { type: Date, default: null },
    updatedBy: { type: String, default: null },
  },
  { versionKey: false, collection: 'shops' },
);

// One shop a name; storefronts look shops up by it.
shopSchema.index({ uniqueName: 1 }, { unique: true });
// One holder a verified hostname; storefronts look shops up by it.
shopSchema.index(
  { verifiedHostname: 1 },
  { unique: true, partialFilterExpression: { verifiedHostname: { $type: 'string' } } },
);
// The proofs that are due for another look, of all shops.
shopSchema.index({ 'proof.checkAt': 1 }, { sparse: true });
