import { Injectable } from '@nestjs/common';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { EntitlementListService } from '../entitlements/entitlement-list.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { excludedHeads, type OwnedItem, type OwnershipLimit, ownershipProblems } from './order-limits.js';
import { OrderStockRepository } from './order-stock.repository.js';
import { type Reservation, type ReservationRequest } from './reservation.js';

/**
 * What a player must own for a product, and must not own. An open order excludes something only for the buyer who placed it: everybody can
 * type the nickname of somebody else. So two buyers can pay for one player; both get what was promised, and the times add up.
 */
@Injectable()
export class OwnershipLimitsService implements Pick<Reservation, 'problems'> {
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
    const limits = request.limits.filter((limit) => limit.kind === 'ownership');
    if (limits.length === 0) return [];
    const { buyer } = request;
    const owned = buyer === null ? null : await this.ownedOf(shopId, buyer, limits, transaction);
    return ownershipProblems(limits, request, owned);
  }

  /** What the player owns or waits for that these limits name, and what of it the buyer has an open order for. */
  private async ownedOf(
    shopId: string,
    buyer: BuyerKeys,
    limits: readonly OwnershipLimit[],
    transaction: Transaction | null,
  ): Promise<readonly OwnedItem[]> {
    if (transaction !== null) await this.quotas.claimBuyer(shopId, buyer, transaction);
    const excluded = limits.flatMap(excludedHeads);
    const heads = [...new Set([...excluded, ...limits.flatMap(({ requires }) => requires?.heads.flat() ?? [])])];
    const owned = await this.entitlements.openOf(shopId, buyer.nicknameKey, heads, transaction);
    const open = excluded.length === 0 ? [] : await this.orders.openItems(shopId, buyer, excluded, transaction);
    return [
      ...owned.map((one) => ({ ...one, isOpen: false })),
      ...open.flatMap(({ items, serverId }) =>
        items.map(({ countsAs, ownedEverywhere }) => {
          return { countsAs, serverId: ownedEverywhere ? null : serverId, isOpen: true };
        }),
      ),
    ];
  }
}
