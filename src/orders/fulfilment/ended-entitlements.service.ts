import { Injectable, Logger } from '@nestjs/common';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Group, workOff } from '../../infrastructure/jobs/claimed-work.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { EntitlementsService } from '../entitlements/entitlements.service.js';
import { type Entitlement } from '../entitlements/entitlement.types.js';
import { DeliveryStatusService } from './delivery-status.service.js';

/** Much longer than an entitlement takes. When a process dies, another one continues with its entitlements after this time. */
const CLAIM_MS = 2 * MINUTE_MS;

/**
 * Ends entitlements whose time is over, and queues what was not taken back because of them. Readers do not wait for it: each compares
 * `endsAt` with its own clock. Any number of processes can run it: each claims its own entitlements.
 */
@Injectable()
export class EndedEntitlementsService {
  private readonly logger = new Logger('Entitlements');
  private readonly job: Job;

  constructor(
    private readonly entitlements: EntitlementsService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('ended-entitlements', () => this.round());
  }

  private round(): Promise<void> {
    return workOff(this.job, {
      claim: (limit) => this.claim(limit),
      groupOf: ({ orderId }) => orderId,
      idsOf: ({ shopId, orderId }) => ({ shopId, orderId }),
      work: (entitlements) => this.end(entitlements),
      // It stays claimed, and is claimed again later.
      onFailure: ({ id }, error) => {
        this.logger.error(`The entitlement ${id} could not be ended`, describeError(error));
      },
    });
  }

  private claim(limit: number): Promise<Entitlement[]> {
    const until = new Date(Date.now() + CLAIM_MS);
    return this.transactions.run((transaction) => this.entitlements.claimOver(until, limit, transaction));
  }

  /** @param entitlements of one order */
  private end([{ shopId, orderId }]: Group<Entitlement>): Promise<void> {
    const system = { shopId, principal: 'system' };
    return this.transactions.run((transaction) => this.deliveryStatus.update(system, [orderId], transaction));
  }
}
