import { Injectable } from '@nestjs/common';
import { type Author } from '../../events/audit/audit.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { type Scrubber } from '../../infrastructure/buyers/scrubber.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { OrderEndingService } from '../../orders/ending/order-ending.service.js';
import { type BuyerOrder } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { PaymentAttemptsService } from '../../payments/payments/payment-attempts.service.js';
import { erasureProblem, unstartedOrders } from './erasure-rules.js';

/** How many orders are erased in one transaction. */
const BATCH = 10;

/** Replaces the identity of a buyer in orders and in what belongs to them. */
@Injectable()
export class OrderErasureService {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly orders: OrdersService,
    private readonly payments: PaymentAttemptsService,
    private readonly ending: OrderEndingService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Returns which of the orders end with an erasure.
   * @throws AppError buyer_not_erasable while the identity is still needed for one of the orders
   */
  async requireErasable(
    shopId: string,
    orders: readonly BuyerOrder[],
    transaction: Transaction | null,
  ): Promise<readonly BuyerOrder[]> {
    const open = orders.filter(({ status }) => status === 'open').map(({ id }) => id);
    const started = await this.payments.startedOf(shopId, open, transaction);
    const message = erasureProblem(orders, started);
    if (message !== null) throw new AppError('buyer_not_erasable', { message });
    return unstartedOrders(orders, started);
  }

  /**
   * Erases orders, some in one transaction. An open order ends in the transaction that erases it.
   * @param ids in the order in which they are erased
   * @param reason without the names of the buyer: it stands in the history of an order that ends
   * @throws AppError buyer_not_erasable, for an order that has changed since it was found
   */
  async erase(author: Author, ids: readonly string[], scrubber: Scrubber, reason: string): Promise<void> {
    for (let start = 0; start < ids.length; start += BATCH) {
      await this.eraseBatch(author, ids.slice(start, start + BATCH), scrubber, reason);
    }
  }

  private async eraseBatch(author: Author, ids: readonly string[], scrubber: Scrubber, reason: string): Promise<void> {
    const { shopId } = author;
    const erasings = await this.personalData.each((data) => data.eraseOrders?.(shopId, ids, scrubber));
    await this.transactions.run(async (transaction) => {
      const orders = await this.orders.ofBuyer(shopId, { ids }, transaction);
      const ended = (await this.requireErasable(shopId, orders, transaction)).map(({ id }) => id);
      if (ended.length > 0) {
        await this.ending.end(author, ended, { to: 'cancelled', reason, hasCode: true }, transaction);
      }
      for (const erase of erasings) await erase(transaction);
    });
  }
}
