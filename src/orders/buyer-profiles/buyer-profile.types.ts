import { type MinorUnits } from '../../lib/money/money.js';
import { type Ban } from '../bans/ban.types.js';
import { type Order } from '../order/order.types.js';

/** Whom a profile is about: the player of a nickname, or the mailbox of an email address. */
export const BUYER_KINDS = ['player', 'mailbox'] as const;
export type BuyerKind = (typeof BUYER_KINDS)[number];

/** How many of the latest orders of a buyer, or of those with a dispute, are read. */
export const MAX_ORDERS = 100;

/** How a profile is named inside: `nicknameKey` of a player, `buyerKey` of a mailbox (`BuyerKeys`). */
export interface ProfileName {
  readonly kind: BuyerKind;
  readonly name: string;
}

/** What a buyer paid and got back in one currency. */
export interface BuyerMoney {
  readonly paidMinor: MinorUnits;
  readonly refundedMinor: MinorUnits;
  readonly chargedBackMinor: MinorUnits;
}

/** What staff wrote about a buyer. */
export interface BuyerNote {
  readonly text: string;
  readonly at: Date;
  readonly by: string;
}

/** Sums over the sales of a buyer. */
export interface BuyerSums {
  /** Orders placed, paid or not. */
  readonly orders: number;
  readonly paidOrders: number;
  /** ISO 4217 code -> amounts. */
  readonly money: Readonly<Record<string, BuyerMoney>>;
}

/** What the orders of a buyer say about the buyer now. */
export interface OrdersOfProfile {
  /** As the latest order has it. */
  readonly nickname: string | null;
  readonly email: string | null;
  readonly firstPurchaseAt: Date | null;
  readonly lastPurchaseAt: Date | null;
  /** null: no order has the name any more. */
  readonly lastOrderAt: Date | null;
}

/** What a shop knows about one player or one mailbox, from all of its sales. */
export interface BuyerProfile extends ProfileName, BuyerSums, OrdersOfProfile {
  readonly id: string;
  readonly shopId: string;
  /** A keyed hash of the name, for addresses of pages: 24 hexadecimal digits. */
  readonly key: string;
  readonly note: BuyerNote | null;
}

/** Which profiles a list contains. */
export interface ProfileFilter {
  readonly kind: BuyerKind;
  /** The beginning of the names, as they are compared; undefined: all. */
  readonly prefix: string | undefined;
}

/** A profile in a list. */
export interface ListedProfile {
  readonly profile: BuyerProfile;
  readonly isBanned: boolean;
}

/** An order of a buyer with a dispute. */
export type DisputedOrder = Pick<Order, 'id' | 'number' | 'payments'>;

/** A name that stands in the same orders. */
export interface LinkedName extends ProfileName {
  readonly key: string;
  /** As it was typed. */
  readonly shown: string;
}

/** Everything about one buyer. */
export interface ProfileDetails {
  readonly profile: BuyerProfile;
  readonly links: readonly LinkedName[];
  readonly bans: readonly Ban[];
  readonly disputes: readonly DisputedOrder[];
}
