import { type CommandStages } from '../../catalogue/commands/command-list.types.js';
import { canMove } from '../../lib/states/transitions.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { stateOfAll } from './delivery-rules.js';
import { DELIVERY_TRANSITIONS, REDELIVERY_TRANSITIONS } from './delivery-transitions.js';
import {
  type Delivery,
  type DeliveryKind,
  type DeliveryState,
  type MoneyHolder,
  type NewDelivery,
  type Received,
} from './delivery.types.js';

/** The deliveries of one item of an order. */
export interface ItemDeliveries {
  readonly purchase: Delivery;
  readonly takeBack: Delivery | undefined;
  readonly expiry: Delivery | undefined;
}

/** A delivery that must be added, queued again as `delivery` says, or that is not needed any more. */
export type FollowUp =
  | { readonly to: 'added'; readonly delivery: NewDelivery }
  | { readonly to: 'queued'; readonly before: Delivery; readonly delivery: NewDelivery }
  | { readonly to: 'revoked'; readonly before: Delivery };

/** Deliveries as the items that they belong to, with the order of each item. */
export function itemsOf(deliveries: readonly Delivery[]): ItemDeliveries[] {
  const byName = new Map(
    deliveries.map((delivery) => [`${delivery.orderId} ${delivery.kind} ${delivery.position}`, delivery]),
  );
  return deliveries
    .filter(({ kind }) => kind === 'purchase')
    .map((purchase) => {
      const other = (kind: DeliveryKind): Delivery | undefined =>
        byName.get(`${purchase.orderId} ${kind} ${purchase.position}`);
      return { purchase, takeBack: other('take_back'), expiry: other('expiry') };
    });
}

/** Whether a take-back or an expiry ran after the latest delivery of the purchase. */
const ranAfter = (followUp: Delivery | undefined, { deliveredAt }: Delivery): boolean =>
  followUp?.deliveredAt != null && deliveredAt !== null && followUp.deliveredAt >= deliveredAt;

/** Whether the player has an item: it was delivered, and has neither ended nor been revoked since. */
export const isHeld = ({ purchase, takeBack, expiry }: ItemDeliveries): boolean =>
  purchase.deliveredAt !== null && !ranAfter(takeBack, purchase) && !ranAfter(expiry, purchase);

/** Whether something can follow from the delivery of an item, so that its commands must be read. */
export function hasFollowUps({ purchase, takeBack, expiry }: ItemDeliveries): boolean {
  const { deliveredAt, moneyIsBack, durationDays } = purchase;
  return (
    takeBack !== undefined || expiry !== undefined || (deliveredAt !== null && (moneyIsBack || durationDays !== null))
  );
}

/**
 * What must change in the revocation and the expiry of an item, from the state of its deliveries alone. So it does not matter in
 * which order payments and reports arrive, or how often: when all of it is done, nothing follows any more.
 *
 * What was delivered is revoked when the money went back, unless its time is over or a plugin is just ending it. Otherwise it
 * expires at its time. An item without commands for its revocation expires also when the money went back.
 * @param stages the commands of the item
 */
export function followUpsOf(item: ItemDeliveries, stages: CommandStages, now: Date): FollowUp[] {
  const { purchase, takeBack, expiry } = item;
  const hasItem = isHeld(item);
  const canExpire = hasItem && purchase.durationDays !== null && stages.expiryCommands.length > 0;
  const isEnding = canExpire && expiry?.state === 'leased';
  const isRevoking = hasItem && purchase.moneyIsBack && stages.takeBackCommands.length > 0 && !isEnding;
  return [
    isRevoking ? queueing(purchase, 'take_back', takeBack, now) : revocation(takeBack),
    canExpire && !isRevoking ? queueing(purchase, 'expiry', expiry, now) : revocation(expiry),
  ].filter((followUp) => followUp !== null);
}

