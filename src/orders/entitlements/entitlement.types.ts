import { type RepeatRule } from '../../catalogue/products/product-ownership.js';
import { type Tier } from '../../catalogue/tier-groups/tier-group.types.js';
import { type LineUpgrade } from '../../catalogue/pricing/upgrade-credit.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { type MoneyHolder } from '../../delivery/deliveries/delivery.types.js';
import { type Order } from '../order/order.types.js';

/**
 * `pending`: it is paid, and its player does not have it. `active`: it was delivered. `held`: the money is in doubt; nothing is taken away.
 * `ended`: its time is over, or it was taken away.
 */
export const ENTITLEMENT_STATES = ['pending', 'active', 'held', 'ended'] as const;
export type EntitlementState = (typeof ENTITLEMENT_STATES)[number];

export const ENDINGS = ['expired', 'refund', 'chargeback', 'staff', 'upgrade'] as const;
export type EndedBy = (typeof ENDINGS)[number];

/** The terms of one purchase, and what has become of it: all that the rules of a chain need. */
export interface Link {
  readonly id: string;
  readonly repeat: RepeatRule;
  readonly quantity: number;
  /** For how many days its player owns one unit; null: for good. */
  readonly durationDays: number | null;
  readonly money: MoneyHolder;
  /** When it was delivered for the first time; null before. Nothing moves it. */
  readonly startsAt: Date | null;
  /** When its time is over; null: never, or it has not begun. */
  readonly endsAt: Date | null;
  /** `staff` is for good, whatever happens to the money. */
  readonly endedBy: EndedBy | null;
  /** The order that has replaced it when it was paid (`UpgradesService`); null: none has. It counts as long as the money of that order is not back. */
  readonly upgradedBy: string | null;
  /** What it has replaced itself; null: nothing. */
  readonly upgrade: LineUpgrade | null;
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
  /** Its part of what was paid for the order and did not go back: 0 of what staff gave away. */
  readonly paidMinor: MinorUnits;
  /** What a unit cost without any reduction. */
  readonly listMinor: MinorUnits;
  /** When the job looks whether its time is over: `endsAt`, while it has not ended, or the end of a claim; null: never. */
  readonly endDueAt: Date | null;
  /** When it was stored or changed last. An end that passes is a change when the job has seen it. */
  readonly changedAt: Date;
}

/** Which entitlements a list contains; an absent field does not limit it. */
export interface EntitlementFilter {
  readonly nicknameKey?: string | undefined;
  /** Also what counts as this product. */
  readonly productId?: string | undefined;
  /** Also what is owned on all game servers, or waits for any. */
  readonly serverId?: string | undefined;
  readonly orderId?: string | undefined;
  /** Only what was changed at this time or later. */
  readonly changedSince?: Date | undefined;
  /** Whether those that have ended are left out. */
  readonly isOwned: boolean;
}

/** Whether a player owns a product, and until when. */
export interface OwnedProduct {
  readonly productId: string;
  readonly countsAs: string;
  readonly owned: boolean;
  /** Whether a purchase is paid and waits for its delivery. */
  readonly pending: boolean;
  /** The beginning of the first of the purchases that are owned; null: nothing is owned. */
  readonly since: Date | null;
  /** The end of the last one; null: nothing is owned, or it is owned for good. */
  readonly until: Date | null;
  /** The highest tier of the group of the product that is owned; null: none, or the product is no tier. */
  readonly tier: Tier | null;
}

/** The parts of a paid order from which its entitlements follow. */
export type EntitlingOrder = Pick<
  Order,
  | 'id'
  | 'origin'
  | 'status'
  | 'paymentStatus'
  | 'deliveryStatus'
  | 'buyerKey'
  | 'items'
  | 'reversals'
  | 'serverId'
  | 'nickname'
>;
