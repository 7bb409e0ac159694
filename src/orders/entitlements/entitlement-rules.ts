import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { type Delivery, type MoneyHolder } from '../../delivery/deliveries/delivery.types.js';
import { tierOfHead } from '../../catalogue/tier-groups/tier-group-rules.js';
import { type SoldTierGroup, type Tier } from '../../catalogue/tier-groups/tier-group.types.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { keptOf, moneyHolderOf } from '../order/order-rules.js';
import { type Order } from '../order/order.types.js';
import {
  type EndedBy,
  type Entitlement,
  type EntitlementState,
  type EntitlingOrder,
  type OwnedProduct,
} from './entitlement.types.js';

/** The entitlement of an item that a paid order has bought, as it begins. */
export function newEntitlement(
  shopId: string,
  order: EntitlingOrder,
  position: number,
  changedAt: Date,
): Entitlement | null {
  const { id: orderId, buyerKey, items, serverId, nickname } = order;
  const item = items[position];
  if (item === undefined) return null;
  const { productId, countsAs, ownedEverywhere, repeat, quantity, durationDays, upgrade = null, listMinor } = item;
  return {
    ...{ id: newObjectId(), shopId, orderId, position, productId, countsAs, ownedEverywhere, repeat },
    ...{ quantity, durationDays, nickname, nicknameKey: nicknameKeyOf(nickname), buyerKey, changedAt },
    serverId: ownedEverywhere ? null : serverId,
    money: 'unclear',
    state: 'pending',
    startsAt: null,
    endsAt: null,
    endedBy: null,
    endDueAt: null,
    ...{ upgrade, upgradedBy: null, listMinor, paidMinor: 0 },
  };
}

/** Why an entitlement does not count. What had expired before was not taken away; what staff have ended stays so. */
function endingOf(
  before: Entitlement,
  { paymentStatus }: Pick<Order, 'paymentStatus'>,
  money: MoneyHolder,
  now: Date,
): EndedBy | null {
  if (before.endedBy === 'staff') return 'staff';
  if (money !== 'buyer') return null;
  const isOver = before.startsAt !== null && before.endsAt !== null && before.endsAt <= now;
  if (before.endedBy === 'expired' || (before.endedBy === null && isOver)) return 'expired';
  return paymentStatus === 'charged_back' ? 'chargeback' : 'refund';
}

/**
 * An entitlement with what its order and its purchase say now. What has begun stays on its game server, and begins once. An erased player
 * stays erased, also while a delivery keeps the name for what is still to run.
 */
export function withFacts(before: Entitlement, order: EntitlingOrder, purchase: Delivery, now: Date): Entitlement {
  const money = moneyHolderOf(order, order.items[before.position]);
  const nickname = isErasedNickname(before.nickname) ? before.nickname : (purchase.deliveredTo ?? purchase.nickname);
  const serverId = before.ownedEverywhere ? null : purchase.serverId;
  return {
    ...before,
    nickname,
    nicknameKey: nicknameKeyOf(nickname),
    money,
    paidMinor: keptOf(order)[before.position] ?? 0,
    endedBy: endingOf(before, order, money, now),
    ...(before.startsAt === null ? { serverId, startsAt: purchase.deliveredAt } : {}),
  };
}

/** The player whose purchases are together: an erased one only as long as a delivery keeps the name. */
export function playerOf({ nicknameKey }: Entitlement, purchase: Delivery | undefined): string {
  if (!isErasedNickname(nicknameKey) || purchase === undefined) return nicknameKey;
  return nicknameKeyOf(purchase.deliveredTo ?? purchase.nickname);
}

/** Whether a purchase is part of a chain: it is not for itself, and it is known where it is owned. */
export function isChained({ repeat, serverId, ownedEverywhere }: Entitlement): boolean {
  return repeat !== 'parallel' && (ownedEverywhere || serverId !== null);
}

/** Whether a purchase has replaced another one, or was replaced. */
export function isInUpgrade({ upgrade, upgradedBy }: Pick<Entitlement, 'upgrade' | 'upgradedBy'>): boolean {
  return upgrade !== null || upgradedBy !== null;
}

/** The state as readers see it: what is over has ended, also before the job has seen it. */
export function shownState({ state, endsAt }: Pick<Entitlement, 'state' | 'endsAt'>, now: Date): EntitlementState {
  return endsAt !== null && endsAt <= now ? 'ended' : state;
}

/** Whether its player has it now, also while its money is in doubt. */
export function isHad(entitlement: Entitlement, now: Date): boolean {
  const state = shownState(entitlement, now);
  return entitlement.startsAt !== null && (state === 'active' || state === 'held');
}

/**
 * What a player owns of a product.
 * @param entitlements of all purchases that count as it, or as a higher tier of its group
 */
export function ownedProductOf(
  product: Pick<OwnedProduct, 'productId' | 'countsAs'>,
  entitlements: readonly Entitlement[],
  groups: readonly SoldTierGroup[],
  now: Date,
): OwnedProduct {
  const isOpen = (one: Entitlement): boolean => shownState(one, now) !== 'ended';
  const owned = entitlements.filter((one) => isOpen(one) && one.startsAt !== null && one.state !== 'pending');
  const ends = owned.map(({ endsAt }) => endsAt?.getTime() ?? Infinity);
  const [until, since] = [Math.max(...ends), Math.min(...owned.map(({ startsAt }) => startsAt?.getTime() ?? Infinity))];
  const tiers = owned.map(({ countsAs }) => tierOfHead(countsAs, groups)).filter((tier) => tier !== null);
  return {
    ...product,
    owned: owned.length > 0,
    pending: entitlements.some((one) => isOpen(one) && !owned.includes(one)),
    since: Number.isFinite(since) ? new Date(since) : null,
    until: Number.isFinite(until) ? new Date(until) : null,
    tier: tiers.reduce<Tier | null>((highest, tier) => (tier.rank > (highest?.rank ?? 0) ? tier : highest), null),
  };
}
