import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../platform/principal/auth-context.js';
import { AppError } from '../../platform/errors/app-error.js';
import { orNotFound } from '../../platform/errors/or-not-found.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { codeInShop } from '../../catalogue/discounts/discount-rules.js';
import { OrderEndingService } from '../ending/order-ending.service.js';
import { OrderSettlementService } from '../settling/order-settlement.service.js';
import { type Order, type PaymentReview } from '../order/order.types.js';
import { OrdersRepository } from '../order/orders.repository.js';

/** What staff decide about an order that is not paid, or not paid correctly. */
@Injectable()
export class OrderActionsService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly ending: OrderEndingService,
    private readonly settlement: OrderSettlementService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Ends an open order.
   * @throws AppError order_not_found; not_cancellable for an order that is paid or ended
   */
  cancel(context: ShopContext, orderId: string, reason: string): Promise<Order> {
    return this.change(context, orderId, async ({ discount }, transaction) => {
      const ending = { to: 'cancelled', reason, hasCode: discount !== null } as const;
      const ended = await this.ending.end(context, [orderId], ending, transaction);
      if (ended.length === 0) throw new AppError('not_cancellable');
    });
  }

  /**
   * Settles an order whose payment needs a review: see `OrderSettlementService.resolve`.
   * @throws AppError order_not_found, not_resolvable
   */
  resolve(
    context: ShopContext,
    orderId: string,
    resolution: { readonly decision: PaymentReview['decision']; readonly reason: string },
  ): Promise<Order> {
    return this.change(context, orderId, (order, transaction) =>
      this.settlement.resolve(context, order, resolution, transaction),
    );
  }

  /** Reads the order, works on it and reads it again, one after the other with what changes the uses of the same code. */
  private async change(
    { shopId }: ShopContext,
    orderId: string,
    work: (order: Order, transaction: Transaction) => Promise<void>,
  ): Promise<Order> {
    const find = async (transaction: Transaction | null): Promise<Order> =>
      orNotFound(await this.orders.find(shopId, orderId, transaction), 'order_not_found');
    const { discount } = await find(null);
    const oneAtATime = discount === null ? undefined : codeInShop(shopId, discount.code);
    return this.transactions.run(
      async (transaction) => {
        await work(await find(transaction), transaction);
        return find(transaction);
      },
      { oneAtATime },
    );
  }
}
