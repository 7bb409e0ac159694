import { type CommandStages } from '../../catalogue/commands/command-list.types.js';
import { canMove } from '../../lib/states/transitions.js';
import { isUnreported, shownState, stageCommands, stateOfAll } from './delivery-rules.js';
import { DELIVERY_TRANSITIONS, REDELIVERY_TRANSITIONS } from './delivery-transitions.js';
import {
  type Delivery,
  type DeliveryKind,
  type DeliveryState,
  isDone,
  type ItemProgress,
  type ItemTerms,
  type MoneyHolder,
  type NewDelivery,
  type PurchaseStage,
  type Received,
} from './delivery.types.js';

/** The deliveries of one item of an order. */
export interface ItemDeliveries {
  readonly purchase: Delivery;
  readonly takeBack: Delivery | undefined;
  readonly expiry: Delivery | undefined;
}

/** A delivery that must be added, queued again as `delivery` says, run with other commands, or that is not needed any more. */
export type FollowUp =
  | { readonly to: 'added'; readonly delivery: NewDelivery }
  | { readonly to: 'staged'; readonly before: Delivery; readonly stage: PurchaseStage }
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
export const ranAfter = (followUp: Delivery | undefined, { deliveredAt }: Delivery): boolean =>
  followUp?.deliveredAt != null && deliveredAt !== null && followUp.deliveredAt >= deliveredAt;

/** Whether the player has an item: it was delivered, and has neither ended nor been revoked since. */
export const isHeld = ({ purchase, takeBack, expiry }: ItemDeliveries): boolean =>
  purchase.deliveredAt !== null && !ranAfter(takeBack, purchase) && !ranAfter(expiry, purchase);

/** Whether something can follow from the terms of an item, so that its commands must be read. */
export function hasFollowUps({ purchase, takeBack, expiry }: ItemDeliveries, terms: ItemTerms): boolean {
  const { expiresAt, isRevoked, isLost, isReplaced, stage } = terms;
  const isMoving = purchase.transferFrom !== null;
  const isStarted = purchase.deliveredAt !== null && (isRevoked || isMoving || expiresAt !== null);
  const isRestaged = purchase.state === 'queued' && (stage !== purchase.stage || isReplaced);
  return takeBack !== undefined || expiry !== undefined || isStarted || isLost || isRestaged;
}

/**
 * What must change in the deliveries of an item, from their states and its terms alone. So it does not matter in which order payments
 * and reports arrive, or how often: when all of it is done, nothing follows any more.
 *
 * What was delivered is revoked when its player must not keep it, unless its time is over or a plugin is just ending it. Otherwise it
 * expires at its time. An item without commands for its revocation expires also when it is revoked. What staff transfer is taken back from
 * the one player, and then given to the other one (`isLost`).
 * @param stages the commands of the item
 */
export function followUpsOf(item: ItemDeliveries, terms: ItemTerms, stages: CommandStages, now: Date): FollowUp[] {
  const { purchase, takeBack, expiry } = item;
  const hasItem = isHeld(item);
  const expiresAt = hasItem && stages.expiryCommands.length > 0 ? terms.expiresAt : null;
  const isEnding = expiresAt !== null && expiry?.state === 'leased';
  const isMoving = purchase.transferFrom !== null;
  const isTaken = terms.isRevoked || isMoving;
  const isRevoking = hasItem && isTaken && stages.takeBackCommands.length > 0 && !isEnding;
  // What cannot be taken back is given at once.
  const isLost = terms.isLost || (isMoving && stages.takeBackCommands.length === 0);
  // Without commands of its own an extension or an upgrade gives the item as a first purchase does.
  const stage = stageCommands(stages, terms.stage) === null ? 'first' : terms.stage;
  return [
    terms.isRevoked ? revocationOf(purchase) : givingAgain(purchase, { ...terms, isLost, stage }, now),
    isRevoking ? queueing(purchase, 'take_back', takeBack, purchase.deliveredAt ?? now, now) : revocation(takeBack),
    expiresAt !== null && !isRevoking ? queueing(purchase, 'expiry', expiry, expiresAt, now) : revocation(expiry),
  ].filter((followUp) => followUp !== null);
}

