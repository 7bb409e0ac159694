import { type Transitions } from '../../lib/states/transitions.js';
import { type DeliveryState } from './delivery.types.js';

/**
 * The transitions of a delivery that payments, plugins and time cause. What was not delivered is held while the money is in doubt, revoked when
 * the buyer got it back, and queued again when the shop has it. An acknowledgement can come late: after the delivery was held,
 * revoked, counted as failed, or was queued again. Then the items are delivered anyway.
 */
export const DELIVERY_TRANSITIONS: Transitions<DeliveryState> = {
  queued: ['leased', 'held', 'revoked', 'delivered', 'failed'],
  held: ['queued', 'revoked', 'delivered'],
  leased: ['delivered', 'failed', 'held', 'revoked'],
  delivered: [],
  failed: ['delivered'],
  revoked: ['queued', 'held', 'delivered'],
};

/**
 * The transitions of a delivery that runs once more. Staff queue again what failed or was delivered. A purchase is also queued again when
 * its player owns the item and the game server has removed it. When an item is delivered once more, its take-back or expiry that ran
 * before is queued again too.
 */
export const REDELIVERY_TRANSITIONS: Transitions<DeliveryState> = {
  queued: [],
  held: [],
  leased: [],
  delivered: ['queued'],
  failed: ['queued'],
  revoked: [],
};
