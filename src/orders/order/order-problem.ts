import { AppError } from '../../domain/errors/app-error.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { type Requirement } from '../../catalogue/products/product-requirements.js';
import { type LimitHolder } from '../../catalogue/products/purchase-limits.js';
import { type FieldProblem, fieldsHeader } from '../../http/validation/fields-header.js';
import { type DiscountReason } from '../../catalogue/discounts/discount.types.js';

/** A limit of a product that an order is above. */
export interface ReachedLimit {
  readonly of: LimitHolder;
  readonly max: number;
  /** How many units the holder has. */
  readonly used: number;
  /** When as many units as the order has are possible; null: not by waiting, or never so many. */
  readonly freeAt: Date | null;
}

/**
 * Why an order costs more than its buyer expects: a sale has ended, what the player has of a lower tier has changed (or the price of the higher
 * one), or another price has changed or a code takes less off.
 */
export const PRICE_CAUSES = ['sale_ended', 'price', 'upgrade'] as const;
export type PriceCause = (typeof PRICE_CAUSES)[number];

/** Why an order cannot be placed as it is. */
export interface OrderProblem {
  /** The error of a checkout with this problem. */
  readonly code: ErrorCode;
  /** One sentence for the buyer. */
  readonly message: string;
  /** The product that the problem is about. */
  readonly productId?: string;
  /** With `not_yet_available`: when it is. */
  readonly availableFrom?: Date;
  /** With `product_limit_reached`. */
  readonly limit?: ReachedLimit;
  /** With `requirement_not_met`: what the product requires, not what of it is missing. */
  readonly requirement?: Requirement;
  /** With `price_changed`: what made the order cost more. */
  readonly priceCause?: PriceCause;
  /** What is wrong with a field of the request. */
  readonly field?: FieldProblem;
  /** With `discount_not_applicable`: one reason why the code does not apply. */
  readonly reason?: DiscountReason;
}

/** @throws AppError of the first problem, with the sentences of all of them */
export function requireNoProblem(problems: readonly OrderProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  throw new AppError(first.code, {
    message: problems.map(({ message }) => message).join('; '),
    headers: fieldsHeader(problems.flatMap(({ field }) => field ?? [])),
  });
}
