import { type OwnershipRules, ruleProblems } from './product-requirements.js';
import { limitProblems, type PurchaseLimit } from './purchase-limits.js';

/** When a product can be bought, how often, and by whom. */
export interface SellingTerms extends OwnershipRules {
  /** The first moment at which it can be ordered; null: since ever. */
  readonly availableFrom: Date | null;
  /** The first moment at which it can no longer be ordered; null: no end. */
  readonly availableUntil: Date | null;
  /** Whether everybody sees it before it can be ordered. */
  readonly showBefore: boolean;
  /** How many units somebody can have within a window. All of them count. */
  readonly limits: readonly PurchaseLimit[];
}

/** A product that everybody can buy at any time: also one that was stored before products had terms. */
export const NO_TERMS: SellingTerms = {
  ...{ availableFrom: null, availableUntil: null, showBefore: false, limits: [] },
  ...{ requires: null, excludedBy: [] },
};

export const AVAILABILITIES = ['upcoming', 'available', 'ended'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

export function availabilityOf(
  { availableFrom, availableUntil }: Pick<SellingTerms, 'availableFrom' | 'availableUntil'>,
  now: Date,
): Availability {
  if (availableUntil !== null && now >= availableUntil) return 'ended';
  return availableFrom !== null && now < availableFrom ? 'upcoming' : 'available';
}

/** Whether everybody sees the product at a moment: it can be ordered, or is announced. */
export function isShownAt(
  terms: Pick<SellingTerms, 'availableFrom' | 'availableUntil' | 'showBefore'>,
  now: Date,
): boolean {
  const availability = availabilityOf(terms, now);
  return availability === 'available' || (availability === 'upcoming' && terms.showBefore);
}

/** What is wrong with the terms, one sentence for each problem. */
export function termProblems({ availableFrom, availableUntil, limits, ...rules }: SellingTerms): string[] {
  const isNever = availableFrom !== null && availableUntil !== null && availableFrom >= availableUntil;
  return [
    ...(isNever ? ['availableUntil must be after availableFrom'] : []),
    ...limitProblems(limits, 'limits'),
    ...ruleProblems(rules),
  ];
}
