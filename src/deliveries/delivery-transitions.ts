import { type Transitions } from '../common/states/transitions.js';
import { type DeliveryState } from './delivery.types.js';

/**
 * The moves of a delivery. One that waits can be held back and queued again. One that a plugin has taken is never held back
 * or queued again: the plugin may have run its commands already.
 */
export const DELIVERY_TRANSITIONS: Transitions<DeliveryState> = {
  queued: ['leased', 'revoked'],
  leased: ['delivered', 'failed'],
  delivered: [],
  failed: [],
  revoked: ['queued'],
};
