import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { earliestOf, unitProblems } from './order-limits.js';
import { OrderStockRepository } from './order-stock.repository.js';
import { type Reservation, type ReservationRequest } from './reservation.js';

/** How many units of a product one buyer can have. The orders themselves are counted, so there is nothing to give back. */
@Injectable()
export class BuyerLimitsService implements Pick<Reservation, 'problems'> {
  constructor(
    private readonly orders: OrderStockRepository,
    private readonly quotas: QuotasService,
  ) {}

  /** In the transaction of an order, it waits for the other orders of the buyer. One read, however many limits there are. */
  async problems(
    shopId: string,
    { buyer, limits: all }: ReservationRequest,
    transaction: Transaction | null,
  ): Promise<readonly OrderProblem[]> {
    const limits = all.filter((limit) => limit.kind === 'units').filter(({ of }) => of !== 'shop');
    if (buyer === null || limits.length === 0) return [];
    if (transaction !== null) await this.quotas.claimBuyer(shopId, buyer, transaction);
    const productIds = new Set(limits.map(({ productId }) => productId));
    const held = await this.orders.heldBy(shopId, buyer, productIds, earliestOf(limits), transaction);
    return limits.flatMap((limit) => unitProblems(limit, held));
  }
}
