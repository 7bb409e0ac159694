import { type Transitions } from '../../lib/states/transitions.js';
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
 * one that was not: the spec of `settle` proves it, and the write of the order checks it. A refund can fail after it was reported,
 * and the shop can win an appeal against a lost dispute, so the money can come back.
 */
export const PAYMENT_TRANSITIONS: Transitions<PaymentStatus> = {
  pending: ['processing', 'authorized', 'paid', 'failed', ...REVERSED],
  processing: ['pending', 'authorized', 'paid', 'failed', ...REVERSED],
  authorized: ['pending', 'processing', 'paid', 'failed', ...REVERSED],
  failed: ['pending', 'processing', 'authorized', 'paid', ...REVERSED],
  paid: REVERSED,
  partially_refunded: ['paid', 'refunded', 'disputed', 'charged_back', 'needs_review'],
  refunded: ['paid', 'partially_refunded', 'disputed', 'charged_back', 'needs_review'],
  disputed: ['paid', 'partially_refunded', 'refunded', 'charged_back', 'needs_review'],
  charged_back: ['paid', 'partially_refunded', 'refunded', 'disputed', 'needs_review'],
  needs_review: ['paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back'],
};

/** What a decision of staff does to a payment that needs a review. */
export const REVIEW_TRANSITIONS: Transitions<PaymentStatus> = {
  pending: [],
  processing: [],
  authorized: [],
  failed: [],
  paid: [],
  partially_refunded: [],
  refunded: [],
  disputed: [],
  charged_back: [],
  needs_review: ['paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'failed'],
};

/**
 * What a payment does to the delivery status at once: the items are queued, held, revoked, and queued again. Delivered items stay
 * delivered until a plugin has revoked them.
 */
export const DELIVERY_STATUS_BY_PAYMENT: Transitions<DeliveryStatus> = {
  none: ['queued', 'held', 'revoked'],
  queued: ['held', 'revoked'],
  held: ['queued', 'revoked'],
  leased: ['held', 'revoked'],
  delivered: [],
  handed_over: [],
  uncertain: [],
  failed: [],
  revoked: ['queued', 'held'],
};

/**
 * The delivery status: `none` until the order is paid, then the state of its deliveries together (`deliveryStatesOf`). Each of
 * several deliveries moves alone, so nearly every state can follow another: a delivered order becomes `revoked`. Only `none`
 * never comes back, and a queued delivery is not delivered before a plugin had it.
 */
export const DELIVERY_STATUS_TRANSITIONS: Transitions<DeliveryStatus> = {
  none: ['queued', 'held', 'revoked'],
  queued: ['held', 'leased', 'delivered', 'handed_over', 'uncertain', 'failed', 'revoked'],
  held: ['queued', 'leased', 'delivered', 'handed_over', 'uncertain', 'failed', 'revoked'],
  leased: ['queued', 'held', 'delivered', 'handed_over', 'uncertain', 'failed', 'revoked'],
  delivered: ['queued', 'held', 'leased', 'handed_over', 'uncertain', 'failed', 'revoked'],
  handed_over: ['queued', 'held', 'leased', 'delivered', 'uncertain', 'failed', 'revoked'],
  uncertain: ['queued', 'held', 'leased', 'delivered', 'handed_over', 'failed', 'revoked'],
  failed: ['queued', 'held', 'leased', 'delivered', 'handed_over', 'uncertain', 'revoked'],
  revoked: ['queued', 'held', 'leased', 'delivered', 'handed_over', 'uncertain', 'failed'],
};

/** The states in which the nickname can change, unless one of the deliveries does not allow it (`isRenamable`). */
export const RENAMABLE: readonly DeliveryStatus[] = ['none', 'queued', 'held', 'failed'];
