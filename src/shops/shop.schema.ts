import { Schema, type Types } from 'mongoose';
import { type NicknamePreset, NICKNAME_PRESETS } from '../common/validation/nickname-rule.js';

export const SHOP_MODEL = 'Shop';

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
  createdAt: Date;
  createdBy: string;
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
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
  },
  { versionKey: false, collection: 'shops' },
);

// One shop a name; storefronts look shops up by it.
shopSchema.index({ uniqueName: 1 }, { unique: true });
// One holder a verified hostname.
shopSchema.index(
  { verifiedHostname: 1 },
  { unique: true, partialFilterExpression: { verifiedHostname: { $type: 'string' } } },
);
