import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { OrderStockRepository } from './order-stock.repository.js';
import { type Reservation, type ReservationRequest } from './reservation.js';

/** How many units of a product one buyer can have. The orders themselves are counted, so there is nothing to give back. */
@Injectable()
export class BuyerLimitsService implements Pick<Reservation, 'problems'> {
  constructor(
    private readonly orders: OrderStockRepository,
    private readonly quotas: QuotasService,
  ) {}

  /** In the transaction of an order, it waits for the other orders of the buyer. */
  async problems(
    shopId: string,
    { buyer, limits }: ReservationRequest,
    transaction: Transaction | null,
  ): Promise<readonly OrderProblem[]> {
    if (buyer === null || limits.length === 0) return [];
    if (transaction !== null) await this.quotas.claimBuyer(shopId, buyer, transaction);
    const problems: OrderProblem[] = [];
    for (const { productId, name, quantity, maxPerBuyer } of limits) {
      const had = await this.orders.countUnits(shopId, buyer, productId, transaction);
      if (had + quantity <= maxPerBuyer) continue;
      const message = `One buyer may have at most ${maxPerBuyer} of ${name}, and this one has ${had}`;
      problems.push({ code: 'product_limit_reached', message, productId });
    }
    return problems;
  }
}
