import { Injectable } from '@nestjs/common';
import { type Author } from '../../events/audit/audit.service.js';
import { type KeepingOrder, KeptNamesService } from '../../delivery/deliveries/kept-names.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { type Scrubber } from '../../infrastructure/buyers/scrubber.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { OrderEndingService } from '../../orders/ending/order-ending.service.js';
import { type BuyerOrder } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { PaymentAttemptsService } from '../../payments/payments/payment-attempts.service.js';
import { type ErasureRequest, type RunningChoice } from './buyer.types.js';
import { erasureProblem, runningProblem, unstartedOrders } from './erasure-rules.js';

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
    private readonly keptNames: KeptNamesService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Returns which of the orders end with an erasure.
   * @param running what the owner has decided about what is still to run
   * @throws AppError buyer_not_erasable while the identity is still needed for one of the orders, and buyer_items_running while something
   * is still to run, and the owner has not decided about it
   */
  async requireErasable(
    shopId: string,
    orders: readonly BuyerOrder[],
    running: RunningChoice | undefined,
    transaction: Transaction | null,
  ): Promise<readonly BuyerOrder[]> {
    const open = orders.filter(({ status }) => status === 'open').map(({ id }) => id);
    const started = await this.payments.startedOf(shopId, open, transaction);
    const message = erasureProblem(orders, started);
    if (message !== null) throw new AppError('buyer_not_erasable', { message });
    if (running === undefined) await this.requireNothingRunning(shopId, orders, transaction);
    return unstartedOrders(orders, started);
  }

  private async requireNothingRunning(
    shopId: string,
    orders: readonly BuyerOrder[],
    transaction: Transaction | null,
  ): Promise<void> {
    const ids = orders.map(({ id }) => id);
    const message = runningProblem(orders, await this.keptNames.runningOf(shopId, ids, transaction));
    if (message !== null) throw new AppError('buyer_items_running', { message });
  }

  /**
   * Erases orders, some in one transaction. An open order ends in the transaction that erases it.
   * @param ids in the order in which they are erased
   * @param request.reason without the names of the buyer: it stands in the history of an order that ends
   * @returns how many items keep the name, until what is still to run for them has run
   * @throws AppError as `requireErasable`, for an order that has changed since it was found
   */
  async erase(author: Author, ids: readonly string[], scrubber: Scrubber, request: ErasureRequest): Promise<number> {
    let kept = 0;
    for (let start = 0; start < ids.length; start += BATCH) {
      kept += await this.eraseBatch(author, ids.slice(start, start + BATCH), scrubber, request);
    }
    return kept;
  }

  /**
   * Erases an order of an erased buyer once more when something has run for which it kept the name. Otherwise it is checked again later.
   * @param scrubberOf returns what replaces these nicknames
   */
  async eraseWhatHasRun(
    order: KeepingOrder,
    scrubberOf: (shopId: string, nicknames: readonly string[]) => Scrubber,
  ): Promise<void> {
    const { shopId, orderId } = order;
    const { names, isDone } = await this.keptNames.check(order);
    const scrubber = scrubberOf(shopId, names);
    const erasings = isDone
      ? await this.personalData.each((data) => data.eraseOrders?.(shopId, [orderId], scrubber))
      : [];
    await this.transactions.run(async (transaction) => {
      await this.keptNames.keep(shopId, orderId, transaction);
      for (const erase of erasings) await erase(transaction);
    });
  }

  private async eraseBatch(
    author: Author,
    ids: readonly string[],
    scrubber: Scrubber,
    { reason, running }: ErasureRequest,
  ): Promise<number> {
    const { shopId } = author;
    const erasings = await this.personalData.each((data) => data.eraseOrders?.(shopId, ids, scrubber));
    return this.transactions.run(async (transaction) => {
      const orders = await this.orders.ofBuyer(shopId, { ids }, transaction);
      const ended = (await this.requireErasable(shopId, orders, running, transaction)).map(({ id }) => id);
      if (ended.length > 0) {
        await this.ending.end(author, ended, { to: 'cancelled', reason }, transaction);
      }
      let kept = 0;
      for (const id of ids) {
        if (running === 'keep') kept += await this.keptNames.keep(shopId, id, transaction);
        else await this.keptNames.drop(shopId, id, transaction);
      }
      for (const erase of erasings) await erase(transaction);
      return kept;
    });
  }
}