/** Whether a purchase can run once more: it is done, or what had replaced it had it revoked. */
const isGiven = ({ state }: Delivery): boolean =>
  (isDone(state) && canMove(REDELIVERY_TRANSITIONS, state, 'queued')) ||
  (state === 'revoked' && canMove(DELIVERY_TRANSITIONS, state, 'queued'));

function givingAgain(before: Delivery, { isLost, isReplaced, stage }: ItemTerms, now: Date): FollowUp | null {
  if (isReplaced) return before.state === 'queued' ? { to: 'revoked', before } : null;
  if (isLost && isGiven(before)) {
    const delivery = { ...before, nickname: before.deliveredTo ?? before.nickname, dueAt: now, stage };
    return { to: 'queued', before, delivery };
  }
  return before.state === 'queued' && before.stage !== stage ? { to: 'staged', before, stage } : null;
}

/** A purchase that was to run once more gives nothing that its player must not keep. */
const revocationOf = (purchase: Delivery): FollowUp | null =>
  purchase.state === 'queued' ? revocation(purchase) : null;

function revocation(before: Delivery | undefined): FollowUp | null {
  if (before === undefined || before.state === 'revoked') return null;
  return canMove(DELIVERY_TRANSITIONS, before.state, 'revoked') ? { to: 'revoked', before } : null;
}

function queueing(
  purchase: Delivery,
  kind: 'take_back' | 'expiry',
  before: Delivery | undefined,
  dueAt: Date,
  createdAt: Date,
): FollowUp | null {
  const { orderId, serverId, position, quantity, commandListId, requiresOnline, isRehearsal, moneyIsBack } = purchase;
  const delivery: NewDelivery = {
    ...{ orderId, serverId, kind, position, quantity, commandListId, requiresOnline, isRehearsal, moneyIsBack },
    nickname: purchase.transferFrom ?? purchase.deliveredTo ?? purchase.nickname,
    stage: 'first',
    dueAt,
    createdAt,
  };
  if (before === undefined) return { to: 'added', delivery };
  const isWaiting = before.state === 'queued';
  const isSame = before.nickname === delivery.nickname && before.dueAt.getTime() === delivery.dueAt.getTime();
  // The item was delivered again: it expires later, or under another name, or is revoked once more.
  const isOutdated = isWaiting ? !isSame : canMove(DELIVERY_TRANSITIONS, before.state, 'queued');
  return isOutdated || isDone(before.state) ? { to: 'queued', before, delivery } : null;
}

/** The state of one item. What was taken away again is `revoked`, and `failed` or `uncertain` when a plugin could not do it or cannot tell. */
function stateOfItem({ purchase, takeBack }: ItemDeliveries): DeliveryState {
  const isOpen = takeBack?.state === 'failed' || takeBack?.state === 'uncertain';
  if (isOpen && purchase.moneyIsBack) return takeBack.state;
  return isDone(purchase.state) && ranAfter(takeBack, purchase) ? 'revoked' : purchase.state;
}

/** How far an item has come, for its buyer. */
export function itemProgressOf(item: ItemDeliveries, now: Date): ItemProgress {
  const { position, requiresOnline, deliveredAt, dueAt } = item.purchase;
  const state = shownState({ state: stateOfItem(item), dueAt }, now);
  return { position, state, requiresOnline, deliveredAt, isUnreported: isUnreported(item.purchase) };
}

/** Whether nothing is left to see of an item that a refund took back: neither its purchase nor its take-back needs a person. */
const isOut = ({ purchase, takeBack }: ItemDeliveries): boolean =>
  purchase.moneyIsBack &&
  purchase.state !== 'uncertain' &&
  takeBack?.state !== 'failed' &&
  takeBack?.state !== 'uncertain';

/**
 * The delivery status of each order. An order without deliveries is not in the result. What a refund took back of an order does not count
 * beside the rest.
 */
