import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type Order, type Withdrawal } from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';
import { deliveredOf, productProblems, withdrawableProducts, withdrawalProblem } from './withdrawal-rules.js';
import { WithdrawalsRepository } from './withdrawals.repository.js';

/** The statement of a buyer. */
export interface WithdrawalStatement {
  readonly name: string;
  /** The products; undefined: all from which it is possible. */
  readonly items?: readonly string[] | undefined;
}

/** Records that buyers withdraw from their orders. What follows, such as a refund, is for the staff of the shop to do. */
@Injectable()
export class WithdrawalsService {
  constructor(
    private readonly withdrawals: WithdrawalsRepository,
    private readonly orders: OrdersService,
    private readonly shops: ShopsService,
    private readonly events: ShopEventsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Withdraws from an order for its buyer, with the token of the order. A repetition changes nothing and returns the first withdrawal.
   * @throws AppError order_not_found, validation_failed, withdrawal_ended, withdrawal_not_possible
   */
  async withdraw(
    orderId: string,
    accessToken: string | undefined,
    statement: WithdrawalStatement,
  ): Promise<Withdrawal> {
    return this.withdrawFrom(await this.orders.getByToken(orderId, accessToken), statement);
  }

  /** As `withdraw`, for a caller who has proved in another way to be the buyer. */
  async withdrawFrom(
    { shopId, id, withdrawal: earlier }: Order,
    { name, items }: WithdrawalStatement,
  ): Promise<Withdrawal> {
    if (earlier !== undefined) return earlier;
    const [zone, progress] = await Promise.all([this.shops.zoneOf(shopId), this.orders.progressOf({ shopId, id })]);
    const delivered = deliveredOf(progress);
    return this.transactions.run(async (transaction: Transaction) => {
      const order = await this.orders.get(shopId, id, transaction);
      if (order.withdrawal !== undefined) return order.withdrawal;
      const at = new Date();
      const problem = withdrawalProblem(order, delivered, zone, at);
      if (problem !== null) throw new AppError(problem);
      const possible = withdrawableProducts(order, delivered);
      requireValid(productProblems(items ?? [], possible));
      const withdrawal = { at, name, productIds: items === undefined ? possible : [...items] };
      await this.record(order, withdrawal, transaction);
      return withdrawal;
    });
  }

  private async record({ shopId, id }: Order, withdrawal: Withdrawal, transaction: Transaction): Promise<void> {
    const { at, productIds } = withdrawal;
    const entry = { at, actor: 'buyer', action: 'withdrawal_requested', detail: null };
    const isFirst = await this.withdrawals.insert(shopId, id, withdrawal, entry, transaction);
    if (!isFirst) throw new Error('The order has a withdrawal that the transaction has not seen');
    const author = { shopId, principal: 'buyer' };
    await this.audit.record(author, { action: 'order.withdrawal_requested', subjectId: id }, transaction);
    const details = { productIds };
    await this.events.record(shopId, [{ type: 'order.withdrawal_requested', subjectId: id, details }], transaction);
  }
}
