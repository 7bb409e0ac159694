import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { type Delivery } from '../../delivery/deliveries/delivery.types.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { moneyHolder } from '../order/order-rules.js';
import { type Order } from '../order/order.types.js';
import { type EndedBy, type Entitlement, type EntitlingOrder } from './entitlement.types.js';

/** The entitlement of an item that a paid order has bought, as it begins. */
export function newEntitlement(
  shopId: string,
  { id: orderId, buyerKey, items, serverId, nickname }: EntitlingOrder,
  position: number,
  createdAt: Date,
): Entitlement | null {
  const item = items[position];
  if (item === undefined) return null;
  const { productId, countsAs, ownedEverywhere, repeat, quantity, durationDays } = item;
  return {
    ...{ id: newObjectId(), shopId, orderId, position, productId, countsAs, ownedEverywhere, repeat },
    ...{ quantity, durationDays, nickname, nicknameKey: nicknameKeyOf(nickname), buyerKey, createdAt },
    serverId: ownedEverywhere ? null : serverId,
    money: 'unclear',
    state: 'pending',
    startsAt: null,
    endsAt: null,
    endedBy: null,
    endDueAt: null,
  };
}

/** Why an entitlement has ended whose money the buyer got back. What had expired before was not taken away. */
function endingOf(before: Entitlement, { paymentStatus }: Pick<Order, 'paymentStatus'>, now: Date): EndedBy {
  const isOver = before.startsAt !== null && before.endsAt !== null && before.endsAt <= now;
  if (before.endedBy === 'expired' || (before.endedBy === null && isOver)) return 'expired';
  return paymentStatus === 'charged_back' ? 'chargeback' : 'refund';
}

/**
 * An entitlement with what its order and its purchase say now. What has begun stays on its game server, and begins once. An erased player
 * stays erased, also while a delivery keeps the name for what is still to run.
 */
export function withFacts(before: Entitlement, order: EntitlingOrder, purchase: Delivery, now: Date): Entitlement {
  const money = moneyHolder(order);
  const nickname = isErasedNickname(before.nickname) ? before.nickname : (purchase.deliveredTo ?? purchase.nickname);
  const serverId = before.ownedEverywhere ? null : purchase.serverId;
  return {
    ...before,
    nickname,
    nicknameKey: nicknameKeyOf(nickname),
    money,
    endedBy: money === 'buyer' ? endingOf(before, order, now) : null,
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
