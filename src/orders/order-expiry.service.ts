import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { AuditService } from '../audit/audit.service.js';
import { describeError } from '../common/logging/logger.js';
import { type AppConfig } from '../config/app-config.js';
import { Transactions } from '../database/transactions.js';
import { RedemptionsService } from '../discounts/redemptions.service.js';
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
  private readonly intervalMs: number;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly orders: OrdersRepository,
    private readonly redemptions: RedemptionsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    config: ConfigService<AppConfig, true>,
  ) {
    this.intervalMs = config.get('sweepIntervalMs', { infer: true });
  }

  onApplicationBootstrap(): void {
    this.timer = setTimeout(() => {
      this.running = this.sweep().finally(() => this.timer?.refresh());
    }, this.intervalMs).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }

  private async sweep(): Promise<void> {
    try {
      for (const order of await this.orders.findOverdue(new Date(), PORTION)) await this.expire(order);
    } catch (error) {
      this.logger.warn('Unpaid orders were not ended; the next round tries again', describeError(error));
    }
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
