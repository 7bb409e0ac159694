/** When a product can be bought. */
export interface SellingTerms {
  /** The first moment at which it can be ordered; null: since ever. */
  readonly availableFrom: Date | null;
  /** The first moment at which it can no longer be ordered; null: no end. */
  readonly availableUntil: Date | null;
  /** Whether everybody sees it before it can be ordered. */
  readonly showBefore: boolean;
}

/** A product that everybody can buy at any time: also one that was stored before products had terms. */
export const NO_TERMS: SellingTerms = { availableFrom: null, availableUntil: null, showBefore: false };

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
export function isShownAt(terms: SellingTerms, now: Date): boolean {
  const availability = availabilityOf(terms, now);
  return availability === 'available' || (availability === 'upcoming' && terms.showBefore);
}

/** What is wrong with the terms, one sentence for each problem. */
export function termProblems({ availableFrom, availableUntil }: SellingTerms): string[] {
  const isNever = availableFrom !== null && availableUntil !== null && availableFrom >= availableUntil;
  return isNever ? ['availableUntil must be after availableFrom'] : [];
}
