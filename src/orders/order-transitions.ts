import { type Transitions } from '../common/states/transitions.js';
import { type DeliveryStatus, type OrderStatus, type PaymentStatus } from './order.types.js';

/** The order itself. A late payment completes an expired order; nothing brings a cancelled one back. */
export const ORDER_TRANSITIONS: Transitions<OrderStatus> = {
  open: ['completed', 'cancelled', 'expired'],
  completed: [],
  cancelled: [],
  expired: ['completed'],
};

const REVERSED = ['partially_refunded', 'refunded', 'disputed', 'charged_back', 'needs_review'] as const;

/**
 * The payment. Its status follows from the set of payment events (`settle`); nobody moves it by hand. The table is what
 * `settle` keeps to, proved by its spec: money which was there never becomes money that was never there.
 */
export const PAYMENT_TRANSITIONS: Transitions<PaymentStatus> = {
  pending: ['authorized', 'paid', 'failed', ...REVERSED],
  authorized: ['pending', 'paid', 'failed', ...REVERSED],
  failed: ['pending', 'authorized', 'paid', ...REVERSED],
  paid: REVERSED,
  partially_refunded: ['refunded', 'disputed', 'charged_back', 'needs_review'],
  refunded: ['disputed', 'charged_back', 'needs_review'],
  disputed: ['paid', 'partially_refunded', 'refunded', 'charged_back', 'needs_review'],
  charged_back: ['needs_review'],
  needs_review: [],
};

/** The goods. What a plugin has taken is out of our hands; what waits can still be held back. */
export const DELIVERY_TRANSITIONS: Transitions<DeliveryStatus> = {
  none: ['queued', 'revoked'],
  queued: ['leased', 'revoked'],
  leased: ['delivered', 'failed', 'queued'],
  delivered: ['queued'],
  failed: ['queued'],
  revoked: ['queued'],
};
