import { type CommandStages } from '../../catalogue/commands/command-list.types.js';
import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { DAY_MS, HOUR_MS } from '../../lib/time/durations.js';
import { type Delivery, type DeliveryState } from './delivery.types.js';
import { isHeld, type ItemDeliveries } from './follow-ups.js';

/**
 * For how many days after its delivery an item may be revoked: buyers of PayPal can open a dispute for 180 days, those of most cards for
 * 120. What has failed can be queued again for as long.
 */
export const REVOCABLE_DAYS = 180;

/** What is still to run for an item that its player has. */
export interface RunningItem {
  readonly orderId: string;
  readonly position: number;
  /** When its time ends; null: it does not expire. */
  readonly expiresAt: Date | null;
  /** Whether its revocation waits for a game server. */
  readonly isRevoking: boolean;
  /** Until when a refund or a lost dispute revokes it; null: nothing does. */
  readonly revocableUntil: Date | null;
}

const AHEAD: ReadonlySet<DeliveryState> = new Set(['queued', 'held', 'leased']);

const plusDays = (at: Date): Date => new Date(at.getTime() + REVOCABLE_DAYS * DAY_MS);

/** States in which nothing runs by itself, and staff may queue the delivery again. */
const OPEN: ReadonlySet<DeliveryState> = new Set(['failed', 'uncertain']);

/** Whether a delivery is still to run, or may be queued again. */
const isAhead = ({ state, dueAt }: Delivery, now: Date): boolean =>
  AHEAD.has(state) || (OPEN.has(state) && plusDays(dueAt) > now);

/** The deliveries of an item that are still to run. A purchase that was delivered before can be on its way once more. */
const aheadOf = ({ purchase, takeBack, expiry }: ItemDeliveries, now: Date): Delivery[] =>
  [purchase, takeBack, expiry]
    .filter((delivery) => delivery !== undefined)
    .filter((delivery) => isAhead(delivery, now));

/** Until when an item may be revoked that its player has; null: nothing revokes it. @param stages the commands of the item */
function revocableUntil(item: ItemDeliveries, { takeBackCommands }: CommandStages, now: Date): Date | null {
  const { deliveredAt } = item.purchase;
  if (!isHeld(item) || deliveredAt === null || takeBackCommands.length === 0) return null;
  const until = plusDays(deliveredAt);
  return until > now ? until : null;
}

/** Nobody has an item any more whose player is not known. */
const isNamed = ({ purchase }: ItemDeliveries): boolean =>
  purchase.deliveredAt !== null && !isErasedNickname(purchase.deliveredTo ?? purchase.nickname);

/**
 * The deliveries of an item that keep the name of an erased buyer: what is still to run, and the purchase, from which the name of what
 * follows is taken. None when all has run.
 * @param stages the commands of the item
 */
export function keepersOf(item: ItemDeliveries, stages: CommandStages, now: Date): readonly Delivery[] {
  if (!isNamed(item)) return [];
  const ahead = aheadOf(item, now);
  if (ahead.length === 0 && revocableUntil(item, stages, now) === null) return [];
  return [item.purchase, ...ahead.filter((delivery) => delivery !== item.purchase)];
}

/** What is still to run for an item; null: nothing. @param stages the commands of the item */
export function runningOf(item: ItemDeliveries, stages: CommandStages, now: Date): RunningItem | null {
  if (keepersOf(item, stages, now).length === 0) return null;
  const { purchase, takeBack, expiry } = item;
  const isWaiting = (delivery: Delivery | undefined): delivery is Delivery =>
    delivery !== undefined && isAhead(delivery, now);
  return {
    ...{ orderId: purchase.orderId, position: purchase.position },
    expiresAt: isWaiting(expiry) ? expiry.dueAt : null,
    isRevoking: isWaiting(takeBack),
    revocableUntil: revocableUntil(item, stages, now),
  };
}

/** When it is checked again whether deliveries must keep a name: each day, and more often while one of them is due. */
export function nextNameCheck(keepers: readonly Delivery[], now: Date): Date {
  const soonest = Math.min(...keepers.filter(({ state }) => AHEAD.has(state)).map(({ dueAt }) => dueAt.getTime()));
  return new Date(Math.min(now.getTime() + DAY_MS, Math.max(soonest, now.getTime() + HOUR_MS)));
}
