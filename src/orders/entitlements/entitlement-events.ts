import { type EntitlementDetails } from '../../events/shop-events/shop-event-details.js';
import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { type Entitlement } from './entitlement.types.js';

export type EntitlementEventType = 'entitlement.started' | 'entitlement.extended' | 'entitlement.ended';

/** What has become of an entitlement. */
export interface EntitlementChange {
  /** null: it is new. */
  readonly before: Entitlement | null;
  readonly after: Entitlement;
  /** Whether its player owns the same by another purchase. */
  readonly isCovered: boolean;
}

const hasBegun = (one: Entitlement | null): boolean => one !== null && one.startsAt !== null;

/** What was delivered and has ended, or the other way round, is an event; what is paid, or in doubt, is none. */
function typeOf({ before, after, isCovered }: EntitlementChange): EntitlementEventType | null {
  const wasOwned = hasBegun(before) && before?.state !== 'ended';
  const isOwned = hasBegun(after) && after.state !== 'ended';
  if (wasOwned === isOwned) return null;
  if (!isOwned) return 'entitlement.ended';
  return isCovered ? 'entitlement.extended' : 'entitlement.started';
}

function detailsOf({ after, isCovered }: EntitlementChange): EntitlementDetails {
  const { id, position, productId, countsAs, serverId, nickname, quantity, startsAt, endsAt, endedBy } = after;
  const times = { since: startsAt?.toISOString() ?? null, until: endsAt?.toISOString() ?? null };
  return { id, position, productId, countsAs, serverId, nickname, quantity, ...times, endedBy, stillOwned: isCovered };
}

/** The events of changed entitlements, whose subjects are their orders. */
export function entitlementEvents(changes: readonly EntitlementChange[]): NewShopEvent<EntitlementEventType>[] {
  return changes.flatMap((change) => {
    const type = typeOf(change);
    return type === null ? [] : [{ type, subjectId: change.after.orderId, details: detailsOf(change) }];
  });
}
