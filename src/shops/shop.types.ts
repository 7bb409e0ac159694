import { type NicknameRule } from '../common/validation/nickname-rule.js';

/** A claim on a hostname: pending until its TXT record is seen. */
export interface ShopDomain {
  readonly hostname: string;
  readonly status: 'pending' | 'verified';
  /** The value that the TXT record must have. */
  readonly token: string;
}

export interface Shop {
  readonly id: string;
  readonly uniqueName: string;
  readonly displayName: string;
  /** ISO 4217. */
  readonly currency: string;
  /** IANA time zone. */
  readonly timezone: string;
  readonly nicknameRule: NicknameRule;
  readonly isActive: boolean;
  /** The claim that was made last. */
  readonly domain: ShopDomain | null;
  /** The hostname that buyers use; another claim changes it only once it is verified. */
  readonly verifiedHostname: string | null;
  readonly createdAt: Date;
}
