/** What can be done to a shop, and how the log says it: action -> what happened. Each write of a service names one. */
export const AUDIT_ACTIONS = {
  'shop.created': 'The shop was created',
  'shop.updated': 'Settings of the shop were changed',
  'shop.deactivated': 'The shop was closed to the public',
  'shop.reactivated': 'The shop was opened to the public again',
  'domain.claimed': 'A custom domain was claimed',
  'domain.verified': 'A custom domain was verified',
  'domain.removed': 'The custom domain was removed',
  'domain.lost': 'The custom domain was removed because its TXT record was missing',
  'member.invited': 'Somebody was invited to the team',
  'member.joined': 'Somebody joined the team',
  'member.declined': 'Somebody declined an invitation',
  'member.role_changed': 'The role of a member was changed',
  'member.removed': 'A member was removed from the team',
  'member.left': 'A member left the team',
  'invitation.revoked': 'An invitation was revoked',
  'ownership.transferred': 'The ownership was transferred to another member',
  'api_key.created': 'An API key was created',
  'api_key.updated': 'An API key was changed',
  'api_key.rotated': 'An API key was rotated',
  'api_key.revoked': 'An API key was revoked',
  'product.created': 'A product was created',
  'product.updated': 'A product was changed',
  'product.deleted': 'A product was deleted',
  'category.created': 'A category of products was created',
  'category.updated': 'A category of products was changed',
  'category.deleted': 'A category of products was deleted; its products have no category now',
  'server.created': 'A game server was added',
  'server.updated': 'A game server was changed',
  'server.deleted': 'A game server was deleted',
  'discount.created': 'A discount code was created',
  'discount.updated': 'A discount code was changed',
  'discount.deleted': 'A discount code was deleted',
  'ban.created': 'A buyer was banned',
  'ban.deleted': 'A ban was ended',
  'buyer.exported': 'What is stored about a buyer was exported',
  'buyer.erased': 'The identity of a buyer was replaced by keyed hashes',
  'payment_provider.configured': 'A payment provider was configured',
  'payment_provider.removed': 'A payment provider was removed',
  'payment_provider.secret_rotated': 'The webhook address of a payment provider was changed',
  'payment_event.replayed': 'An event of a payment provider was applied again',
  'webhook.created': 'A webhook was created',
  'webhook.updated': 'A webhook was changed',
  'webhook.secret_rotated': 'The signing secret of a webhook was rotated',
  'webhook.tested': 'A test event was sent to a webhook',
  'webhook.replayed': 'Deliveries of a webhook were replayed',
  'webhook.disabled': 'A webhook was switched off because it had failed for days',
  'webhook.deleted': 'A webhook was deleted',
  'order.created': 'A buyer placed an order',
  'order.nickname_changed': 'A buyer or staff changed the nickname of an order',
  'order.payment_started': 'A buyer started the payment of an order',
  'order.payment_changed': 'A payment provider reported a payment',
  'order.delivery_changed': 'A plugin reported a delivery',
  'order.redelivered': 'The deliveries of an order were queued again',
  'order.cancelled': 'Staff cancelled an order',
  'order.refund_requested': 'Staff requested a refund of an order',
  'order.payment_reviewed': 'Staff decided about a payment',
  'orders.exported': 'Orders were exported as a file',
  'stats.rebuild_started': 'A rebuild of the statistics was started',
  'order.expired': 'An unpaid order expired',
  'email.failed': 'An email of the shop could not be sent',
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

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
