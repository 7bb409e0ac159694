import { Schema, type Types } from 'mongoose';
import { type Language, LANGUAGES } from '../common/templates/languages.js';
import { type NicknamePreset, NICKNAME_PRESETS } from '../common/validation/nickname-rule.js';
import { type HostnameProof } from './shop-hostname.types.js';
import { OWNER_EMAILS, type OwnerEmail, type Shop, type Widget, WIDGETS } from './shop.types.js';

export const SHOP_MODEL = 'Shop';

export interface ShopRecord {
  _id: Types.ObjectId;
  uniqueName: string;
  displayName: string;
  currency: string;
  timezone: string;
  nicknameRule: { preset: NicknamePreset; pattern: string | null };
  language: Language;
  supportEmail: string | null;
  accentColor: string | null;
  ownerEmails: OwnerEmail[];
  widgets: Widget[];
  monthlyGoalMinor: number | null;
  isActive: boolean;
  domain: { hostname: string; token: string } | null;
  /** The hostname of a verified domain. Absent otherwise, so that a pending claim does not block other shops. */
  verifiedHostname?: string;
  /** Absent without a verified hostname. */
  proof?: HostnameProof;
  createdAt: Date;
  createdBy: string;
  /** null until the first change. */
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
    language: { type: String, enum: LANGUAGES, required: true },
    supportEmail: { type: String, default: null },
    accentColor: { type: String, default: null },
    ownerEmails: { type: [String], enum: OWNER_EMAILS, required: true },
    widgets: { type: [String], enum: WIDGETS, required: true },
    monthlyGoalMinor: { type: Number, default: null },
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
      type: new Schema<HostnameProof>(
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

// `findByUniqueName`: each name belongs to one shop.
shopSchema.index({ uniqueName: 1 }, { unique: true });
// `findByVerifiedHostname`: each verified hostname belongs to one shop.
shopSchema.index(
  { verifiedHostname: 1 },
  { unique: true, partialFilterExpression: { verifiedHostname: { $type: 'string' } } },
);
// `findDue`: the verified hostnames of all shops whose check is due.
shopSchema.index({ 'proof.checkAt': 1 }, { sparse: true });

/** The fields that a `Shop` is made of. */
export const SHOP_FIELDS = {
  uniqueName: 1,
  displayName: 1,
  currency: 1,
  timezone: 1,
  nicknameRule: 1,
  language: 1,
  supportEmail: 1,
  accentColor: 1,
  ownerEmails: 1,
  widgets: 1,
  monthlyGoalMinor: 1,
  isActive: 1,
  domain: 1,
  verifiedHostname: 1,
  proof: 1,
  createdAt: 1,
} as const;

export function toShop(record: Omit<ShopRecord, 'createdBy' | 'updatedAt' | 'updatedBy'>): Shop {
  const { _id, uniqueName, displayName, currency, timezone, nicknameRule, isActive, domain, proof, createdAt } = record;
  const { language, supportEmail, accentColor, ownerEmails, widgets, monthlyGoalMinor } = record;
  return {
    id: _id.toHexString(),
    uniqueName,
    displayName,
    currency,
    timezone,
    nicknameRule: { preset: nicknameRule.preset, pattern: nicknameRule.pattern },
    language,
    supportEmail,
    accentColor,
    ownerEmails: [...ownerEmails],
    widgets: [...widgets],
    monthlyGoalMinor,
    isActive,
    domain: domain && {
      hostname: domain.hostname,
      token: domain.token,
      status: record.verifiedHostname === domain.hostname ? 'verified' : 'pending',
    },
    verifiedHostname: record.verifiedHostname ?? null,
    proof: proof
      ? { token: proof.token, checkAt: proof.checkAt, misses: proof.misses, missingSince: proof.missingSince }
      : null,
    createdAt,
  };
}
