/** What can be done to a shop, and how the log says it: action -> what happened. Each write of a service names one. */
export const AUDIT_ACTIONS = {
  'shop.created': 'The shop was made',
  'shop.updated': 'Settings of the shop were changed',
  'shop.deactivated': 'The shop was closed to the public',
  'shop.reactivated': 'The shop was opened to the public again',
  'domain.claimed': 'A custom domain was claimed',
  'domain.verified': 'A custom domain was proved and is in use',
  'domain.removed': 'The custom domain was removed',
  'domain.lost': 'The custom domain lost its proof and was taken away',
  'member.invited': 'Somebody was invited to the team',
  'member.joined': 'Somebody joined the team',
  'member.declined': 'Somebody declined an invitation',
  'member.role_changed': 'A member has another role',
  'member.removed': 'A member was removed from the team',
  'member.left': 'A member left the team',
  'invitation.revoked': 'An invitation was taken back',
  'ownership.transferred': 'The ownership passed to another member',
  'api_key.created': 'An API key was made',
  'api_key.updated': 'An API key was changed',
  'api_key.rotated': 'An API key got a new secret',
  'api_key.revoked': 'An API key was revoked',
  'product.created': 'A product was created',
  'product.updated': 'A product was changed',
  'product.deleted': 'A product was deleted',
  'category.created': 'A category of products was created',
  'category.updated': 'A category of products was changed',
  'category.deleted': 'A category of products was deleted; its products have none any more',
  'server.created': 'A game server was added',
  'server.updated': 'A game server was changed',
  'server.deleted': 'A game server was deleted',
  'discount.created': 'A discount code was created',
  'discount.updated': 'A discount code was changed',
  'discount.deleted': 'A discount code was deleted',
  'ban.created': 'A buyer was banned',
  'ban.deleted': 'A ban was ended',
  'payment_provider.configured': 'A payment provider was configured',
  'payment_provider.secret_rotated': 'The webhook address of a payment provider was changed',
  'payment_event.replayed': 'An event of a payment provider was applied again',
  'webhook.created': 'A webhook was created',
  'webhook.updated': 'A webhook was changed',
  'webhook.secret_rotated': 'A webhook got a new signing secret',
  'webhook.tested': 'A test event was sent to a webhook',
  'webhook.replayed': 'Deliveries of a webhook were sent once more',
  'webhook.disabled': 'A webhook was switched off because it had failed for days',
  'webhook.deleted': 'A webhook was deleted',
  'order.created': 'A buyer placed an order',
  'order.nickname_changed': 'A buyer or staff changed the nickname of an order',
  'order.payment_started': 'A buyer chose how to pay an order',
  'order.payment_changed': 'A payment provider told of a payment',
  'order.delivery_changed': 'A plugin told of a delivery',
  'order.redelivered': 'The goods of an order were queued again',
  'order.cancelled': 'Staff cancelled an order',
  'order.refund_requested': 'Staff gave money of an order back',
  'order.payment_reviewed': 'Staff decided about a payment',
  'orders.exported': 'Orders were exported as a file',
  'stats.rebuild_started': 'The statistics are computed again from the orders',
  'order.expired': 'The time to pay an order was over',
  'email.failed': 'An email of the shop could not be sent',
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** A field that a write changed, before and after in words; null: there was, or is, nothing. */
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
