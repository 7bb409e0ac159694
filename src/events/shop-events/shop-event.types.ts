import { type Permission } from '../../domain/principal/permissions.js';
import { type ShopEventDetails, type ShopEventType } from './shop-event-details.js';

interface EventKind {
  /** What happened, for people. */
  readonly description: string;
  /** The permission that a reader of the event must have. */
  readonly permission: Permission;
}

/** The events of a shop that other systems can subscribe to. */
export const SHOP_EVENTS = {
  'order.created': { description: 'An order was placed', permission: 'orders:read' },
  'order.paid': { description: 'An order was paid', permission: 'orders:read' },
  'order.refunded': { description: 'An order was refunded, in part or in full', permission: 'orders:read' },
  'order.surplus_refunded': {
    description: 'Money that an order does not keep was refunded',
    permission: 'orders:read',
  },
  'order.disputed': { description: 'The buyer disputes a payment of an order', permission: 'orders:read' },
  'order.dispute_won': { description: 'The shop won a dispute about a payment', permission: 'orders:read' },
  'order.dispute_lost': { description: 'The shop lost a dispute about a payment', permission: 'orders:read' },
  'order.review_needed': { description: 'A person must look at the payments of an order', permission: 'orders:read' },
  'order.review_resolved': { description: 'Nothing is left to review in an order', permission: 'orders:read' },
  'order.cancelled': { description: 'An order was cancelled', permission: 'orders:read' },
  'order.nickname_changed': { description: 'The nickname of an order was changed', permission: 'orders:read' },
  'order.withdrawal_requested': { description: 'The buyer withdraws from an order', permission: 'orders:read' },
  'order.delivered': { description: 'All items of an order were delivered', permission: 'orders:read' },
  'order.expired': { description: 'An unpaid order expired', permission: 'orders:read' },
  'delivery.failed': { description: 'An item of an order could not be delivered', permission: 'deliveries:read' },
  'delivery.uncertain': {
    description: 'Nobody knows whether an item of an order was delivered',
    permission: 'deliveries:read',
  },
  'delivery.revoked': { description: 'The items of an order were revoked', permission: 'deliveries:read' },
  'entitlement.started': { description: 'A player has received an item of an order', permission: 'orders:read' },
  'entitlement.extended': {
    description: 'A player has received an item that the player owned already',
    permission: 'orders:read',
  },
  'entitlement.ended': { description: 'The time of an item is over, or it was taken away', permission: 'orders:read' },
  'entitlement.transferred': { description: 'Staff gave what a player has to another one', permission: 'orders:read' },
  'refund.failed': { description: 'A refund did not reach the buyer', permission: 'orders:read' },
  'refund.unconfirmed': {
    description: 'Nobody knows whether a refund reached the buyer',
    permission: 'orders:read',
  },
  'payment.provider_failing': {
    description: 'A payment provider rejects the credentials or a payment',
    permission: 'payments:read',
  },
  'payment.webhook_rejected': {
    description: 'Reports of a payment provider were rejected or not applied',
    permission: 'payments:read',
  },
  'discount.exhausted': { description: 'The last use of a discount code was taken', permission: 'discounts:read' },
  'sale.started': { description: 'A sale has begun', permission: 'sales:read' },
  'sale.ended': { description: 'A sale has ended', permission: 'sales:read' },
  'server.offline': { description: 'A game server has stopped reporting', permission: 'servers:read' },
  'server.online': { description: 'A game server reports again', permission: 'servers:read' },
  'member.invited': { description: 'Somebody was invited to the team', permission: 'team:read' },
  'member.joined': { description: 'Somebody joined the team', permission: 'team:read' },
  'member.declined': { description: 'Somebody declined an invitation', permission: 'team:read' },
  'member.role_changed': { description: 'The role of a member was changed', permission: 'team:read' },
  'member.removed': { description: 'A member was removed from the team', permission: 'team:read' },
  'member.left': { description: 'A member left the team', permission: 'team:read' },
  'invitation.revoked': { description: 'An invitation was revoked', permission: 'team:read' },
  'ownership.transferred': { description: 'The ownership was transferred to another member', permission: 'team:read' },
  'api_key.created': { description: 'An API key was created', permission: 'team:read' },
  'api_key.updated': { description: 'An API key was changed', permission: 'team:read' },
  'api_key.rotated': { description: 'An API key was rotated', permission: 'team:read' },
  'api_key.revoked': { description: 'An API key was revoked', permission: 'team:read' },
} as const satisfies Record<ShopEventType, EventKind>;

export const SHOP_EVENT_TYPES = Object.keys(SHOP_EVENTS) as readonly ShopEventType[];

interface Head<Type> {
  readonly type: Type;
  /**
   * The subject: an order (also of a delivery, an entitlement or a refund), the configuration of a payment provider, a server, a sale, a discount, a
   * member, an invitation or a key.
   */
  readonly subjectId: string;
}

/** The details of an event, as its type has them. */
type Detailed<Details> = undefined extends Details ? { readonly details?: undefined } : { readonly details: Details };

/** An event as the service that makes the change records it: a union over the types, which the type of an event narrows. */
export type NewShopEvent<Type extends ShopEventType = ShopEventType> = {
  [T in Type]: Head<T> & Detailed<ShopEventDetails[T]>;
}[Type];

interface Committed {
  readonly id: string;
  readonly shopId: string;
  /** When it was recorded. */
  readonly at: Date;
}

/** An event that was committed. */
export type ShopEvent<Type extends ShopEventType = ShopEventType> = { [T in Type]: NewShopEvent<T> & Committed }[Type];

/** Events of one shop that were committed, in their order: at least one. */
export type ShopEventBatch<Type extends ShopEventType = ShopEventType> = readonly [
  ShopEvent<Type>,
  ...ShopEvent<Type>[],
];
