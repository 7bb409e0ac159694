import { type ReviewDecision, type ReviewReason } from '../../domain/payments/payment-review.js';
import { type ProviderProblem } from '../../domain/payments/provider-problems.js';
import { type MinorUnits } from '../../lib/money/money.js';

/** One payment of an order: what was refunded, disputed or lost of it, or what did not reach the buyer. */
export interface PaymentDetails {
  readonly provider: string;
  /** The payment, as the provider names it. */
  readonly paymentId: string;
  readonly amountMinor: MinorUnits;
  readonly currency: string;
}

interface ProviderDetails {
  readonly provider: string;
  readonly problem: ProviderProblem;
  /** In one sentence. */
  readonly reason: string;
  /** ISO 8601. */
  readonly since: string;
}

interface SaleDetails {
  readonly name: string;
  readonly startsAt: string;
  /** null: it has no end. */
  readonly endsAt: string | null;
}

interface TeamDetails {
  /** Who made the change. */
  readonly principal: string;
}

/** What a player owns, or has owned, by one item of an order, when it began or ended. */
export interface EntitlementDetails {
  readonly id: string;
  /** Which item of the order, from 0. */
  readonly position: number;
  readonly productId: string;
  readonly countsAs: string;
  readonly serverId: string | null;
  readonly nickname: string;
  readonly quantity: number;
  /** ISO 8601; null: it was never delivered. */
  readonly since: string | null;
  /** ISO 8601; null: for good. */
  readonly until: string | null;
  /** null: it has not ended. */
  readonly endedBy: string | null;
  /** Whether the player owns the same by another purchase. */
  readonly stillOwned: boolean;
}

/**
 * What only the change has, by the type of its event, as JSON; undefined: nothing. Everything else is read from the subject. Producers,
 * subscribers and the bodies of webhooks have their types from here.
 */
export interface ShopEventDetails {
  'order.created': { readonly discountId: string | null };
  'order.paid': undefined;
  /** The amount of this refund, in the currency of the order. */
  'order.refunded': { readonly amountMinor: MinorUnits };
  'order.surplus_refunded': PaymentDetails;
  'order.disputed': PaymentDetails;
  'order.dispute_won': PaymentDetails;
  'order.dispute_lost': PaymentDetails;
  /** The reasons that are new. */
  'order.review_needed': { readonly reasons: readonly ReviewReason[] };
  /** The decision of staff and its reason; null when a payment or a refund has removed the reasons of the review. */
  'order.review_resolved': {
    readonly decision: ReviewDecision | null;
    readonly reason: string | null;
    /** Whether the order was paid before. */
    readonly wasPaid: boolean;
  };
  'order.cancelled': { readonly reason: string | null };
  /** `item` is null when the whole order has the new nickname. */
  'order.nickname_changed': {
    readonly previousNickname: string;
    readonly nickname: string;
    readonly item: string | null;
  };
  /** The products that the buyer withdraws from. */
  'order.withdrawal_requested': { readonly productIds: readonly string[] };
  'order.delivered': undefined;
  'order.expired': undefined;
  'delivery.failed': undefined;
  'delivery.uncertain': undefined;
  'delivery.revoked': undefined;
  'entitlement.started': EntitlementDetails;
  /** The player owned it already. */
  'entitlement.extended': EntitlementDetails;
  'entitlement.ended': EntitlementDetails;
  'entitlement.transferred': EntitlementDetails & { readonly previousNickname: string };
  /** The reason in the word of the provider; null: it gave none. */
  'refund.failed': PaymentDetails & { readonly reason: string | null };
  /** The provider's id of the refund; null when the provider never confirmed it. */
  'refund.unconfirmed': PaymentDetails & { readonly refundId: string | null };
  'payment.provider_failing': ProviderDetails;
  'payment.webhook_rejected': ProviderDetails;
  'discount.exhausted': { readonly code: string };
  /** ISO 8601. */
  'sale.started': SaleDetails;
  'sale.ended': SaleDetails;
  'server.offline': { readonly name: string };
  'server.online': { readonly name: string };
  'member.invited': TeamDetails;
  'member.joined': TeamDetails;
  'member.declined': TeamDetails;
  'member.role_changed': TeamDetails;
  'member.removed': TeamDetails;
  'member.left': TeamDetails;
  'invitation.revoked': TeamDetails;
  'ownership.transferred': TeamDetails;
  'api_key.created': TeamDetails;
  'api_key.updated': TeamDetails;
  'api_key.rotated': TeamDetails;
  'api_key.revoked': TeamDetails;
}

export type ShopEventType = keyof ShopEventDetails;

/** The events whose subject is an order. */
export type OrderEventType = Extract<ShopEventType, `${'order' | 'delivery' | 'entitlement' | 'refund'}.${string}`>;

export type DisputeEventType = Extract<ShopEventType, `order.dispute${string}`>;
