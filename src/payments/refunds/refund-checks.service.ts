import { Injectable, Logger } from '@nestjs/common';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { nextAttemptAt } from '../../infrastructure/jobs/backoff.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { PaymentChecksService } from '../payments/payment-checks.service.js';
import { workByProvider } from '../providers/work-by-provider.js';
import { isSettled, nextCheck, withOutcome } from './refund-rules.js';
import { RefundOutcomesService } from './refund-outcomes.service.js';
import { type Refund } from './refund.types.js';
import { RefundRequestsService } from './refund-requests.service.js';
import { RefundsRepository } from './refunds.repository.js';

/** Longer than any bank takes. The email about a refund that is still pending then names it. */
const MAX_AGE_MS = 60 * DAY_MS;

/**
 * Completes refunds: requests those again that the provider has not confirmed, and queries the outcome of those that no webhook
 * has reported. Any number of processes can run it: each claims its own refunds.
 */
@Injectable()
export class RefundChecksService {
  private readonly logger = new Logger('Refunds');
  private readonly job: Job;

  constructor(
    private readonly refunds: RefundsRepository,
    private readonly requests: RefundRequestsService,
    private readonly outcomes: RefundOutcomesService,
    private readonly orders: OrdersService,
    private readonly payments: PaymentChecksService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('refunds', () => this.round());
  }

  private round(): Promise<void> {
    return workByProvider(this.job, {
      hasDue: (providers, now) => this.refunds.hasDue(providers, now),
      claim: (provider, now, leaseUntil, limit) =>
        this.transactions.run((transaction) => this.refunds.claimDue(provider, now, leaseUntil, limit, transaction)),
      idsOf: ({ shopId, orderId, id }) => ({ shopId, orderId, refundId: id }),
      work: (refund) => this.check(refund),
      onFailure: (refund, error) => this.postpone(refund, error),
    });
  }

  private async check(refund: Refund): Promise<void> {
    if (refund.state === 'requested') await this.requests.requestOrGiveUp(refund);
    else await this.updateOutcome(refund, Date.now() - refund.createdAt.getTime());
  }

  /** Finds out how a refund ended: from the order, or else from the provider. */
  private async updateOutcome(refund: Refund, age: number): Promise<void> {
    const { shopId, orderId, provider, refundId } = refund;
    let order = await this.orders.get(shopId, orderId, null);
    if (!isSettled(refund, order)) {
      await this.payments.refresh(shopId, orderId, provider);
      order = await this.orders.get(shopId, orderId, null);
    }
    const isOver = isSettled(refund, order) || age > MAX_AGE_MS;
    const dueAt = isOver ? null : nextAttemptAt(refund.checks, new Date());
    const { state, failure } = withOutcome(refund, order);
    const change = { state, refundId, failure, dueAt };
    await this.outcomes.update(refund, change);
  }

  /** Never rejects: a refund that cannot be postponed stays claimed, and is claimed again later. */
  private async postpone(refund: Refund, error: unknown): Promise<void> {
    const { shopId, id } = refund;
    this.logger.warn(`Refund ${id} could not be completed yet`, describeError(error));
    const dueAt = nextCheck(refund, new Date());
    await this.transactions
      .run((transaction) => this.refunds.schedule(shopId, id, dueAt, transaction))
      .catch((failure: unknown) => {
        this.logger.warn(`Refund ${id} could not be postponed`, describeError(failure));
      });
  }
}
