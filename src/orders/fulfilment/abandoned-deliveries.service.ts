import { Injectable, Logger } from '@nestjs/common';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Group, workOff } from '../../infrastructure/jobs/claimed-work.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { DeliveryLeasesService } from '../../delivery/deliveries/delivery-leases.service.js';
import { type AbandonedDelivery } from '../../delivery/deliveries/delivery.types.js';
import { DeliveryStatusService } from './delivery-status.service.js';

/** Much longer than a batch takes. When a process dies, another one continues with its deliveries after this time. */
const CLAIM_MS = 2 * MINUTE_MS;

/**
 * Marks deliveries as uncertain whose last lease ended without a report, so that staff see them, also when their game
 * server sends no more requests. Any number of processes may do it at the same time: each claims its own deliveries,
 * and one conditional write in a transaction with the order, its history and the audit entry changes each delivery.
 */
@Injectable()
export class AbandonedDeliveriesService {
  private readonly logger = new Logger('Deliveries');
  private readonly job: Job;

  constructor(
    private readonly leases: DeliveryLeasesService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('abandoned-deliveries', () => this.round());
  }

  private round(): Promise<void> {
    return workOff(this.job, {
      claim: (limit) => this.claim(limit),
      groupOf: ({ shopId }) => shopId,
      idsOf: ({ shopId, id }) => ({ shopId, deliveryId: id }),
      work: (deliveries) => this.end(deliveries),
      onFailure: ({ id }, error) => {
        this.logger.error(`The delivery ${id} could not be marked as uncertain`, describeError(error));
      },
    });
  }

  private claim(limit: number): Promise<AbandonedDelivery[]> {
    const until = new Date(Date.now() + CLAIM_MS);
    return this.transactions.run((transaction) => this.leases.claimAbandoned(until, limit, transaction));
  }

  /** @param deliveries of one shop, claimed together */
  private end(deliveries: Group<AbandonedDelivery>): Promise<void> {
    const [{ shopId, claimedUntil }] = deliveries;
    const ids = deliveries.map(({ id }) => id);
    return this.transactions.run(async (transaction) => {
      const orderIds = await this.leases.endAbandoned(shopId, ids, claimedUntil, transaction);
      await this.deliveryStatus.update({ shopId, principal: 'system' }, orderIds, transaction);
    });
  }
}
