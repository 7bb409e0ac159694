import { type LockName, lockOn } from '../../domain/limits/lock-names.js';
import { type MinorUnits, percentOf } from '../../lib/money/money.js';
import { codeOf } from '../../lib/strings/code.js';
import { type DiscountReason, type UncountedDiscount } from './discount.types.js';

/** What a code is checked against: the order and the buyer that a code is checked for. */
export interface DiscountContext {
  readonly orderMinor: MinorUnits;
  /** Empty when the caller named none. */
  readonly productIds: readonly string[];
  /** Those that are reduced. */
  readonly reducedIds: readonly string[];
  /** null when the caller named none. */
  readonly serverId: string | null;
  readonly now: Date;
  /** How often the code was used; null: its limit is not checked. */
  readonly used: number | null;
  /** null when the buyer is not known; then the limits per buyer are not checked. */
  readonly buyer: { readonly uses: number; readonly hasPaidBefore: boolean } | null;
}

export const CODE_PATTERN = /^[\p{L}\p{N}_-]+$/u;
/** In characters (UTF-16 code units). */
export const CODE_LENGTH = { min: 2, max: 40 } as const;

export const CODE_NOT_FOUND: DiscountReason = { code: 'code_not_found', message: 'There is no such code' };
export const NO_USES_LEFT: DiscountReason = { code: 'usage_limit_reached', message: 'The code has no uses left' };

/** Names a code of a shop, in any spelling, for `Transactions.run`: transactions that give back uses of the code conflict. */
export function codeInShop(shopId: string, code: string): LockName {
  return lockOn('code', shopId, codeOf(code));
}

/** Whether the earlier orders of a buyer decide about a code. */
export function limitsBuyers({ maxUsesPerBuyer, firstPurchaseOnly }: UncountedDiscount): boolean {
  return maxUsesPerBuyer !== null || firstPurchaseOnly;
}

function whenReasons({ startsAt, endsAt, isActive }: UncountedDiscount, now: Date): DiscountReason[] {
  const reasons: DiscountReason[] = [];
  if (!isActive) reasons.push({ code: 'code_disabled', message: 'The code is not active' });
  if (startsAt !== null && now < startsAt) {
    reasons.push({ code: 'not_started', message: 'The code is not valid yet', startsAt });
  }
  if (endsAt !== null && now >= endsAt) reasons.push({ code: 'expired', message: 'The code has expired', endsAt });
  return reasons;
}

function limitReasons(discount: UncountedDiscount, { orderMinor, used, buyer }: DiscountContext): DiscountReason[] {
  const { maxUses, maxUsesPerBuyer, minOrderMinor, firstPurchaseOnly } = discount;
  const reasons: DiscountReason[] = [];
  if (maxUses !== null && used !== null && used >= maxUses) reasons.push(NO_USES_LEFT);
  if (maxUsesPerBuyer !== null && buyer !== null && buyer.uses >= maxUsesPerBuyer) {
    reasons.push({ code: 'buyer_limit_reached', message: 'The buyer has already used the code as often as allowed' });
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

/** Whether a product is among those of a code. A code without a list is for all. */
const hasInScope = ({ productIds }: Pick<UncountedDiscount, 'productIds'>, productId: string): boolean =>
  productIds?.includes(productId) ?? true;

/** Whether a code is for a product. */
export function isFor(
  discount: Pick<UncountedDiscount, 'productIds' | 'excludesReduced'>,
  productId: string,
  reducedIds: readonly string[],
): boolean {
  return hasInScope(discount, productId) && !(discount.excludesReduced && reducedIds.includes(productId));
}

function scopeReasons(discount: UncountedDiscount, context: DiscountContext): DiscountReason[] {
  const { productIds, serverIds, excludesReduced } = discount;
  const inScope = context.productIds.filter((id) => hasInScope(discount, id));
  const reasons: DiscountReason[] = [];
  if (productIds !== null) {
    if (context.productIds.length === 0) {
      reasons.push({ code: 'product_required', message: 'The code is for certain products only; name the product' });
    } else if (inScope.length === 0) {
      reasons.push({ code: 'product_not_eligible', message: 'The code does not apply to this product' });
    }
  }
  if (excludesReduced && inScope.length > 0 && inScope.every((id) => context.reducedIds.includes(id))) {
    reasons.push({ code: 'product_not_eligible', message: 'The code does not apply to products that are reduced' });
  }
  if (serverIds !== null) {
    if (context.serverId === null) {
      reasons.push({ code: 'server_required', message: 'The code is for certain servers only; name the server' });
    } else if (!serverIds.includes(context.serverId)) {
      reasons.push({ code: 'server_not_eligible', message: 'The code does not apply to this server' });
    }
  }
  return reasons;
}

/** Returns every reason why a code does not apply to an order, in a fixed order; none when the code applies. */
export function reasonsAgainst(discount: UncountedDiscount, context: DiscountContext): DiscountReason[] {
  return [
    ...whenReasons(discount, context.now),
    ...limitReasons(discount, context),
    ...scopeReasons(discount, context),
  ];
}

/**
 * Returns what a code takes off an amount, never more than the amount. A percentage is rounded half up to a minor unit.
 * @param eligibleMinor what the products that the code is for cost together
 */
export function discountAmount(
  discount: Pick<UncountedDiscount, 'type' | 'value' | 'maxDiscountMinor'>,
  eligibleMinor: MinorUnits,
): MinorUnits {
  const full = discount.type === 'percent' ? percentOf(eligibleMinor, discount.value) : discount.value;
  return Math.min(full, discount.maxDiscountMinor ?? full, eligibleMinor);
}
