import { Injectable } from '@nestjs/common';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { EntitlementListService } from '../entitlements/entitlement-list.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type OrderItem } from '../order/order.types.js';
import { OrderStockRepository } from './order-stock.repository.js';
import { type Reservation, type ReservationRequest } from './reservation.js';

/**
 * What a player cannot buy a second time (`repeat: refuse`). An open order counts only for the buyer who placed it: everybody can type the
 * nickname of somebody else. So two buyers can pay for one player; both get what was promised, and the times add up.
 */
@Injectable()
export class OwnedOnceService implements Pick<Reservation, 'problems'> {
  constructor(
    private readonly orders: OrderStockRepository,
    private readonly entitlements: EntitlementListService,
    private readonly quotas: QuotasService,
  ) {}

  /** In the transaction of an order, it waits for the other orders of the buyer. */
  async problems(
    shopId: string,
    request: ReservationRequest,
    transaction: Transaction | null,
  ): Promise<readonly OrderProblem[]> {
    const once = request.items.filter(({ repeat }) => repeat === 'refuse');
    if (once.length === 0) return [];
    const { buyer } = request;
    const owned = buyer === null ? [] : await this.ownedOf(shopId, buyer, request.serverId, once, transaction);
    return once.flatMap(({ productId, countsAs, name }, index) => {
      const isTwice = once.some((other, before) => before < index && other.countsAs === countsAs);
      const twice = `${name} counts as another product of the order: order one of them`;
      if (isTwice) return [{ code: 'already_owned', message: twice, productId } as const];
      if (!owned.includes(countsAs)) return [];
      return [{ code: 'already_owned', message: `The player owns ${name} already`, productId } as const];
    });
  }

  /** What of these items the player owns, or the buyer has an open order for. */
  private async ownedOf(
    shopId: string,
    buyer: BuyerKeys,
    serverId: string | null,
    items: readonly OrderItem[],
    transaction: Transaction | null,
  ): Promise<readonly string[]> {
    if (transaction !== null) await this.quotas.claimBuyer(shopId, buyer, transaction);
    const heads = items.map(({ countsAs }) => countsAs);
    const everywhere = new Set(items.filter((item) => item.ownedEverywhere).map(({ countsAs }) => countsAs));
    const found = await this.entitlements.openOf(shopId, buyer.nicknameKey, heads, transaction);
    const open = await this.orders.openItems(shopId, buyer, heads, transaction);
    const ordered = open.flatMap((order) => order.items.map((item) => ({ ...item, serverId: order.serverId })));
    return [...found, ...ordered]
      .filter((one) => one.serverId === null || one.serverId === serverId || everywhere.has(one.countsAs))
      .map(({ countsAs }) => countsAs);
  }
}
