import { type MinorUnits } from '../../lib/money/money.js';

/** What staff can decide about payments that need a review. */
export const REVIEW_DECISIONS = ['accept', 'reject'] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

export const REVIEW_REASON_CODES = [
  'amount',
  'currency',
  'fraud_warning',
  'too_many_events',
  'paid_twice',
  'partial_loss',
  'base_missing',
  'tier_lower',
  'upgrade_base_lost',
] as const;

/**
 * Why a person has to look at the payments of an order. `amount`, `currency`: what arrived is not what was due, or the reports
 * contradict each other. `fraud_warning`: the provider suspects fraud. `too_many_events`: more than any sale has. These make it
 * `needs_review`. `paid_twice`: more arrived than was due, and can be refunded. `partial_loss`: a dispute was lost in part.
 * `base_missing`: the lower tier that the order replaces was used by another one, or its money is not there. `tier_lower`: the player owns a
 * higher tier by now. These two make it `needs_review`. `upgrade_base_lost`: the money of the lower tier went back after the upgrade was paid.
 */
export interface ReviewReason {
  readonly code: (typeof REVIEW_REASON_CODES)[number];
  /** One sentence with the figures. */
  readonly message: string;
  /** What arrived, can be refunded, or was lost; of a warning the total of the order. */
  readonly amountMinor: MinorUnits;
  readonly currency: string;
}
