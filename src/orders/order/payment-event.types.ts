import { type MinorUnits } from '../../lib/money/money.js';

/** What a payment provider can report about an order, in our words. The adapter of each provider maps to these. */
export const PAYMENT_EVENT_TYPES = [
  'payment.pending',
  'payment.processing',
  'payment.authorized',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
  'payment.expired',
  'refund.pending',
  'refund.succeeded',
  'refund.failed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
  'fraud.warning',
] as const;
export type PaymentEventType = (typeof PAYMENT_EVENT_TYPES)[number];

/** The events of a dispute in the order in which they count at one time. The latest one is the state of the dispute. */
export const DISPUTE_EVENTS = ['dispute.opened', 'dispute.won', 'dispute.lost'] as const satisfies PaymentEventType[];

/** Stands for the payment provider of a payment that staff received themselves, such as in cash. */
export const OUTSIDE_PROVIDER = 'outside';

/** One payment event of one order. */
export interface PaymentEvent {
  readonly provider: string;
  /** The provider's id of the event: unique per provider and shop. */
  readonly eventId: string;
  readonly type: PaymentEventType;
  /** The provider's id of the payment: two successful events with the same id are one payment. */
  readonly paymentId: string;
  /**
   * The provider's id of what its buyer has paid with, where it is not the payment's: a checkout session at Stripe, an order at PayPal.
   * Present in an event after which nobody can pay with it.
   */
  readonly checkoutId?: string;
  /** For money that is on its way: until when the provider reports how it ends. */
  readonly awaitedUntil?: Date;
  /** The provider's id of the refund, in an event about a single one: two events with the same id are about one refund. */
  readonly refundId?: string;
  /** Why a refund failed, in the provider's own word, where it gives one. */
  readonly failure?: string;
  /** The provider's id of the dispute, where the event names it: a payment can have several, also at the same time. */
  readonly disputeId?: string;
  /** What was paid, refunded or disputed; for a `refund.succeeded` with `cumulative`, all refunds of the payment so far. */
  readonly amountMinor: MinorUnits;
  /** ISO 4217. `XXX` (no currency) where a `fraud.warning` has no amount. */
  readonly currency: string;
  readonly occurredAt: Date;
  /**
   * Whether `amountMinor` of a `refund.succeeded` is the sum of all refunds of the payment (Stripe), not of this refund alone.
   * For a `refund.failed`: whether such a sum counted the refund before it failed.
   */
  readonly cumulative: boolean;
}
