import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type MissingPart, type Order, type OrderItem } from '../order/order.types.js';
import { EntitlementsRepository } from './entitlements.repository.js';
import { isKept } from './chain-rules.js';
import { shownState } from './entitlement-rules.js';
import { type Entitlement } from './entitlement.types.js';

type UpgradingOrder = Pick<Order, 'id' | 'shopId' | 'nicknameKey' | 'items' | 'serverId'>;

/**
 * Takes what an order replaces when it is paid, not when it is placed: everybody can type the name of a player, and an unpaid order must
 * not lock what that player has paid. Of several orders for the same lower tier, the first that is paid gets it.
 */
@Injectable()
export class UpgradesService {
  constructor(private readonly entitlements: EntitlementsRepository) {}

  /**
   * Marks what an order replaces as replaced by it, in the transaction that pays it. Concurrent payments write the same records, so one of them
   * runs again and finds them taken.
   * @returns why a person has to decide about the order; empty when nobody has to. Without a tier, nothing is read
   */
  async take(order: UpgradingOrder, transaction: Transaction): Promise<readonly MissingPart[]> {
    const missing: MissingPart[] = [];
    for (const item of order.items) {
      if (item.tiers !== undefined) missing.push(...(await this.takeFor(order, item, item.tiers, transaction)));
    }
    return missing;
  }

  private async takeFor(
    { id, shopId, nicknameKey, serverId }: UpgradingOrder,
    { upgrade, countsAs, netMinor, ownedEverywhere }: OrderItem,
    tiers: readonly string[],
    transaction: Transaction,
  ): Promise<MissingPart[]> {
    const now = new Date();
    const owned = await this.entitlements.ofPlayers(shopId, [nicknameKey], tiers, transaction);
    const isHere = (one: Entitlement): boolean => ownedEverywhere || one.serverId === null || one.serverId === serverId;
    const higher = tiers.slice(tiers.indexOf(countsAs) + 1);
    const isBelow = owned.some(
      (one) => one.orderId !== id && higher.includes(one.countsAs) && isHere(one) && shownState(one, now) !== 'ended',
    );
    if (isBelow) return [{ code: 'tier_lower', amountMinor: netMinor }];
    if (upgrade === undefined) return [];
    const base = owned.filter((one) => upgrade.entitlementIds.includes(one.id));
    // What has expired since the order was placed is no reason: its price was promised.
    const isThere = base.length === upgrade.entitlementIds.length && base.every((one) => isFree(one, id, owned));
    const isTaken = isThere && (await this.entitlements.replace(shopId, base, id, now, transaction));
    return isTaken ? [] : [{ code: 'base_missing', amountMinor: upgrade.creditMinor }];
  }

  /** All that a player has, or has had, of these tiers, for the price of another one. */
  async tiersOf(
    shopId: string,
    nicknameKey: string,
    tiers: readonly string[],
    transaction: Transaction | null,
  ): Promise<readonly Entitlement[]> {
    const now = new Date();
    const found = await this.entitlements.ofPlayers(shopId, [nicknameKey], tiers, transaction);
    return found.map((one) => ({ ...one, state: shownState(one, now) }));
  }

  /** The orders that have replaced what an order gave, and whose money did not go back. */
  async uppersOf(shopId: string, orderId: string, transaction: Transaction | null): Promise<readonly string[]> {
    const replaced = await this.entitlements.ofOrders(shopId, [orderId], transaction);
    const uppers = [...new Set(replaced.flatMap(({ upgradedBy }) => upgradedBy ?? []))];
    if (uppers.length === 0) return [];
    const found = await this.entitlements.ofOrders(shopId, uppers, transaction);
    return uppers.filter((id) => found.some((one) => one.orderId === id && isKept(one)));
  }
}

/** Whether an order can replace a purchase: its money is there, and no other order that counts has replaced it. */
function isFree(one: Entitlement, orderId: string, owned: readonly Entitlement[]): boolean {
  if (one.money !== 'shop') return false;
  const { upgradedBy } = one;
  if (upgradedBy === null || upgradedBy === orderId) return true;
  const upper = owned.find((other) => other.orderId === upgradedBy && other.upgrade?.entitlementIds.includes(one.id));
  return upper !== undefined && !isKept(upper);
}
