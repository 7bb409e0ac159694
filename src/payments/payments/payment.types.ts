import { type MinorUnits } from '../../lib/money/money.js';
import { type Transitions } from '../../lib/states/transitions.js';

/**
 * The state of a payment.
 * `creating`: stored, but the provider has not confirmed it yet. A repetition of the request sends it to the provider again.
 * `created`: the provider has it, and the buyer can pay. Whether the buyer has paid is the order's `paymentStatus`.
 */
export const PAYMENT_STATES = ['creating', 'created'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const PAYMENT_STATE_TRANSITIONS: Transitions<PaymentState> = {
  creating: ['created'],
  created: [],
};

/** One attempt of a buyer to pay an order. */
export interface Payment {
  readonly id: string;
  readonly shopId: string;
  readonly orderId: string;
  readonly provider: string;
  /** The number of the attempt to pay the order with this provider, from 1 on. */
  readonly attempt: number;
  readonly state: PaymentState;
  readonly amountMinor: MinorUnits;
  /** ISO 4217. */
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly createdAt: Date;
  /** When the order expires, which is the latest time to pay. */
  readonly orderExpiresAt: Date;
  /** The provider's id of the payment, where the buyer pays, and until when; null while it is `creating`. */
  readonly paymentId: string | null;
  readonly url: string | null;
  readonly expiresAt: Date | null;
  /** When the service queries the provider about it; null when its end is known or the provider cannot be queried. */
  readonly dueAt: Date | null;
  /** How often the service has queried the provider. */
  readonly checks: number;
}

/** A payment that the provider has created: its buyer can pay. */
export type OpenPayment = Payment & { readonly paymentId: string; readonly url: string; readonly expiresAt: Date };
