import { Schema } from 'mongoose';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { NICKNAME_PRESETS, type NicknameRule } from '../../domain/buyers/nickname-rule.js';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { CONSENT_KINDS, type RequiredConsent } from '../consents/consent.types.js';
import { type HostnameClaim, type HostnameProof } from './shop-hostname.types.js';
import {
  type LegalPage,
  type LegalPages,
  OWNER_EMAILS,
  PRICE_RULES,
  type PriceRule,
  type Seller,
  type WholeShop,
  WIDGETS,
} from './shop.types.js';
import { FONTS, type Hero, MODES, type Notice, PAGE_PARTS, type ShopLink, type Theme } from './storefront.types.js';

export const SHOP_MODEL = 'Shop';

export type ShopRecord = Stored<
  Omit<WholeShop, 'domain' | 'verifiedHostname' | 'proof' | 'consents' | 'catalogueRevision' | 'priceRule'>,
  never
> & {
  domain: HostnameClaim | null;
  /** The hostname of a verified domain. Absent otherwise, so that a pending claim does not block other shops. */
  verifiedHostname?: string;
  /** Absent without a verified hostname. */
  proof?: HostnameProof;
  /** Absent in shops from before there was one: `none`. */
  priceRule?: PriceRule;
  /** Absent until the shop has required one. */
  consents?: RequiredConsent[];
  /** Absent until something is sold. */
  catalogueRevision?: string;
};

const linkSchema = new Schema<ShopLink>(
  {
    label: { type: String, required: true },
    url: { type: String, required: true },
  } satisfies SchemaFields<ShopLink>,
  { _id: false },
);

const legalPage = {
  type: new Schema<LegalPage>(
    {
      text: { type: String, default: null },
      url: { type: String, default: null },
    } satisfies SchemaFields<LegalPage>,
    { _id: false },
  ),
  default: null,
};

export const shopSchema = new Schema<ShopRecord>(
  {
    uniqueName: { type: String, required: true, immutable: true },
    displayName: { type: String, required: true },
    currency: { type: String, required: true, immutable: true },
    timezone: { type: String, required: true },
    nicknameRule: {
      type: new Schema<NicknameRule>(
        {
          preset: { type: String, enum: NICKNAME_PRESETS, required: true },
          pattern: { type: String, default: null },
        } satisfies SchemaFields<NicknameRule>,
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
    priceRule: { type: String, enum: PRICE_RULES },
    logoUrl: { type: String, default: null },
    logoId: { type: String, default: null },
    lang: { type: String, default: null },
    theme: {
      type: new Schema<Theme>(
        {
          font: { type: String, enum: FONTS, required: true },
          mode: { type: String, enum: MODES, required: true },
        } satisfies SchemaFields<Theme>,
        { _id: false },
      ),
      required: true,
    },
    links: { type: [linkSchema], required: true },
    hero: {
      type: new Schema<Hero>(
        {
          title: { type: String, default: null },
          text: { type: String, default: null },
          imageId: { type: String, default: null },
          links: { type: [linkSchema], required: true },
        } satisfies SchemaFields<Hero>,
        { _id: false },
      ),
      required: true,
    },
    notice: {
      type: new Schema<Notice>(
        {
          text: { type: String, required: true },
          label: { type: String, default: null },
          url: { type: String, default: null },
        } satisfies SchemaFields<Notice>,
        { _id: false },
      ),
      default: null,
    },
    goalText: { type: String, default: null },
    parts: { type: [String], enum: PAGE_PARTS, required: true },
    closedText: { type: String, default: null },
    origins: { type: [String], required: true },
    seller: {
      type: new Schema<Seller>(
        {
          sellerName: { type: String, default: null },
          address: { type: String, default: null },
          vatId: { type: String, default: null },
          taxNote: { type: String, default: null },
          disclaimer: { type: String, default: null },
        } satisfies SchemaFields<Seller>,
        { _id: false },
      ),
      required: true,
    },
    legalPages: {
      type: new Schema<LegalPages>(
        {
          imprint: legalPage,
          terms: legalPage,
          privacy: legalPage,
          withdrawal: legalPage,
        } satisfies SchemaFields<LegalPages>,
        { _id: false },
      ),
      required: true,
    },
    isActive: { type: Boolean, required: true },
    domain: {
      type: new Schema<HostnameClaim>(
        {
          hostname: { type: String, required: true },
          token: { type: String, required: true },
        } satisfies SchemaFields<HostnameClaim>,
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
        } satisfies SchemaFields<HostnameProof>,
        { _id: false },
      ),
    },
    consents: {
      type: [
        new Schema<RequiredConsent>(
          {
            kind: { type: String, enum: CONSENT_KINDS, required: true },
            version: { type: Number, required: true },
            hash: { type: String, required: true },
            statement: { type: String, required: true },
          } satisfies SchemaFields<RequiredConsent>,
          { _id: false },
        ),
      ],
      default: undefined,
    },
    catalogueRevision: { type: String },
    createdAt: { type: Date, required: true, immutable: true },
    createdBy: { type: String, required: true, immutable: true },
    updatedAt: { type: Date, default: null },
    updatedBy: { type: String, default: null },
  } satisfies SchemaFields<ShopRecord>,
  { versionKey: false, collection: 'shops' },
);

// `findByUniqueName`: each name belongs to one shop.
shopSchema.index({ uniqueName: 1 }, { unique: true });
// `findByVerifiedHostname`: each verified hostname belongs to one shop.
shopSchema.index(
  { verifiedHostname: 1 },
  { unique: true, partialFilterExpression: { verifiedHostname: { $type: 'string' } } },
);
// `isOrigin`: whether a shop lists the origin of a browser.
shopSchema.index({ origins: 1 });
// `findDue`: the verified hostnames of all shops whose check is due.
shopSchema.index({ 'proof.checkAt': 1 }, { sparse: true });
