import { type MinorUnits } from '../../lib/money/money.js';

export const DISCOUNT_TYPES = ['percent', 'fixed'] as const;
export type DiscountType = (typeof DISCOUNT_TYPES)[number];

/** What a shop decides about a code. */
export interface DiscountValues {
  /** As `codeOf` returns it; unique in the shop. */
  readonly code: string;
  /** What the staff call it; null: nothing but its code. */
  readonly name: string | null;
  readonly type: DiscountType;
  /** `percent`: percent with up to two decimals. `fixed`: minor units. */
  readonly value: number;
  /** null: no limit. */
  readonly maxDiscountMinor: MinorUnits | null;
  /** null: no limit. */
  readonly minOrderMinor: MinorUnits | null;
  /** null: every product. */
  readonly productIds: readonly string[] | null;
  /** null: every server. */
  readonly serverIds: readonly string[] | null;
  /** null: no limit. */
  readonly maxUses: number | null;
  /** null: no limit. */
  readonly maxUsesPerBuyer: number | null;
  readonly firstPurchaseOnly: boolean;
  /** Whether it takes nothing off products that a sale or a compare-at price shows as reduced. */
  readonly excludesReduced: boolean;
  /** Inclusive; null: no start. */
  readonly startsAt: Date | null;
  /** Exclusive; null: no end. */
  readonly endsAt: Date | null;
  readonly isActive: boolean;
}

/** A discount without the count of its uses, which orders change (`ShardedCounters`). */
export interface UncountedDiscount extends DiscountValues {
  readonly id: string;
  readonly shopId: string;
  /** ISO 4217 code of every amount of this discount. */
  readonly currency: string;
  readonly createdAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly createdBy: string;
}

/** Which discounts a list contains; an absent field does not limit it. */
export interface DiscountFilter {
  /** The beginning of the code as a person types it, or of words of the name. */
  readonly q?: string | undefined;
  readonly type?: DiscountType | undefined;
  readonly isActive?: boolean | undefined;
  /** One of the products or servers that the discount is limited to. */
  readonly productId?: string | undefined;
  readonly serverId?: string | undefined;
}

export interface Discount extends UncountedDiscount {
  /** How many uses are reserved or redeemed. */
  readonly used: number;
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
  /** One sentence for the buyer. */
  readonly message: string;
  readonly startsAt?: Date;
  readonly endsAt?: Date;
  readonly requiredMinor?: MinorUnits;
  readonly missingMinor?: MinorUnits;
}

/** Whether a code applies to an order. */
export interface Validation {
  /** The code as `codeOf` returns it. */
  readonly code: string;
  /** null when there is no such code. */
  readonly discount: UncountedDiscount | null;
  readonly orderMinor: MinorUnits;
  readonly discountMinor: MinorUnits;
  readonly currency: string;
  /** Empty when the code applies. */
  readonly reasons: readonly DiscountReason[];
}
