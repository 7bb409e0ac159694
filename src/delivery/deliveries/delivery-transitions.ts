import { type Transitions } from '../../lib/states/transitions.js';
import { type DeliveryState } from './delivery.types.js';

/**
 * The transitions of a delivery that payments, plugins and time cause. What was not delivered is held while the money is in doubt, revoked when
 * the buyer got it back, and queued again when the shop has it. An acknowledgement can come late: after the delivery was held,
 * revoked, counted as failed, or was queued again. Then the items are delivered anyway. Money moves nothing that is uncertain: the player may
 * have it.
 */
export const DELIVERY_TRANSITIONS: Transitions<DeliveryState> = {
  queued: ['leased', 'held', 'revoked', 'delivered', 'handed_over', 'uncertain', 'failed'],
  held: ['queued', 'revoked', 'delivered', 'handed_over', 'uncertain'],
  leased: ['delivered', 'handed_over', 'uncertain', 'failed', 'held', 'revoked'],
  delivered: [],
  handed_over: [],
  uncertain: ['delivered', 'handed_over'],
  failed: ['delivered', 'handed_over', 'uncertain'],
  revoked: ['queued', 'held', 'delivered', 'handed_over', 'uncertain'],
};

const NOWHERE: Transitions<DeliveryState> = {
  queued: [],
  held: [],
  leased: [],
  delivered: [],
  handed_over: [],
  uncertain: [],
  failed: [],
  revoked: [],
};

/**
 * What a plugin gives back that has not begun. It has a table of its own: with this way among the others, what follows from the money would
 * queue a leased take-back again in the transaction that leased it.
 */
export const RELEASE_TRANSITIONS: Transitions<DeliveryState> = { ...NOWHERE, leased: ['queued', 'failed'] };

/**
 * What ends the doubt about an uncertain delivery: staff, or the plugin that reported it. It has a table of its own: with this way among the
 * others, what fails for want of attempts would overwrite a report.
 */
export const DECISION_TRANSITIONS: Transitions<DeliveryState> = { ...NOWHERE, uncertain: ['delivered', 'failed'] };

/**
 * The transitions of a delivery that runs once more. Staff queue again what failed, is uncertain or was delivered. A purchase is also queued again when
 * its player owns the item and the game server has removed it. When an item is delivered once more, its take-back or expiry that ran
 * before is queued again too.
 */
export const REDELIVERY_TRANSITIONS: Transitions<DeliveryState> = {
  ...NOWHERE,
  delivered: ['queued'],
  handed_over: ['queued'],
  uncertain: ['queued'],
  failed: ['queued'],
};
