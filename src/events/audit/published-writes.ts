import { type NewShopEvent, SHOP_EVENT_TYPES, type ShopEventType } from '../shop-events/shop-event.types.js';
import { type AuditAction } from './audit.types.js';

interface Write {
  readonly action: AuditAction;
  readonly subjectId?: string;
}

/** The audited actions that are also events. Events of orders have more details than the audit log, so other services record them. */
const SHOP_EVENT_ACTIONS = /^(member|invitation|ownership|api_key)\./;

function isShopEvent(action: AuditAction): action is AuditAction & ShopEventType {
  return SHOP_EVENT_ACTIONS.test(action) && (SHOP_EVENT_TYPES as readonly string[]).includes(action);
}

/** Returns the events of writes that change the team or API keys, with the principal that made the change. */
export function shopEventsOf(principal: string, writes: readonly Write[]): NewShopEvent[] {
  return writes.flatMap(({ action, subjectId }) =>
    isShopEvent(action) && subjectId !== undefined ? [{ type: action, subjectId, details: { principal } }] : [],
  );
}
