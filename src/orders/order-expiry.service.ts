import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { Rounds } from '../common/concurrency/rounds.js';
import { describeError } from '../common/logging/logger.js';
import { AppConfig } from '../config/app-config.js';
import { Transactions } from '../database/transactions.js';
import { RedemptionsService } from '../redemptions/redemptions.service.js';
import { type Order } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

const ORDERS_PER_ROUND = 100;

/**
 * Ends orders that nobody paid in time and gives back their use of a discount code. Otherwise a stranger could use up a
 * limited code without paying. Any number of processes may do it at the same time: one conditional write ends each order.
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

  /** One round: ends the orders whose time to pay is over, at most 100. */
  async sweep(): Promise<void> {
    for (const order of await this.orders.findOverdue(new Date(), ORDERS_PER_ROUND)) await this.expire(order);
  }

  private expire({ id, shopId }: Pick<Order, 'id' | 'shopId'>): Promise<void> {
    const history = { at: new Date(), actor: 'system', action: 'expired', detail: null };
    return this.transactions.run(async (transaction) => {
      if (!(await this.orders.expire(shopId, id, history, transaction))) return;
      await this.redemptions.release(shopId, id, transaction);
      const write = { action: 'order.expired', subjectId: id } as const;
      await this.audit.record({ shopId, principal: 'system' }, write, transaction);
    });
  }
}
