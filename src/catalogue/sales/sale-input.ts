import { amountProblems, checkedMinor, toMajor } from '../../lib/money/money.js';
import { present } from '../../domain/errors/change.js';
import { type WithInstants } from '../../lib/time/instant.js';
import { type CreateSaleDto } from './dto/create-sale.dto.js';
import { type SaleFields } from './dto/sale-fields.dto.js';
import { type UpdateSaleDto } from './dto/update-sale.dto.js';
import { percentProblems } from '../pricing/percent-problems.js';
import { type Sale, type SaleState, type SaleValues } from './sale.types.js';

/** The fields of a sale as a shop sends and gets them: amounts in major units. */
export type SaleInput = Readonly<WithInstants<SaleFields>>;
export type NewSale = Readonly<CreateSaleDto>;
/** An absent field keeps its value. */
export type SaleChange = Readonly<UpdateSaleDto>;

const DEFAULTS = { scope: 'all', productIds: [], categoryIds: [], excludedProductIds: [], endsAt: null } as const;

/** Completes the input of a new sale. */
export function completed(input: WithInstants<NewSale>): SaleInput {
  return { ...DEFAULTS, ...present(input) };
}

/** Returns a stored sale as the API shows it. The only list of the fields that leave the service. */
export function toInput(sale: Omit<Sale, 'id' | 'shopId' | 'createdAt' | 'createdBy'>): SaleInput {
  const { type, value, currency } = sale;
  return {
    name: sale.name,
    type,
    value: type === 'fixed' ? toMajor(value, currency) : value,
    scope: sale.scope,
    productIds: sale.productIds,
    categoryIds: sale.categoryIds,
    excludedProductIds: sale.excludedProductIds,
    startsAt: sale.startsAt,
    endsAt: sale.endsAt,
  };
}

/**
 * Returns what is wrong with a sale beyond its single fields, one sentence for each problem.
 * @param currency of the amount
 */
export function saleProblems(input: SaleInput, currency: string): string[] {
  const { type, value, scope, productIds, categoryIds, startsAt, endsAt } = input;
  const problems = [
    ...amountProblems({ value: type === 'fixed' ? value : null }, currency),
    ...percentProblems({ type, value }),
  ];
  for (const [name, ids] of [['products', productIds] as const, ['categories', categoryIds] as const]) {
    const field = name === 'products' ? 'productIds' : 'categoryIds';
    if (scope === name && ids.length === 0) problems.push(`${field} must name at least one with the scope ${name}`);
    if (scope !== name && ids.length > 0) problems.push(`${field} needs the scope ${name}`);
  }
  if (endsAt !== null && startsAt >= endsAt) problems.push('endsAt must be after startsAt');
  return problems;
}

/**
 * Moves a past beginning of a planned sale, and a past end of a running one, to now: nothing can be announced for the past, and the clock of
 * whoever ends a sale at once may be late.
 */
export function notBefore(now: Date, input: SaleInput, state: SaleState): SaleInput {
  const { startsAt, endsAt } = input;
  if (state === 'planned') return startsAt < now ? { ...input, startsAt: now } : input;
  return state === 'running' && endsAt !== null && endsAt < now ? { ...input, endsAt: now } : input;
}

/**
 * Why a change of a sale is too late, in one sentence; null when it is not. What buyers have seen of a running sale stays provable: it can
 * only get another name and end earlier, and one that has ended stays as it is.
 * @param changed the names of the fields that change
 */
export function lateChange(
  state: SaleState,
  changed: readonly string[],
  { before, after }: { readonly before: SaleInput; readonly after: SaleInput },
): string | null {
  if (state === 'planned') return null;
  if (state === 'ended') return 'The sale has ended';
  const fixed = changed.filter((field) => field !== 'name' && field !== 'endsAt');
  if (fixed.length > 0) return `The sale has begun: ${fixed.join(', ')} cannot change any more`;
  const endsEarlier = after.endsAt !== null && (before.endsAt === null || after.endsAt < before.endsAt);
  return endsEarlier || !changed.includes('endsAt') ? null : 'The sale has begun: endsAt can only be earlier';
}

/** Returns an input as it is stored. @param input without `saleProblems` */
export function toStored(input: SaleInput, currency: string): SaleValues {
  return { ...input, value: input.type === 'fixed' ? checkedMinor(input.value, currency) : input.value };
}
