import { type NicknameRule } from '../common/validation/nickname-rule.js';

/** A claim on a hostname: pending until its TXT record is seen. */
export interface ShopDomain {
  readonly hostname: string;
  readonly status: 'pending' | 'verified';
  /** The value that the TXT record must have. */
  readonly token: string;
}

/** What keeps a verified hostname: its TXT record, which is looked at again and again. */
export interface DomainProof {
  /** The value that the TXT record must have; that of the claim that was verified, not of a later one. */
  readonly token: string;
  /** Since when the record is gone, as far as we looked; null while it is there. */
  readonly missingSince: Date | null;
}

/** What an owner may change of a shop at any time. */
export interface ShopSettings {
  readonly displayName: string;
  /** IANA time zone. */
  readonly timezone: string;
  readonly nicknameRule: NicknameRule;
}

export interface Shop extends ShopSettings {
  readonly id: string;
  readonly uniqueName: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly isActive: boolean;
  /** The claim that was made last. */
  readonly domain: ShopDomain | null;
  /** The hostname that buyers use; another claim changes it only once it is verified. */
  readonly verifiedHostname: string | null;
  /** Null without a verified hostname, and for one that nobody has to prove (the demo shop's). */
  readonly proof: DomainProof | null;
  readonly createdAt: Date;
}

/** When a shop was changed last, and by whom. */
export interface ShopStamp {
  readonly updatedAt: Date;
  readonly updatedBy: string;
}
