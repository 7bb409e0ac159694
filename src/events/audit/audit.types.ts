import { type ShopEventType } from '../shop-events/shop-event-details.js';

interface AuditedAction {
  /** What happened, for people. */
  readonly summary: string;
  /** The event that is published with the entry; null: none, or another service records one with more details. */
  readonly event: ShopEventType | null;
}

/** What can be done to a shop. Each write of a service names one. */
export const AUDIT_ACTIONS = {
  'shop.created': { summary: 'The shop was created', event: null },
  'shop.updated': { summary: 'Settings of the shop were changed', event: null },
  'shop.deactivated': { summary: 'The shop was closed to the public', event: null },
  'shop.reactivated': { summary: 'The shop was opened to the public again', event: null },
  'domain.claimed': { summary: 'A custom domain was claimed', event: null },
  'domain.verified': { summary: 'A custom domain was verified', event: null },
  'domain.removed': { summary: 'The custom domain was removed', event: null },
  'domain.lost': { summary: 'The custom domain was removed because its TXT record was missing', event: null },
  'member.invited': { summary: 'Somebody was invited to the team', event: 'member.invited' },
  'member.joined': { summary: 'Somebody joined the team', event: 'member.joined' },
  'member.declined': { summary: 'Somebody declined an invitation', event: 'member.declined' },
  'member.role_changed': { summary: 'The role of a member was changed', event: 'member.role_changed' },
  'member.removed': { summary: 'A member was removed from the team', event: 'member.removed' },
  'member.left': { summary: 'A member left the team', event: 'member.left' },
  'session.refresh_repeated': { summary: 'A member sent a refresh token again, and got the same tokens', event: null },
  'invitation.revoked': { summary: 'An invitation was revoked', event: 'invitation.revoked' },
  'ownership.transferred': {
    summary: 'The ownership was transferred to another member',
    event: 'ownership.transferred',
  },
  'api_key.created': { summary: 'An API key was created', event: 'api_key.created' },
  'api_key.updated': { summary: 'An API key was changed', event: 'api_key.updated' },
  'api_key.rotated': { summary: 'An API key was rotated', event: 'api_key.rotated' },
  'api_key.revoked': { summary: 'An API key was revoked', event: 'api_key.revoked' },
  'image.uploaded': { summary: 'An image was uploaded', event: null },
  'image.deleted': { summary: 'An image was deleted', event: null },
  'product.created': { summary: 'A product was created', event: null },
  'product.updated': { summary: 'A product was changed', event: null },
  'product.deleted': { summary: 'A product was deleted', event: null },
  'category.created': { summary: 'A category of products was created', event: null },
  'category.updated': { summary: 'A category of products was changed', event: null },
  'category.deleted': { summary: 'A category of products was deleted; its products have no category now', event: null },
  'server.created': { summary: 'A game server was added', event: null },
  'server.connect_code_created': { summary: 'A code that connects an agent with a game server was made', event: null },
  'server.updated': { summary: 'A game server was changed', event: null },
  'server.deleted': { summary: 'A game server was deleted', event: null },
  'discount.created': { summary: 'A discount code was created', event: null },
  'discount.updated': { summary: 'A discount code was changed', event: null },
  'discount.deleted': { summary: 'A discount code was deleted', event: null },
  'sale.created': { summary: 'A sale was planned', event: null },
  'sale.updated': { summary: 'A sale was changed or ended', event: null },
  'sale.deleted': { summary: 'A planned sale was deleted', event: null },
  'tier_group.created': { summary: 'A group of tiers was made', event: null },
  'tier_group.updated': { summary: 'A group of tiers was changed, or lost a deleted product', event: null },
  'tier_group.deleted': { summary: 'A group of tiers was deleted, or had one product left', event: null },
  'item.restocked': {
    summary: 'Units of a refunded order went back to the stock, or were taken again',
    event: null,
  },
  'ban.created': { summary: 'A buyer was banned', event: null },
  'ban.deleted': { summary: 'A ban was ended', event: null },
  'buyer.note_changed': { summary: 'The note about a buyer was changed', event: null },
  'buyer.exported': { summary: 'What is stored about a buyer was exported', event: null },
  'buyer.erased': { summary: 'The identity of a buyer was replaced by keyed hashes', event: null },
  'payment_provider.configured': { summary: 'A payment provider was configured', event: null },
  'payment_provider.removed': { summary: 'A payment provider was removed', event: null },
  'payment_provider.secret_rotated': { summary: 'The webhook address of a payment provider was changed', event: null },
  'payment_event.replayed': { summary: 'An event of a payment provider was applied again', event: null },
  'webhook.created': { summary: 'A webhook was created', event: null },
  'webhook.updated': { summary: 'A webhook was changed', event: null },
  'webhook.secret_rotated': { summary: 'The signing secret of a webhook was rotated', event: null },
  'webhook.tested': { summary: 'A test event was sent to a webhook', event: null },
  'webhook.replayed': { summary: 'Deliveries of a webhook were replayed', event: null },
  'webhook.disabled': { summary: 'A webhook was switched off because it had failed for days', event: null },
  'webhook.deleted': { summary: 'A webhook was deleted', event: null },
  'order.withdrawal_requested': { summary: 'The buyer withdraws from an order', event: null },
  'order.created': { summary: 'A buyer placed an order', event: null },
  'order.placed_by_staff': { summary: 'Staff placed an order for a player', event: null },
  'order.nickname_changed': { summary: 'A buyer or staff changed the nickname of an order', event: null },
  'order.payment_started': { summary: 'A buyer started the payment of an order', event: null },
  'order.payment_changed': { summary: 'A payment provider reported a payment', event: null },
  'order.delivery_changed': { summary: 'A plugin reported a delivery', event: null },
  'delivery.decided': { summary: 'Staff decided about an uncertain delivery', event: null },
  'order.redelivered': { summary: 'The deliveries of an order were queued again', event: null },
  'order.note_added': { summary: 'Staff wrote a note about an order', event: null },
  'order.entitlement_ended': { summary: 'Staff ended what a player owns by an order', event: null },
  'order.entitlement_transferred': { summary: 'Staff gave what a player owns to another one', event: null },
  'order.cancelled': { summary: 'Staff cancelled an order', event: null },
  'order.refund_requested': { summary: 'Staff requested a refund of an order', event: null },
  'order.payment_reviewed': { summary: 'Staff decided about a payment', event: null },
  'orders.exported': { summary: 'Orders were exported as a file', event: null },
  'stats.rebuild_started': { summary: 'A rebuild of the statistics was started', event: null },
  'order.expired': { summary: 'An unpaid order expired', event: null },
  'email.failed': { summary: 'An email of the shop could not be sent', event: null },
} as const satisfies Record<string, AuditedAction>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const ALL_AUDIT_ACTIONS = Object.keys(AUDIT_ACTIONS) as readonly AuditAction[];

/** One way in which a search finds entries. */
export type AuditLookup =
  | { readonly actions: readonly AuditAction[] }
  | { readonly principals: readonly string[] }
  | { readonly subjectId: string };

/** Which entries a list contains; an absent field does not limit it. */
export interface AuditFilter {
  readonly action?: AuditAction | undefined;
  readonly principal?: string | undefined;
  readonly subjectId?: string | undefined;
  /** The entries of this time or later. */
  readonly from?: Date | undefined;
  /** The entries before this time. */
  readonly to?: Date | undefined;
  /** Only the entries that one of these finds. */
  readonly lookups?: readonly AuditLookup[] | undefined;
}

/** A field that a write changed, before and after as strings; null: the field was, or is, empty. */
export interface AuditChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** One write: who did what to which record of a shop, and when. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /** `user:<id>`, `key:<id>`, `provider:<name>`, `buyer` or `system`. */
  readonly principal: string;
  readonly action: AuditAction;
  /** The id of the record; null where the shop itself is meant. */
  readonly subjectId: string | null;
  readonly changes: readonly AuditChange[];
}
