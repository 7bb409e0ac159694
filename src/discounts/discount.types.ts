import { type MinorUnits } from '../common/money/money.js';

export const DISCOUNT_TYPES = ['percent', 'fixed'] as const;
export type DiscountType = (typeof DISCOUNT_TYPES)[number];

export interface Discount {
  readonly id: string;
  readonly shopId: string;
  /** Upper case: codes are compared without case. */
  readonly code: string;
  readonly type: DiscountType;
  /** Percent (up to two decimals), or minor units of `currency`. */
  readonly value: number;
  readonly currency: string;
  readonly maxDiscountMinor: MinorUnits | null;
  readonly minOrderMinor: MinorUnits | null;
  /** null: every product. */
  readonly productIds: readonly string[] | null;
  /** null: every server. */
  readonly serverIds: readonly string[] | null;
  readonly maxUses: number | null;
  readonly maxUsesPerBuyer: number | null;
  readonly firstPurchaseOnly: boolean;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly isActive: boolean;
  /** Uses that are reserved or redeemed. */
  readonly used: number;
  readonly createdAt: Date;
}

/** Why a code does not apply. */
export const DISCOUNT_REASONS = [
  'code_not_found',
  'code_disabled',
  'not_started',
  'expired',
  'usage_limit_reached',
  'buyer_limit_reached',
  'min_order_not_met',
  'product_not_eligible',
  'server_not_eligible',
  'product_required',
  'server_required',
  'first_purchase_only',
] as const;
export type DiscountReasonCode = (typeof DISCOUNT_REASONS)[number];

export interface DiscountReason {
  readonly code: DiscountReasonCode;
  readonly message: string;
  readonly startsAt?: Date;
  readonly endsAt?: Date;
  readonly requiredMinor?: MinorUnits;
  readonly missingMinor?: MinorUnits;
}