export function deliveryStatesOf(items: readonly ItemDeliveries[]): ReadonlyMap<string, DeliveryState> {
  const byOrder = new Map<string, ItemDeliveries[]>();
  for (const item of items) {
    const { orderId } = item.purchase;
    byOrder.set(orderId, [...(byOrder.get(orderId) ?? []), item]);
  }
  return new Map(
    [...byOrder].map(([orderId, ofOrder]) => {
      const hasRest = ofOrder.some(({ purchase }) => !purchase.moneyIsBack);
      const shown = hasRest ? ofOrder.filter((item) => !isOut(item)) : ofOrder;
      return [orderId, stateOfAll(shown.map(stateOfItem))];
    }),
  );
}

/** What the player of an order has received. `revoked`: everything that was delivered was removed again. */
export function receivedOf(items: readonly ItemDeliveries[]): Received {
  const delivered = items.filter(({ purchase }) => purchase.deliveredAt !== null);
  if (delivered.length === 0) return 'nothing';
  const kept = delivered.filter(({ purchase, takeBack }) => !ranAfter(takeBack, purchase));
  if (kept.length === 0) return 'revoked';
  return kept.length === items.length ? 'everything' : 'part';
}

/** Which deliveries staff can queue again: those that are open (failed or uncertain), or else those that were delivered. */
const REDELIVERED: Readonly<Record<MoneyHolder, Readonly<Record<'open' | 'done', readonly DeliveryKind[]>>>> = {
  // A take-back of what staff have ended. One that is not needed any more is revoked at once.
  shop: { open: ['purchase', 'take_back', 'expiry'], done: ['purchase'] },
  buyer: { open: ['take_back', 'expiry'], done: ['take_back'] },
  unclear: { open: [], done: [] },
};

/** Who has the money of a delivery: that of one item can be back while the shop keeps the rest. */
const moneyOf = ({ moneyIsBack }: Pick<Delivery, 'moneyIsBack'>, ofOrder: MoneyHolder): MoneyHolder =>
  moneyIsBack && ofOrder === 'shop' ? 'buyer' : ofOrder;

/**
 * The deliveries of an order that a redelivery queues again: what failed; or, when nothing failed, what is uncertain; or, when nothing is, what
 * was delivered. What a refund took back of an order is not taken a second time with the rest: the player may have bought it again.
 */
export function redelivered(deliveries: readonly Delivery[], money: MoneyHolder): Delivery[] {
  const within = (group: 'open' | 'done', ...from: readonly DeliveryState[]): Delivery[] =>
    deliveries
      .filter((delivery) => from.includes(delivery.state) && isWithin(group, delivery, money))
      .filter(({ transferFrom }) => transferFrom === null)
      .filter(({ state }) => canMove(REDELIVERY_TRANSITIONS, state, 'queued'));
  const groups = [within('open', 'failed'), within('open', 'uncertain'), within('done', 'delivered', 'handed_over')];
  return groups.find((group) => group.length > 0) ?? [];
}

function isWithin(group: 'open' | 'done', delivery: Delivery, ofOrder: MoneyHolder): boolean {
  const money = moneyOf(delivery, ofOrder);
  return (group === 'open' || money === ofOrder) && REDELIVERED[money][group].includes(delivery.kind);
}

/** Why a delivery that staff chose among others cannot be queued again. */
export const REDELIVERY_PROBLEMS = ['not_found', 'not_failed', 'money_elsewhere', 'server_deleted'] as const;
export type RedeliveryProblem = (typeof REDELIVERY_PROBLEMS)[number];

/** Why a delivery cannot be queued again with others; null: it can. Only what failed can, never what was delivered. */
export function redeliveryProblem(
  { state, kind, moneyIsBack }: Pick<Delivery, 'state' | 'kind' | 'moneyIsBack'>,
  money: MoneyHolder,
  isReachable: boolean,
): RedeliveryProblem | null {
  if (state !== 'failed') return 'not_failed';
  if (!REDELIVERED[moneyOf({ moneyIsBack }, money)].open.includes(kind)) return 'money_elsewhere';
  return isReachable ? null : 'server_deleted';
}
