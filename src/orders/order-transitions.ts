import { type Transitions } from '../common/states/transitions.js';
import { DELIVERY_TRANSITIONS } from '../deliveries/delivery-transitions.js';
import { type DeliveryStatus, type OrderStatus, type PaymentStatus } from './order.types.js';

/** The order itself. A late payment completes an expired order. A cancelled order stays cancelled. */
export const ORDER_TRANSITIONS: Transitions<OrderStatus> = {
  open: ['completed', 'cancelled', 'expired'],
  completed: [],
  cancelled: [],
  expired: ['completed'],
};

const REVERSED = ['partially_refunded', 'refunded', 'disputed', 'charged_back', 'needs_review'] as const;

/**
 * The payment. Its status is computed from the set of payment events (`settle`). A payment that was received never becomes
 * one that was not: the spec of `settle` proves it, and the write of the order checks it.
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

/** The goods: `none` until the order is paid, then the moves of its deliveries. */
export const DELIVERY_STATUS_TRANSITIONS: Transitions<DeliveryStatus> = {
  none: ['queued', 'revoked'],
  ...DELIVERY_TRANSITIONS,
};

/** The states in which no plugin has taken the goods and none is kept from taking them: the nickname can still change. */
export const RENAMABLE: readonly DeliveryStatus[] = ['none', 'queued'];
