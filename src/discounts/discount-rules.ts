import { type MinorUnits, percentOf } from '../common/money/money.js';
import { type Discount, type DiscountReason } from './discount.types.js';

/** What a code is tried on. */
export interface DiscountCase {
  readonly orderMinor: MinorUnits;
  /** Empty when the caller named none. */
  readonly productIds: readonly string[];
  /** null when the caller named none. */
  readonly serverId: string | null;
  readonly now: Date;
  /** What is known of the buyer; null when nobody is named yet. */
  readonly buyer: { readonly uses: number; readonly hasPaidBefore: boolean } | null;
}

/** The form in which codes are stored and compared. The form of a form is itself: a code that we show can be typed. */
export function normaliseCode(code: string): string {
  // Upper case may leave letters and their marks apart, hence the second time.
  return code.normalize('NFKC').toUpperCase().normalize('NFKC').trim();
}

function whenReasons({ startsAt, endsAt, isActive }: Discount, now: Date): DiscountReason[] {
  const reasons: DiscountReason[] = [];
  if (!isActive) reasons.push({ code: 'code_disabled', message: 'The code is switched off' });
  if (startsAt !== null && now < startsAt) {
    reasons.push({ code: 'not_started', message: 'The code is not valid yet', startsAt });
  }
  if (endsAt !== null && now >= endsAt) reasons.push({ code: 'expired', message: 'The code has expired', endsAt });
  return reasons;
}

function limitReasons(discount: Discount, { orderMinor, buyer }: DiscountCase): DiscountReason[] {
  const { maxUses, maxUsesPerBuyer, minOrderMinor, firstPurchaseOnly, used } = discount;
  const reasons: DiscountReason[] = [];
  if (maxUses !== null && used >= maxUses) {
    reasons.push({ code: 'usage_limit_reached', message: 'The code was used as often as it may be' });
  }
  if (maxUsesPerBuyer !== null && buyer !== null && buyer.uses >= maxUsesPerBuyer) {
    reasons.push({ code: 'buyer_limit_reached', message: 'This buyer has used the code as often as one may' });
  }
  if (minOrderMinor !== null && orderMinor < minOrderMinor) {
    const missingMinor = minOrderMinor - orderMinor;
    const message = 'The order is below the minimum value of the code';
    reasons.push({ code: 'min_order_not_met', message, requiredMinor: minOrderMinor, missingMinor });
  }
  if (firstPurchaseOnly && buyer?.hasPaidBefore === true) {
    reasons.push({ code: 'first_purchase_only', message: 'The code is for a first purchase only' });
  }
  return reasons;
}

function scopeReasons({ productIds, serverIds }: Discount, tried: DiscountCase): DiscountReason[] {
  const reasons: DiscountReason[] = [];
  if (productIds !== null) {
    if (tried.productIds.length === 0) {
      reasons.push({ code: 'product_required', message: 'The code is for certain products; say which one it is' });
    } else if (!tried.productIds.some((id) => productIds.includes(id))) {
      reasons.push({ code: 'product_not_eligible', message: 'The code does not apply to this product' });
    }
  }
  if (serverIds !== null) {
    if (tried.serverId === null) {
      reasons.push({ code: 'server_required', message: 'The code is for certain servers; say which one it is' });
    } else if (!serverIds.includes(tried.serverId)) {
      reasons.push({ code: 'server_not_eligible', message: 'The code does not apply to this server' });
    }
  }
  return reasons;
}

/** *All* reasons why a code does not apply to a case; empty when it does. */
export function reasonsAgainst(discount: Discount, tried: DiscountCase): DiscountReason[] {
  return [...whenReasons(discount, tried.now), ...limitReasons(discount, tried), ...scopeReasons(discount, tried)];
}

/** What a code takes off an amount: percent rounded half up once, capped, never more than the amount. */
export function discountAmount(discount: Discount, eligibleMinor: MinorUnits): MinorUnits {
  const full = discount.type === 'percent' ? percentOf(eligibleMinor, discount.value) : discount.value;
  return Math.min(full, discount.maxDiscountMinor ?? full, eligibleMinor);
}
