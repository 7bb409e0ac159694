import { type ShopEventType } from '../../events/shop-events/shop-event-details.js';
import { SHOP_EVENT_TYPES, SHOP_EVENTS } from '../../events/shop-events/shop-event.types.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { permissionsFor } from './webhook-rules.js';
import { type Webhook, type WebhookFilter } from './webhook.types.js';

/** The events that a caller cannot read. */
export function hiddenFrom({ permissions }: Pick<ShopContext, 'permissions'>): ShopEventType[] {
  return SHOP_EVENT_TYPES.filter((type) => !permissions.has(SHOP_EVENTS[type].permission));
}

/** Why a caller cannot have these events, in one sentence; null when they can. */
export function eventsProblem(
  { permissions }: Pick<ShopContext, 'permissions'>,
  events: readonly WebhookFilter[],
): string | null {
  const missing = permissionsFor(events).filter((permission) => !permissions.has(permission));
  if (missing.length === 0) return null;
  return `The events of the webhook need permissions that you do not have: ${missing.join(', ')}`;
}

/**
 * The webhook, if the caller can read all of its events. Whoever sees or changes a webhook reads them in its log, sends them elsewhere, or stops
 * them.
 * @throws AppError webhook_not_found, permission_missing
 */
export function requireAccess(context: ShopContext, webhook: Webhook | null): Webhook {
  const found = orNotFound(webhook, 'webhook_not_found');
  const message = eventsProblem(context, found.events);
  if (message !== null) throw new AppError('permission_missing', { message });
  return found;
}
