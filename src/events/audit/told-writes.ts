import { type NewShopEvent, SHOP_EVENT_TYPES, type ShopEventType } from '../shop-events/shop-event.types.js';
import { type AuditAction } from './audit.types.js';

interface Write {
  readonly action: AuditAction;
  readonly subjectId?: string;
}

/** The actions that are events by themselves. What happens to orders is told with more than the log has of it. */
const TOLD = /^(member|invitation|ownership|api_key)\./;

function isTold(action: AuditAction): action is AuditAction & ShopEventType {
  return TOLD.test(action) && (SHOP_EVENT_TYPES as readonly string[]).includes(action);
}

/** The events of writes that change the team or API keys, with who did it. */
export function toldOf(principal: string, writes: readonly Write[]): NewShopEvent[] {
  return writes.flatMap(({ action, subjectId }) =>
    isTold(action) && subjectId !== undefined ? [{ type: action, subjectId, details: { principal } }] : [],
  );
}
