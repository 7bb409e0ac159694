import { type Ownership } from '../../catalogue/products/product-ownership.js';
import { type MoneyHolder } from '../../delivery/deliveries/delivery.types.js';
import { type Order } from '../order/order.types.js';

/**
 * `pending`: it is paid, and its player does not have it. `active`: it was delivered. `held`: the money is in doubt; nothing is taken away.
 * `ended`: its time is over, or it was taken away.
 */
export const ENTITLEMENT_STATES = ['pending', 'active', 'held', 'ended'] as const;
export type EntitlementState = (typeof ENTITLEMENT_STATES)[number];

export const ENDINGS = ['expired', 'refund', 'chargeback'] as const;
export type EndedBy = (typeof ENDINGS)[number];

/** The terms of one purchase, and what has become of it: all that the rules of a chain need. */
export interface Link {
  readonly id: string;
  readonly repeat: Ownership['repeat'];
  readonly quantity: number;
  /** For how many days its player owns one unit; null: for good. */
  readonly durationDays: number | null;
  readonly money: MoneyHolder;
  /** When it was delivered for the first time; null before. Nothing moves it. */
  readonly startsAt: Date | null;
  /** When its time is over; null: never, or it has not begun. */
  readonly endsAt: Date | null;
  readonly endedBy: EndedBy | null;
}

/** What a player owns, or has owned, because of one item of a paid order. */
export interface Entitlement extends Link {
  readonly shopId: string;
  readonly orderId: string;
  /** Which item of the order, from 0. */
  readonly position: number;
  readonly productId: string;
  /** The product as which it counts. */
  readonly countsAs: string;
  /** The game server on which it is owned; null: on all, or it is not known before the delivery. */
  readonly serverId: string | null;
  readonly ownedEverywhere: boolean;
  readonly nickname: string;
  readonly nicknameKey: string;
  readonly buyerKey: string;
  readonly state: EntitlementState;
  /** When the job looks whether its time is over: `endsAt`, while it has not ended, or the end of a claim; null: never. */
  readonly endDueAt: Date | null;
  readonly createdAt: Date;
}

/** The parts of a paid order from which its entitlements follow. */
export type EntitlingOrder = Pick<
  Order,
  'id' | 'status' | 'paymentStatus' | 'deliveryStatus' | 'buyerKey' | 'items' | 'serverId' | 'nickname'
>;
