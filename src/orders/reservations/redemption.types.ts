import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { type Transitions } from '../../lib/states/transitions.js';

export const REDEMPTION_STATES = ['reserved', 'redeemed', 'released'] as const;
export type RedemptionState = (typeof REDEMPTION_STATES)[number];

/**
 * A use is reserved when its order is created, redeemed when the order is paid, and released when the order ends unpaid.
 * A buyer may still pay after that: then the released use is redeemed.
 */
export const REDEMPTION_TRANSITIONS: Transitions<RedemptionState> = {
  reserved: ['redeemed', 'released'],
  redeemed: [],
  released: ['redeemed'],
};

/** One use of a discount code by one order, with the buyer of the order. */
export interface Redemption extends BuyerKeys {
  readonly id: string;
  readonly shopId: string;
  readonly discountId: string;
  readonly orderId: string;
  readonly state: RedemptionState;
  /** When the use was reserved. */
  readonly at: Date;
}
