import { Injectable } from '@nestjs/common';
import { type Author } from '../../events/audit/audit.service.js';
import { type LockName } from '../../domain/limits/lock-names.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type Order } from '../order/order.types.js';
import { BuyerLimitsService } from './buyer-limits.service.js';
import { OrderStockService } from './order-stock.service.js';
import { OwnershipLimitsService } from './ownership-limits.service.js';
import { RedemptionsService } from './redemptions.service.js';
import { ShopLimitsService } from './shop-limits.service.js';
import { type FollowedOrder, type PlacedOrder, type Reservation, type ReservationRequest } from './reservation.js';

/** Everything that an order holds, as one. */
@Injectable()
export class ReservationsService implements Reservation {
  private readonly kinds: readonly Partial<Reservation>[];

  constructor(
    stock: OrderStockService,
    limits: BuyerLimitsService,
    ofShop: ShopLimitsService,
    ownership: OwnershipLimitsService,
    redemptions: RedemptionsService,
  ) {
    this.kinds = [stock, limits, ofShop, ownership, redemptions];
  }

  async problems(
    shopId: string,
    request: ReservationRequest,
    transaction: Transaction | null,
  ): Promise<readonly OrderProblem[]> {
    const problems: OrderProblem[] = [];
    for (const kind of this.kinds) problems.push(...((await kind.problems?.(shopId, request, transaction)) ?? []));
    return problems;
  }

  names(shopId: string, request: ReservationRequest): readonly LockName[] {
    return this.kinds.flatMap((kind) => kind.names?.(shopId, request) ?? []);
  }

  async take(order: PlacedOrder, transaction: Transaction): Promise<void> {
    for (const kind of this.kinds) await kind.take?.(order, transaction);
  }

  async settle(order: PlacedOrder & Pick<Order, 'status'>, transaction: Transaction): Promise<void> {
    for (const kind of this.kinds) await kind.settle?.(order, transaction);
  }

  async follow(author: Author, order: FollowedOrder, transaction: Transaction): Promise<void> {
    for (const kind of this.kinds) await kind.follow?.(author, order, transaction);
  }

  async release(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<void> {
    for (const kind of this.kinds) await kind.release?.(shopId, orderIds, transaction);
  }
}
