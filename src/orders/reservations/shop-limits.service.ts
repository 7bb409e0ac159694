import { Injectable } from '@nestjs/common';
import { type LockName } from '../../domain/limits/lock-names.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { lockOnSales, QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { earliestOf, type UnitLimit, unitProblems } from './order-limits.js';
import { OrderStockRepository } from './order-stock.repository.js';
import { type Reservation, type ReservationRequest } from './reservation.js';

const ofShop = ({ limits }: ReservationRequest): UnitLimit[] =>
  limits.filter((limit) => limit.kind === 'units').filter(({ of }) => of === 'shop');

const productsOf = (limits: readonly UnitLimit[]): Set<string> => new Set(limits.map(({ productId }) => productId));

/**
 * How many units of a product the shop sells within a window. The orders themselves are counted, so there is nothing to give back when one
 * ends or its money goes back.
 */
@Injectable()
export class ShopLimitsService implements Pick<Reservation, 'problems' | 'names'> {
  constructor(
    private readonly orders: OrderStockRepository,
    private readonly quotas: QuotasService,
  ) {}

  /** In the transaction of an order, it waits for the other orders of the same products. One read, however many limits there are. */
  async problems(
    shopId: string,
    request: ReservationRequest,
    transaction: Transaction | null,
  ): Promise<readonly OrderProblem[]> {
    const limits = ofShop(request);
    if (limits.length === 0) return [];
    const productIds = productsOf(limits);
    if (transaction !== null) await this.quotas.claimSales([...productIds], transaction);
    const held = await this.orders.heldBy(shopId, null, productIds, earliestOf(limits), transaction);
    return limits.flatMap((limit) => unitProblems(limit, held));
  }

  names(_shopId: string, request: ReservationRequest): readonly LockName[] {
    return [...productsOf(ofShop(request))].map(lockOnSales);
  }
}
