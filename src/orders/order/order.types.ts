import { type ReviewDecision } from '../../domain/payments/payment-review.js';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { type ConsentKind } from '../../shops/consents/consent.types.js';
import { type LineParts, type LinePrice } from '../../catalogue/pricing/price-basket.js';
import { type LineUpgrade } from '../../catalogue/pricing/upgrade-credit.js';
import { type Ownership } from '../../catalogue/products/product-ownership.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { DELIVERY_STATES } from '../../delivery/deliveries/delivery.types.js';
import { type PaymentEvent } from './payment-event.types.js';

export const ORDER_STATUSES = ['open', 'completed', 'cancelled', 'expired'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = [
  'pending',
  'processing',
  'authorized',
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
  'charged_back',
  'failed',
  'needs_review',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * How an order came about. `checkout`: its buyer placed it. The others are placed by staff: `grant` gives something away, `paid_outside`
 * is a sale whose payment no provider reports, `rehearsal` only shows what happens after a sale.
 */
export const ORDER_ORIGINS = ['checkout', 'grant', 'paid_outside', 'rehearsal'] as const;
export type OrderOrigin = (typeof ORDER_ORIGINS)[number];

/** The orders that staff place, for what they ask: `POST /orders/{shopId}`. */
export const STAFF_ORIGINS = ORDER_ORIGINS.filter((origin) => origin !== 'checkout');
export type StaffOrigin = Exclude<OrderOrigin, 'checkout'>;

/** All the money went back: such an order holds up no other order of its buyer. */
export const ALL_BACK: readonly PaymentStatus[] = ['refunded', 'charged_back'];

/** The deliveries of an order together: `none` while nothing is to be delivered, then their state. */
export const DELIVERY_STATUSES = ['none', ...DELIVERY_STATES] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One item of an order, as it was sold: later changes of the product do not change it. */
export interface OrderItem extends LinePrice, LineParts, Ownership {
  readonly productId: string;
  readonly name: string;
  readonly quantity: number;
  /** The list of the product's command templates at the time of the order (`CommandsService`). */
  readonly commandListId: string;
  /** Whether its commands wait until the player is online. */
  readonly requiresOnline: boolean;
  /** For how many days the player owns one unit; null: it does not expire. */
  readonly durationDays: number | null;
  /** Whether the units were taken from the stock of the product, so that they are given back when the order ends unpaid. */
  readonly takesStock: boolean;
  /** What it replaces as soon as it is paid; absent: nothing. */
  readonly upgrade?: LineUpgrade;
  /** The tiers of its group, the lowest first; absent: it was no tier. */
  readonly tiers?: readonly string[];
  /** Whether these units went back to the stock after their refund; absent: they did not. */
  readonly restocked?: boolean;
  /** What refunds that name this item give back for it, also while the provider has not reported them; absent: none names it. */
  readonly refundedMinor?: MinorUnits;
  /** Whether such a refund takes it back, whatever becomes of the rest of the order; absent: none does. */
  readonly takenBack?: boolean;
}

export const REVERSAL_KINDS = ['refund', 'chargeback'] as const;

/** Money that the buyer got back: a refund, or a dispute that the shop lost. */
export interface Reversal {
  readonly kind: (typeof REVERSAL_KINDS)[number];
  readonly amountMinor: MinorUnits;
  readonly at: Date;
}

/** The decision of staff about payments that needed a review. It is about these payments: another one needs another decision. */
export interface PaymentReview {
  readonly decision: ReviewDecision;
  /** The payments that staff knew (`paymentOf`). */
  readonly payments: readonly string[];
  /** The fraud warnings that staff knew (`nameOf`). */
  readonly warnings: readonly string[];
  /** When the order counts as paid; null for a rejection. */
  readonly paidAt: Date | null;
}

export interface OrderDiscount {
  readonly discountId: string;
  readonly code: string;
  readonly amountMinor: MinorUnits;
}

/** How many entries of its history an order keeps. */
export const MAX_HISTORY = 100;

/** The action of an entry that staff wrote by hand. Its detail is free text, which an erasure removes as a whole. */
export const NOTE = 'note';

/** One line of an order's history: what happened, when, and who did it. */
export interface HistoryEntry {
  readonly at: Date;
  /** `buyer`, `system`, `user:<id>`, `key:<id>` or `provider:<name>`. */
  readonly actor: string;
  readonly action: string;
  readonly detail: string | null;
}

/** The largest number of an order. */
export const MAX_ORDER_NUMBER = 999_999_999;

/** What the buyer of an order agreed to. `ConsentText` has the wording of the version. */
export interface OrderConsent {
  readonly kind: ConsentKind;
  readonly version: number;
  /** Of the wording. */
  readonly hash: string;
  readonly at: Date;
}

/** The buyer's statement of withdrawal from an order, or from some items of it. */
export interface Withdrawal {
  readonly at: Date;
  /** As the buyer gave it; null: erased. */
  readonly name: string | null;
  readonly productIds: readonly string[];
}

/**
 * What is missing of an order beside money. `base_missing`: the lower tier that it replaces was used by another order, or its money is not there.
 * `tier_lower`: the player has got a higher tier since. Until staff decide, such an order is not paid. `upgrade_base_lost`: the money of the
 * lower tier went back after the order was paid.
 */
export const MISSING_CODES = ['base_missing', 'tier_lower', 'upgrade_base_lost'] as const;

export interface MissingPart {
  readonly code: (typeof MISSING_CODES)[number];
  /** What was credited for the lower tier; of `tier_lower`, what was paid. */
  readonly amountMinor: MinorUnits;
}

export interface Order extends BuyerKeys {
  readonly id: string;
  readonly shopId: string;
  /** The short name of the order for people, unique in its shop (`OrderNumbersService`). */
  readonly number: number;
  readonly origin: OrderOrigin;
  readonly serverId: string | null;
  readonly nickname: string;
  /** null: staff placed it without one. Then `buyerKey` stands for the player (`buyerKeysOf`). */
  readonly email: string | null;
  readonly status: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly deliveryStatus: DeliveryStatus;
  readonly items: readonly OrderItem[];
  readonly itemCount: number;
  readonly subtotalMinor: MinorUnits;
  readonly discount: OrderDiscount | null;
  readonly totalMinor: MinorUnits;
  readonly currency: string;
  readonly createdAt: Date;
  /** null also for a grant and a rehearsal, for which nobody pays. */
  readonly paidAt: Date | null;
  readonly expiresAt: Date;
  /** Whether it is the order that its mailbox paid first in the shop (`FirstPurchasesService`); null until it is paid. */
  readonly isFirstPurchase: boolean | null;
  /** The payment events that decide the payment status (`decisiveEvents`). All of them are in the inbox. */
  readonly payments: readonly PaymentEvent[];
  readonly reversals: readonly Reversal[];
  /** Absent: the shop required none. */
  readonly consents?: readonly OrderConsent[];
  /** Absent: none. */
  readonly withdrawal?: Withdrawal;
  /** Absent: nothing. */
  readonly missing?: readonly MissingPart[];
  /** The latest decision about its payments; null while none was necessary. */
  readonly review: PaymentReview | null;
  /** The latest `MAX_HISTORY` entries. The audit log has all of them. */
  readonly history: readonly HistoryEntry[];
}

/** An order with what identifies its buyer, and what decides whether the buyer can be erased. */
export type BuyerOrder = Pick<
  Order,
  'id' | 'number' | 'email' | 'buyerKey' | 'nicknameKey' | 'status' | 'paymentStatus' | 'deliveryStatus'
> & { readonly items: readonly Pick<OrderItem, 'name'>[] };

/** What a list of a buyer's own orders names of each. */
export type EmailedOrder = Pick<Order, 'id' | 'email' | 'createdAt'> & {
  readonly items: readonly Pick<OrderItem, 'name' | 'quantity'>[];
};

/** An order without what grows with its events: for lists. */
export type OrderSummary = Omit<Order, 'payments' | 'consents' | 'withdrawal' | 'missing' | 'review' | 'history'>;

/** An order with the money that arrived and went back: for files. */
export type OrderWithPayments = OrderSummary & Pick<Order, 'payments'>;

/** One of the numbered slots that an address, or a mailbox or a player at an address, has for open orders in a shop. */
export interface OpenOrderSlot {
  readonly holder: string;
  readonly number: number;
}

/** An order of a shop that is not stored yet. */
export interface NewOrder extends Omit<Order, 'shopId'> {
  /** The slots of an open order (`BuyerChecksService`). */
  readonly slots?: readonly OpenOrderSlot[];
  /** SHA-256 of the token with which its buyer may read it. */
  readonly accessTokenHash: string;
}

/** An order that gets its number when its transaction begins (`OrdersService.nextNumber`). */
export type UnnumberedOrder = Omit<NewOrder, 'number'>;

/** The payment state of an order, computed from all its payment events together. */
export interface Settlement {
  readonly paymentStatus: PaymentStatus;
  /** When the first correct payment happened; null before. For an order with nothing to pay, when it was placed. */
  readonly paidAt: Date | null;
  readonly reversals: readonly Reversal[];
}

/** What payment events, or a decision of staff about them, change in an order. */
export interface SettledChange extends Settlement {
  readonly payments: readonly PaymentEvent[];
  readonly status: OrderStatus;
  readonly deliveryStatus: DeliveryStatus;
  readonly missing?: readonly MissingPart[];
  readonly review: PaymentReview | null;
  readonly history: HistoryEntry;
}
