import { type Permission } from '../../platform/principal/permissions.js';

interface EventKind {
  /** What happened, for people. */
  readonly description: string;
  /** The permission that a reader of the event must have. */
  readonly permission: Permission;
}

/** The events of a shop that other systems can subscribe to. */
export const SHOP_EVENTS = {
  'order.created': { says: 'A buyer placed an order', needs: 'orders:read' },
  'order.paid': { says: 'An order was paid', needs: 'orders:read' },
  'order.refunded': { says: 'An order was refunded, in part or in full', needs: 'orders:read' },
  'order.disputed': { says: 'The buyer disputes the payment of an order', needs: 'orders:read' },
  'order.delivered': { says: 'All items of an order were delivered', needs: 'orders:read' },
  'order.expired': { says: 'An unpaid order expired', needs: 'orders:read' },
  'delivery.failed': { says: 'An item of an order could not be delivered', needs: 'deliveries:read' },
  'discount.exhausted': { says: 'The last use of a discount code was taken', needs: 'discounts:read' },
  'server.offline': { says: 'A game server has stopped reporting', needs: 'servers:read' },
  'server.online': { says: 'A game server reports again', needs: 'servers:read' },
  'member.invited': { says: 'Somebody was invited to the team', needs: 'team:read' },
  'member.joined': { says: 'Somebody joined the team', needs: 'team:read' },
  'member.declined': { says: 'Somebody declined an invitation', needs: 'team:read' },
  'member.role_changed': { says: 'The role of a member was changed', needs: 'team:read' },
  'member.removed': { says: 'A member was removed from the team', needs: 'team:read' },
  'member.left': { says: 'A member left the team', needs: 'team:read' },
  'invitation.revoked': { says: 'An invitation was revoked', needs: 'team:read' },
  'ownership.transferred': { says: 'The ownership was transferred to another member', needs: 'team:read' },
  'api_key.created': { says: 'An API key was created', needs: 'team:read' },
  'api_key.updated': { says: 'An API key was changed', needs: 'team:read' },
  'api_key.rotated': { says: 'An API key was rotated', needs: 'team:read' },
  'api_key.revoked': { says: 'An API key was revoked', needs: 'team:read' },
} as const satisfies Record<string, EventKind>;

export type ShopEventType = keyof typeof SHOP_EVENTS;

export const SHOP_EVENT_TYPES = Object.keys(SHOP_EVENTS) as readonly ShopEventType[];

/** An event as the service that makes the change records it. */
export interface NewShopEvent {
  readonly type: ShopEventType;
  /** What it happened to: an order, a server, a discount, a member, an invitation or a key. */
  readonly subjectId: string;
  /** What only the change itself knows, such as an amount in minor units. Everything else is read from the subject. */
  readonly details?: Readonly<Record<string, string | number | null>>;
}

/** An event that was committed. */
export interface ShopEvent extends NewShopEvent {
  readonly id: string;
  readonly shopId: string;
  /** When it was recorded. */
  readonly at: Date;
}
