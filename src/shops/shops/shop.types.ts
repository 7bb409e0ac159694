import { type AuthContext } from '../../domain/principal/auth-context.js';
import { type Role } from '../../domain/principal/permissions.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { type Language } from '../../lib/formats/languages.js';
import { type NicknameRule } from '../../domain/buyers/nickname-rule.js';
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

/** The settings that an owner can change at any time. */
export interface ShopSettings {
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
}

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

/** When a shop was last changed, and by whom. */
export interface ShopStamp {
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** The stamp of a change that a caller makes now. */
export function stampOf({ principal }: Pick<AuthContext, 'principal'>): ShopStamp {
  return { updatedAt: new Date(), updatedBy: principal };
}
