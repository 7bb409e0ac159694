import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { Rounds } from '../common/concurrency/rounds.js';
import { describeError } from '../common/logging/logger.js';
import { AppConfig } from '../config/app-config.js';
import { Transactions } from '../database/transactions.js';
import { RedemptionsService } from '../redemptions/redemptions.service.js';
import { type Order } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

const PORTION = 100;

/**
 * Ends orders that nobody paid in time, and gives their use of a discount back: otherwise a stranger could use a limited
 * code up without paying. Any number of processes may do it at once; each order is ended by one conditional write.
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
        this.logger.warn('Unpaid orders were not ended; the next round tries again', describeError(error));
      },
    );
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  private async sweep(): Promise<void> {
    for (const order of await this.orders.findOverdue(new Date(), PORTION)) await this.expire(order);
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
