import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { inParallel } from '../common/concurrency/in-parallel.js';
import { Rounds } from '../common/concurrency/rounds.js';
import { describeError } from '../common/logging/logger.js';
import { MINUTE_MS } from '../common/time/durations.js';
import { AppConfig } from '../config/app-config.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { codeInShop } from '../discounts/discount-rules.js';
import { RedemptionsService } from '../redemptions/redemptions.service.js';
import { type ExpiryGroup, groupsOf, nextExpiryTry } from './order-rules.js';
import { type OverdueOrder } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

/** How many orders a process claims at once. */
const BATCH_SIZE = 200;
/** How many orders one transaction ends at most. */
const GROUP_SIZE = 50;
const PARALLEL = 4;
/** Much longer than a batch takes. When a process dies, another one ends its orders after this time. */
const LEASE_MS = 2 * MINUTE_MS;

/**
 * Ends orders that nobody paid in time and gives back their use of a discount code. Otherwise a stranger could use up a
 * limited code without paying. Any number of processes may do it at the same time: each claims its own orders, and one
 * conditional write ends each order. An order that cannot be ended is set aside and tried again later.
 */
@Injectable()
export class OrderExpiryService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Orders');
  private readonly rounds: Rounds;

  constructor(
    private readonly orders: OrdersRepository,
    private readonly redemptions: RedemptionsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    config: AppConfig,
  ) {
    this.rounds = new Rounds(
      config.sweepIntervalMs,
      () => this.sweep(),
      (error) => {
        this.logger.warn('Unpaid orders were not ended. The next round tries again', describeError(error));
      },
    );
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** One round: ends all orders whose time to pay is over, or as many as it can until the service stops. */
  async sweep(): Promise<void> {
    let claimed: readonly OverdueOrder[];
    do {
      claimed = await this.claim();
      await inParallel(groupsOf(claimed, GROUP_SIZE), PARALLEL, (group) => this.end(group));
    } while (claimed.length === BATCH_SIZE && !this.rounds.isStopped);
  }

  private claim(): Promise<OverdueOrder[]> {
    const now = new Date();
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    return this.transactions.run((transaction) => this.orders.claimOverdue(now, leaseUntil, BATCH_SIZE, transaction));
  }

  /**
   * Ends the orders of a group. When that fails, it ends each of them alone, so that one order cannot stop the others. Never
   * rejects: an order that stays claimed, because the service stops or the database is not available, is claimed again.
   */
  private async end(group: ExpiryGroup): Promise<void> {
    if (this.rounds.isStopped) return;
    const { orders, ...shared } = group;
    try {
      await this.expire(group);
    } catch (error) {
      const [first, ...others] = orders;
      if (others.length > 0) {
        for (const order of orders) await this.end({ ...shared, orders: [order] });
      } else if (first !== undefined) await this.setAside(first, error);
    }
  }

  private expire({ shopId, discountCode, orders }: ExpiryGroup): Promise<void> {
    const history = { at: new Date(), actor: 'system', action: 'expired', detail: null };
    const orderIds = orders.map(({ id }) => id);
    const work = async (transaction: Transaction): Promise<void> => {
      const ended = await this.orders.expire(shopId, orderIds, history, transaction);
      if (ended.length === 0) return;
      if (discountCode !== null) await this.redemptions.release(shopId, ended, transaction);
      const writes = ended.map((subjectId) => ({ action: 'order.expired', subjectId }) as const);
      await this.audit.recordAll({ shopId, principal: 'system' }, writes, transaction);
    };
    const oneAtATime = discountCode === null ? undefined : codeInShop(shopId, discountCode);
    return this.transactions.run(work, { oneAtATime });
  }

  private async setAside(order: OverdueOrder, error: unknown): Promise<void> {
    this.logger.error(`The unpaid order ${order.id} could not be ended`, describeError(error));
    await this.postpone(order).catch((failure: unknown) => {
      this.logger.warn(`The unpaid order ${order.id} was not set aside`, describeError(failure));
    });
  }

  private postpone({ id, shopId, expiryFailures }: OverdueOrder): Promise<void> {
    const until = nextExpiryTry(expiryFailures + 1, new Date());
    return this.transactions.run((transaction) => this.orders.postponeExpiry(shopId, id, until, transaction));
  }
}
