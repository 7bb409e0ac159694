import { type MinorUnits } from '../../lib/money/money.js';
import { type Transitions } from '../../lib/states/transitions.js';
import { type ItemPart } from '../../orders/settling/item-refunds.service.js';

/**
 * The state of a refund.
 * `requested`: stored, but not confirmed by the provider. The service requests it again.
 * `pending`: the provider has it, and the money is on its way. `succeeded`: the buyer gets the money. `failed`: the buyer does not
 * get it, and the shop has it; but after `NOT_CONFIRMED`, nobody knows.
 */
export const REFUND_STATES = ['requested', 'pending', 'succeeded', 'failed'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

export const REFUND_TRANSITIONS: Transitions<RefundState> = {
  requested: ['pending', 'succeeded', 'failed'],
  pending: ['succeeded', 'failed'],
  // A bank can return the money days later.
  succeeded: ['failed'],
  failed: [],
};

/**
 * The failure of a refund that the provider never confirmed: the service stopped requesting it. The provider may have made it. It
 * reserves no money, so that staff can request another one after a look at the provider.
 */
export const NOT_CONFIRMED = 'not_confirmed';

/** The part of a refund that is about one item of its order. */
export interface RefundedItem extends ItemPart {
  readonly productId: string;
}

/** A refund that staff requested. */
export interface Refund {
  readonly id: string;
  readonly shopId: string;
  readonly orderId: string;
  readonly provider: string;
  /** The payment, as its events name it. */
  readonly paymentId: string;
  readonly amountMinor: MinorUnits;
  /** ISO 4217. */
  readonly currency: string;
  /** The items that it is about, each with its part of the amount; absent or empty: it names none. */
  readonly items?: readonly RefundedItem[];
  /** Whether these items are taken back as soon as the provider has accepted it; absent: they are not. */
  readonly takeBack?: boolean;
  readonly reason: string;
  /** Who requested it: `user:<id>` or `key:<id>`. */
  readonly principal: string;
  readonly state: RefundState;
  /** The provider's id of the refund; null while it is unknown. */
  readonly refundId: string | null;
  /** Why it failed, in the provider's own word, or `not_confirmed`; null otherwise. */
  readonly failure: string | null;
  readonly createdAt: Date;
  /** When the service checks it next; null when its outcome is known. */
  readonly dueAt: Date | null;
  /** How often the service has checked it. */
  readonly checks: number;
}

/** The refund that staff request. */
export interface RefundRequest {
  /** In major units; absent: all that is left of the payment, or what was paid for the items that it names. */
  readonly amount?: number | undefined;
  /** The products of the order that it is about; absent: none in particular. */
  readonly items?: readonly string[] | undefined;
  /** Whether these items are taken back. */
  readonly takeBack?: boolean | undefined;
  /** Which payment, as its events name it; only an order with several payments needs it. */
  readonly paymentId?: string | undefined;
  /** Whether it is made although another order has replaced what this one gave. */
  readonly force?: boolean | undefined;
  readonly reason: string;
}
