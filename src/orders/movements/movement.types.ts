import { type MinorUnits } from '../../lib/money/money.js';

/** `dispute`: one that is open or was won. `chargeback`: one that was lost, with the money. */
export const MOVEMENT_KINDS = ['payment', 'refund', 'dispute', 'chargeback'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** A payment or refund that was made `succeeded`; a refund that the bank returned `failed`. The others are those of disputes. */
export const MOVEMENT_STATES = ['succeeded', 'failed', 'open', 'won', 'lost'] as const;
export type MovementState = (typeof MOVEMENT_STATES)[number];

/** What a provider reports of one payment, refund or dispute, wherever it was made. */
export interface MovementFacts {
  /** What it is about. Unique in its order, and the same in every state. */
  readonly name: string;
  readonly kind: MovementKind;
  readonly state: MovementState;
  readonly provider: string;
  /** The provider's ids; null for what it is not about, and where the provider names none. */
  readonly paymentId: string;
  readonly refundId: string | null;
  readonly disputeId: string | null;
  readonly amountMinor: MinorUnits;
  /** ISO 4217. */
  readonly currency: string;
  /** When it began, as the provider says. */
  readonly startedAt: Date;
  /** When it reached its state, as the provider says. */
  readonly occurredAt: Date;
}

export interface Movement extends MovementFacts {
  readonly id: string;
  readonly shopId: string;
  readonly orderId: string;
  /** That of its order. */
  readonly orderNumber: number;
}

/** Which movements a list contains; an absent field does not limit it. */
export interface MovementFilter {
  readonly kind?: MovementKind | undefined;
  readonly provider?: string | undefined;
  readonly orderId?: string | undefined;
  /** Those that occurred at this time or later. */
  readonly from?: Date | undefined;
  /** Those that occurred before this time. */
  readonly to?: Date | undefined;
}
