import { toMajor } from '../common/money/money.js';
import { type Discount, type DiscountReason } from './discount.types.js';
import { type Validation } from './discounts.service.js';
import { type DiscountDto } from './dto/discount.dto.js';
import { type DiscountReasonDto, type DiscountValidationDto } from './dto/discount-validation.dto.js';

function valueOf({ type, value, currency }: Discount): number {
  return type === 'fixed' ? toMajor(value, currency) : value;
}

export function toDiscountDto(discount: Discount): DiscountDto {
  const { currency } = discount;
  const major = (minor: number | null): number | null => (minor === null ? null : toMajor(minor, currency));
  return {
    id: discount.id,
    code: discount.code,
    type: discount.type,
    value: valueOf(discount),
    currency,
    maxDiscount: major(discount.maxDiscountMinor),
    minOrderValue: major(discount.minOrderMinor),
    productIds: discount.productIds && [...discount.productIds],
    serverIds: discount.serverIds && [...discount.serverIds],
    maxUses: discount.maxUses,
    maxUsesPerBuyer: discount.maxUsesPerBuyer,
    firstPurchaseOnly: discount.firstPurchaseOnly,
    startsAt: discount.startsAt?.toISOString() ?? null,
    endsAt: discount.endsAt?.toISOString() ?? null,
    isActive: discount.isActive,
    used: discount.used,
    createdAt: discount.createdAt.toISOString(),
  };
}

function toReasonDto(reason: DiscountReason, currency: string): DiscountReasonDto {
  const { code, message, startsAt, endsAt, requiredMinor, missingMinor } = reason;
  return {
    code,
    message,
    ...(startsAt && { startsAt: startsAt.toISOString() }),
    ...(endsAt && { endsAt: endsAt.toISOString() }),
    ...(requiredMinor !== undefined && { required: toMajor(requiredMinor, currency) }),
    ...(missingMinor !== undefined && { missing: toMajor(missingMinor, currency) }),
  };
}

export function toDiscountValidationDto(validation: Validation): DiscountValidationDto {
  const { code, discount, orderMinor, discountMinor, currency, reasons } = validation;
  return {
    valid: reasons.length === 0,
    code,
    discountId: discount?.id ?? null,
    type: discount?.type ?? null,
    value: discount && valueOf(discount),
    orderValue: toMajor(orderMinor, currency),
    discountAmount: toMajor(discountMinor, currency),
    finalValue: toMajor(orderMinor - discountMinor, currency),
    currency,
    reasons: reasons.map((reason) => toReasonDto(reason, currency)),
    endsAt: discount?.endsAt?.toISOString() ?? null,
  };
}
