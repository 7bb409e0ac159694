import { type EntitlementDetails, type ShopEventType } from '../../events/shop-events/shop-event-details.js';
import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { type Entitlement } from './entitlement.types.js';

export type EntitlementEventType = Extract<ShopEventType, `entitlement.${string}`>;

/** What has become of an entitlement. */
export interface EntitlementChange {
  /** null: it is new. */
  readonly before: Entitlement | null;
  readonly after: Entitlement;
  /** Whether its player owns the same by another purchase. */
  readonly isCovered: boolean;
}

const isOwned = (one: Entitlement | null): one is Entitlement =>
  one !== null && one.startsAt !== null && one.state !== 'ended';

/** What was delivered and has ended, or has another player, is an event, and also what is owned again; what is paid, or in doubt, is none. */
function eventOf(change: EntitlementChange): NewShopEvent<EntitlementEventType> | null {
  const { before, after, isCovered } = change;
  const [subjectId, details] = [after.orderId, detailsOf(change)];
  if (isOwned(before) && isOwned(after)) {
    if (before.nicknameKey === after.nicknameKey) return null;
    const transfer = { ...details, previousNickname: before.nickname };
    return { type: 'entitlement.transferred', subjectId, details: transfer };
  }
  if (isOwned(before)) return { type: 'entitlement.ended', subjectId, details };
  if (!isOwned(after)) return null;
  return { type: isCovered ? 'entitlement.extended' : 'entitlement.started', subjectId, details };
}

function detailsOf({ after, isCovered }: EntitlementChange): EntitlementDetails {
  const { id, position, productId, countsAs, serverId, nickname, quantity, startsAt, endsAt, endedBy } = after;
  const times = { since: startsAt?.toISOString() ?? null, until: endsAt?.toISOString() ?? null };
  return { id, position, productId, countsAs, serverId, nickname, quantity, ...times, endedBy, stillOwned: isCovered };
}

/** The events of changed entitlements, whose subjects are their orders. */
export function entitlementEvents(changes: readonly EntitlementChange[]): NewShopEvent<EntitlementEventType>[] {
  return changes.flatMap((change) => eventOf(change) ?? []);
}