function revocation(before: Delivery | undefined): FollowUp | null {
  if (before === undefined || before.state === 'revoked') return null;
  return canMove(DELIVERY_TRANSITIONS, before.state, 'revoked') ? { to: 'revoked', before } : null;
}

function queueing(
  purchase: Delivery,
  kind: 'take_back' | 'expiry',
  before: Delivery | undefined,
  createdAt: Date,
): FollowUp | null {
  const { orderId, serverId, position, quantity, commandListId, requiresOnline, isRehearsal, moneyIsBack } = purchase;
  const deliveredAt = purchase.deliveredAt ?? createdAt;
  const days = kind === 'expiry' ? (purchase.durationDays ?? 0) : 0;
  const delivery: NewDelivery = {
    ...{ orderId, serverId, kind, position, quantity, commandListId, requiresOnline, isRehearsal, moneyIsBack },
    nickname: purchase.deliveredTo ?? purchase.nickname,
    durationDays: null,
    dueAt: new Date(deliveredAt.getTime() + days * DAY_MS),
    createdAt,
  };
  if (before === undefined) return { to: 'added', delivery };
  const isWaiting = before.state === 'queued';
  const isSame = before.nickname === delivery.nickname && before.dueAt.getTime() === delivery.dueAt.getTime();
  // The item was delivered again: it expires later, or under another name, or is revoked once more.
  const isOutdated = isWaiting ? !isSame : canMove(DELIVERY_TRANSITIONS, before.state, 'queued');
  return isOutdated || before.state === 'delivered' ? { to: 'queued', before, delivery } : null;
}

/** The state of one item. What was taken away again is `revoked`, and `failed` when a plugin could not do it. */
function stateOfItem({ purchase, takeBack }: ItemDeliveries): DeliveryState {
  if (takeBack?.state === 'failed' && purchase.moneyIsBack) return 'failed';
  return purchase.state === 'delivered' && ranAfter(takeBack, purchase) ? 'revoked' : purchase.state;
}

/** The delivery status of each order. An order without deliveries is not in the result. */
export function deliveryStatesOf(items: readonly ItemDeliveries[]): ReadonlyMap<string, DeliveryState> {
  const states = new Map<string, DeliveryState[]>();
  for (const item of items) {
    const { orderId } = item.purchase;
    states.set(orderId, [...(states.get(orderId) ?? []), stateOfItem(item)]);
  }
  return new Map([...states].map(([orderId, ofOrder]) => [orderId, stateOfAll(ofOrder)]));
}

/** What the player of an order has received. `revoked`: everything that was delivered was removed again. */
export function receivedOf(items: readonly ItemDeliveries[]): Received {
  const delivered = items.filter(({ purchase }) => purchase.deliveredAt !== null);
  if (delivered.length === 0) return 'nothing';
  const kept = delivered.filter(({ purchase, takeBack }) => !ranAfter(takeBack, purchase));
  if (kept.length === 0) return 'revoked';
  return kept.length === items.length ? 'everything' : 'part';
}

/** Which deliveries staff can queue again: those that failed, or else those that were delivered. */
const REDELIVERED: Readonly<Record<MoneyHolder, Readonly<Record<'failed' | 'delivered', readonly DeliveryKind[]>>>> = {
  shop: { failed: ['purchase', 'expiry'], delivered: ['purchase'] },
  buyer: { failed: ['take_back', 'expiry'], delivered: ['take_back'] },
  unclear: { failed: [], delivered: [] },
};

/** The deliveries of an order that a redelivery queues again. */
export function redelivered(deliveries: readonly Delivery[], money: MoneyHolder): Delivery[] {
  const within = (from: 'failed' | 'delivered'): Delivery[] =>
    canMove(REDELIVERY_TRANSITIONS, from, 'queued')
      ? deliveries.filter(({ state, kind }) => state === from && REDELIVERED[money][from].includes(kind))
      : [];
  const failed = within('failed');
  return failed.length > 0 ? failed : within('delivered');
}
