import { toMinor } from '../common/money/money.js';
import { type DiscountType } from './discount.types.js';

/** A discount as its shop describes it; amounts in major units. */
export interface NewDiscount {
  readonly code: string;
  readonly type: DiscountType;
  readonly value: number;
  readonly maxDiscount?: number | null;
  readonly minOrderValue?: number | null;
  readonly productIds?: readonly string[] | null;
  readonly serverIds?: readonly string[] | null;
  readonly maxUses?: number | null;
  readonly maxUsesPerBuyer?: number | null;
  readonly firstPurchaseOnly?: boolean;
  readonly startsAt?: Date | null;
  readonly endsAt?: Date | null;
  readonly isActive?: boolean;
}

/** What is wrong with a new discount beyond its single fields, one sentence each; empty when nothing is. */
export function discountProblems(input: NewDiscount, currency: string): string[] {
  const problems: string[] = [];
  const amounts = { maxDiscount: input.maxDiscount, minOrderValue: input.minOrderValue };
  for (const [name, amount] of Object.entries(amounts)) {
    if (amount != null && toMinor(amount, currency) === null) {
      problems.push(`${name} has more decimals than ${currency} allows`);
    }
  }
  if (input.type === 'percent' && input.value > 100) problems.push('value must be at most 100 percent');
  if (input.type === 'percent' && Math.round(input.value * 100) / 100 !== input.value) {
    problems.push('value must have at most 2 decimals');
  }
  if (input.type === 'fixed' && toMinor(input.value, currency) === null) {
    problems.push(`value has more decimals than ${currency} allows`);
  }
  if (input.productIds?.length === 0) problems.push('productIds must be null (every product) or name one');
  if (input.serverIds?.length === 0) problems.push('serverIds must be null (every server) or name one');
  if (input.startsAt != null && input.endsAt != null && input.startsAt >= input.endsAt) {
    problems.push('endsAt must be after startsAt');
  }
  return problems;
}
