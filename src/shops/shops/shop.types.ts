import { type AuthContext } from '../../domain/principal/auth-context.js';
import { type Role } from '../../domain/principal/permissions.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { type RequiredConsent } from '../consents/consent.types.js';
import { type Language } from '../../lib/formats/languages.js';
import { type NicknameRule } from '../../domain/buyers/nickname-rule.js';
import { type StorefrontSettings } from './storefront.types.js';
import { type HostnameProof } from './shop-hostname.types.js';

/** The claim of a shop on a hostname: pending until its TXT record is verified. */
export interface ShopDomain {
  readonly hostname: string;
  readonly status: 'pending' | 'verified';
  /** The value that the TXT record must contain. */
  readonly token: string;
}

/**
 * What owners of a shop can get emails about: a paid order, a disputed payment, a delivery that failed, a game server
 * that does not report.
 */
export const OWNER_EMAILS = ['sale', 'dispute', 'delivery_failed', 'server_offline'] as const;
export type OwnerEmail = (typeof OWNER_EMAILS)[number];

/** What everybody may see of the sales of a shop, for the start page of its front end. */
export const WIDGETS = ['recent_purchases', 'top_buyers', 'monthly_goal'] as const;
export type Widget = (typeof WIDGETS)[number];

/** Who sells, for the foot of pages and for receipts. */
export interface Seller {
  readonly sellerName: string | null;
  /** Several lines. */
  readonly address: string | null;
  readonly vatId: string | null;
  /** How prices relate to taxes, such as "Prices include VAT". */
  readonly taxNote: string | null;
  /** What the shop is not, such as affiliated with the maker of a game. */
  readonly disclaimer: string | null;
}

/**
 * What laws say about reductions where the shop sells. `eu`: the only price that is shown beside a lower one is one that everybody has paid
 * (directive 98/6/EC, article 6a), so a product has no `compareAtPrice`. `none`: it may have one.
 */
export const PRICE_RULES = ['eu', 'none'] as const;
export type PriceRule = (typeof PRICE_RULES)[number];

export const LEGAL_PAGES = ['imprint', 'terms', 'privacy', 'withdrawal'] as const;
export type LegalPageName = (typeof LEGAL_PAGES)[number];

/** A page that laws require: a text (small Markdown) that the storefront shows, or a page elsewhere. One of the two is null. */
export interface LegalPage {
  readonly text: string | null;
  readonly url: string | null;
}

export type LegalPages = { readonly [Name in LegalPageName]: LegalPage | null };

/** The settings that an owner can change at any time. */
export interface ShopSettings extends StorefrontSettings {
  readonly displayName: string;
  /** IANA time zone. */
  readonly timezone: string;
  readonly nicknameRule: NicknameRule;
  /** Of emails, and of pages for readers who request none. */
  readonly language: Language;
  /** Where buyers get help. */
  readonly supportEmail: string | null;
  /** `#` and six hexadecimal digits; null: the usual colour. */
  readonly accentColor: string | null;
  /** Which of these emails the owners get. */
  readonly ownerEmails: readonly OwnerEmail[];
  /** Which of these everybody may read. */
  readonly widgets: readonly Widget[];
  /** The net revenue that the shop wants to reach in a month; null: it has no goal. */
  readonly monthlyGoalMinor: MinorUnits | null;
  readonly priceRule: PriceRule;
  readonly seller: Seller;
}

/** A shop as nearly every feature needs it: without the texts of its legal pages, which may be long. */
export interface Shop extends ShopSettings {
  readonly id: string;
  readonly uniqueName: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly isActive: boolean;
  /** The latest claim. */
  readonly domain: ShopDomain | null;
  /** The hostname that buyers use. Another claim changes it only when it is verified. */
  readonly verifiedHostname: string | null;
  /** The proof of the verified hostname, with the token of the claim that was verified; null without one. */
  readonly proof: HostnameProof | null;
  /** What a buyer must agree to. */
  readonly consents: readonly RequiredConsent[];
  /** Another one after each change of what the shop sells; null before the first. */
  readonly catalogueRevision: string | null;
  readonly createdAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly createdBy: string;
  /** null until the first change. */
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
}

/** A shop as a member of its team has it. */
export interface OwnShop extends Shop {
  readonly role: Role;
}

/** A shop with all that it has. */
export interface WholeShop extends Shop {
  readonly legalPages: LegalPages;
}

/** When a shop was last changed, and by whom. */
export interface ShopStamp {
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** The stamp of a change that a caller makes now. */
export function stampOf({ principal }: Pick<AuthContext, 'principal'>): ShopStamp {
  return { updatedAt: new Date(), updatedBy: principal };
}
