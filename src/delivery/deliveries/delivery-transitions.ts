import { type Transitions } from '../../platform/states/transitions.js';
import { type DeliveryState } from './delivery.types.js';

/**
 * The moves of a delivery by payments, plugins and time. What was not delivered can be held back (`revoked`) and queued again.
 * An acknowledgement can come late: after the delivery was held back, counted as failed, or was queued again. Then the goods
 * are delivered anyway.
 */
export const DELIVERY_TRANSITIONS: Transitions<DeliveryState> = {
  queued: ['leased', 'revoked', 'delivered', 'failed'],
  leased: ['delivered', 'failed', 'revoked'],
  delivered: [],
  failed: ['delivered'],
  revoked: ['queued', 'delivered'],
};

/**
 * The moves that only staff make: what failed or was delivered is queued again. When goods are delivered once more, their
 * take-back or expiry that ran before is queued again too.
 */
export const REDELIVERY_TRANSITIONS: Transitions<DeliveryState> = {
  queued: [],
  leased: [],
  delivered: ['queued'],
  failed: ['queued'],
  revoked: [],
};
