import { Injectable, Logger } from '@nestjs/common';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Group, workOff } from '../../infrastructure/jobs/claimed-work.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { nextAttemptAt } from '../../infrastructure/jobs/backoff.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { codeInShop } from '../../catalogue/discounts/discount-rules.js';
import { OrderEndingService } from './order-ending.service.js';
import { OrderEndingRepository, type OverdueOrder } from './order-ending.repository.js';

/** Much longer than a batch takes. When a process dies, another one ends its orders after this time. */
const LEASE_MS = 2 * MINUTE_MS;

/**
 * The job that ends orders that were not paid in time, so that nobody can use up a limited code, or the whole stock, without
 * paying. Any number of processes can run it at the same time: each claims its own orders, and one conditional write ends each
 * order. The job retries an order that it could not end later.
 */
@Injectable()
export class OrderExpiryService {
  private readonly logger = new Logger('Orders');
  private readonly job: Job;

  constructor(
    private readonly orders: OrderEndingRepository,
    private readonly ending: OrderEndingService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('order-expiry', () => this.round());
  }

  private round(): Promise<void> {
    return workOff(this.job, {
      claim: (limit) => this.claim(limit),
      groupOf: ({ shopId, discountCode }) => `${shopId} ${discountCode ?? ''}`,
      idsOf: ({ shopId, id }) => ({ shopId, orderId: id }),
      work: (orders) => this.expire(orders),
      onFailure: (order, error) => this.setAside(order, error),
    });
  }

  private claim(limit: number): Promise<OverdueOrder[]> {
    const now = new Date();
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    return this.transactions.run((transaction) => this.orders.claimOverdue(now, leaseUntil, limit, transaction));
  }

  /** Ends orders of one shop that use the same discount code, or none. */
  private expire(orders: Group<OverdueOrder>): Promise<void> {
    const [{ shopId, discountCode }] = orders;
    const orderIds = orders.map(({ id }) => id);
    const ending = { to: 'expired', reason: null } as const;
    const work = async (transaction: Transaction): Promise<void> => {
      await this.ending.end({ shopId, principal: 'system' }, orderIds, ending, transaction);
    };
    const oneAtATime = discountCode === null ? undefined : codeInShop(shopId, discountCode);
    return this.transactions.run(work, { oneAtATime });
  }

  /** Never rejects: an order that is not set aside stays claimed, and is claimed again later. */
  private async setAside(order: OverdueOrder, error: unknown): Promise<void> {
    this.logger.error(`The unpaid order ${order.id} could not be ended`, describeError(error));
    await this.postpone(order).catch((failure: unknown) => {
      this.logger.warn(`The unpaid order ${order.id} was not set aside`, describeError(failure));
    });
  }

  private postpone({ id, shopId, expiryFailures }: OverdueOrder): Promise<void> {
    const until = nextAttemptAt(expiryFailures + 1, new Date());
    return this.transactions.run((transaction) => this.orders.postponeExpiry(shopId, id, until, transaction));
  }
}
