import { toMajor } from '../../lib/money/money.js';
import { WithVersion } from '../../http/responses/with-version.js';
import { discountVersion, toInput } from './discount-input.js';
import { type Discount, type DiscountReason, type Validation } from './discount.types.js';
import { type DiscountDto } from './dto/discount.dto.js';
import { type DiscountReasonDto, type DiscountValidationDto } from './dto/discount-validation.dto.js';

export function toDiscountDto(discount: Discount): DiscountDto {
  const { id, currency, maxUses, used, createdAt } = discount;
  return {
    id,
    ...toInput(discount),
    currency,
    used,
    overused: maxUses !== null && used > maxUses,
    createdAt: createdAt.toISOString(),
  };
}

export const toVersionedDiscount = (discount: Discount): WithVersion<DiscountDto> =>
  new WithVersion(toDiscountDto(discount), discountVersion(discount));

export function toReasonDto(reason: DiscountReason, currency: string): DiscountReasonDto {
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
  const shown = discount && toInput(discount);
  return {
    valid: reasons.length === 0,
    code,
    discountId: discount?.id ?? null,
    type: shown?.type ?? null,
    value: shown?.value ?? null,
    orderValue: toMajor(orderMinor, currency),
    discountAmount: toMajor(discountMinor, currency),
    finalValue: toMajor(orderMinor - discountMinor, currency),
    currency,
    reasons: reasons.map((reason) => toReasonDto(reason, currency)),
    endsAt: discount?.endsAt?.toISOString() ?? null,
  };
}
