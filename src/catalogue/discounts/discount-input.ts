import { amountProblems, checkedMinor, type MinorUnits, toMajor } from '../../lib/money/money.js';
import { present } from '../../domain/errors/change.js';
import { fingerprintOf } from '../../domain/errors/require-version.js';
import { codeOf } from '../../lib/strings/code.js';
import { type WithInstants } from '../../lib/time/instant.js';
import { percentProblems } from '../pricing/percent-problems.js';
import { CODE_LENGTH, CODE_PATTERN } from './discount-rules.js';
import { type DiscountValues, type UncountedDiscount } from './discount.types.js';
import { type CreateDiscountDto } from './dto/create-discount.dto.js';
import { type DiscountFields } from './dto/discount-fields.dto.js';
import { type UpdateDiscountDto } from './dto/update-discount.dto.js';

/** The fields of a discount as a shop sends and gets them: amounts in major units. */
export type DiscountInput = Readonly<WithInstants<DiscountFields>>;
export type NewDiscount = Readonly<CreateDiscountDto>;
/** An absent field keeps its value. */
export type DiscountChange = Readonly<UpdateDiscountDto>;

const DEFAULTS: Omit<DiscountInput, 'code' | 'type' | 'value'> = {
  name: null,
  maxDiscount: null,
  minOrderValue: null,
  productIds: null,
  serverIds: null,
  maxUses: null,
  maxUsesPerBuyer: null,
  firstPurchaseOnly: false,
  excludesReduced: false,
  startsAt: null,
  endsAt: null,
  isActive: true,
};

/** Completes the input of a new discount. */
export function completed(input: WithInstants<NewDiscount>): DiscountInput {
  return { ...DEFAULTS, ...present(input) };
}

/** Returns a stored discount as the API shows it. The only list of the fields that leave the service. */
export function toInput(discount: UncountedDiscount): DiscountInput {
  const { type, value, currency } = discount;
  const major = (minor: MinorUnits | null): number | null => (minor === null ? null : toMajor(minor, currency));
  return {
    code: discount.code,
    name: discount.name,
    type,
    value: type === 'fixed' ? toMajor(value, currency) : value,
    maxDiscount: major(discount.maxDiscountMinor),
    minOrderValue: major(discount.minOrderMinor),
    productIds: discount.productIds,
    serverIds: discount.serverIds,
    maxUses: discount.maxUses,
    maxUsesPerBuyer: discount.maxUsesPerBuyer,
    firstPurchaseOnly: discount.firstPurchaseOnly,
    excludesReduced: discount.excludesReduced,
    startsAt: discount.startsAt,
    endsAt: discount.endsAt,
    isActive: discount.isActive,
  };
}

/** The version of what a shop says about a discount. Uses by orders do not change it. */
export const discountVersion = (discount: UncountedDiscount): string => fingerprintOf(toInput(discount));

/**
 * Returns what is wrong with an input beyond its single fields, one sentence for each problem.
 * @param currency of the amounts
 */
export function discountProblems(input: DiscountInput, currency: string): string[] {
  const { code, type, value, maxDiscount, minOrderValue, productIds, serverIds, startsAt, endsAt } = input;
  const fixedValue = type === 'fixed' ? value : null;
  const problems = amountProblems({ maxDiscount, minOrderValue, value: fixedValue }, currency);
  if (!isStorableCode(codeOf(code))) {
    problems.push(`code must be ${CODE_LENGTH.min} to ${CODE_LENGTH.max} letters, digits, - and _ also in upper case`);
  }
  problems.push(...percentProblems({ type, value }));
  if (productIds?.length === 0) problems.push('productIds must be null (every product) or name at least one');
  if (serverIds?.length === 0) problems.push('serverIds must be null (every server) or name at least one');
  if (startsAt !== null && endsAt !== null && startsAt >= endsAt) problems.push('endsAt must be after startsAt');
  return problems;
}

/** Upper case and normalisation can change the length (ß becomes SS) and the characters (⑴ becomes (1)). */
function isStorableCode(code: string): boolean {
  return code.length >= CODE_LENGTH.min && code.length <= CODE_LENGTH.max && CODE_PATTERN.test(code);
}

/** Returns an input as it is stored. @param input without `discountProblems` */
export function toStored(input: DiscountInput, currency: string): DiscountValues {
  const { code, value, maxDiscount, minOrderValue, ...same } = input;
  const minor = (amount: number | null): MinorUnits | null => (amount === null ? null : checkedMinor(amount, currency));
  return {
    ...same,
    code: codeOf(code),
    value: input.type === 'fixed' ? checkedMinor(value, currency) : value,
    maxDiscountMinor: minor(maxDiscount),
    minOrderMinor: minor(minOrderValue),
  };
}
