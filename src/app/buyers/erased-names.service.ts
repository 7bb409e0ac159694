import { Injectable, Logger } from '@nestjs/common';
import { type KeepingOrder, KeptNamesService } from '../../delivery/deliveries/kept-names.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { workOff } from '../../infrastructure/jobs/claimed-work.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { BuyerSearchService } from './buyer-search.service.js';
import { OrderErasureService } from './order-erasure.service.js';

/** Much longer than a batch takes. When a process dies, another one continues with its orders after this time. */
const CLAIM_MS = 10 * MINUTE_MS;

/**
 * The job that removes the names of erased buyers which deliveries kept for what was still to run, when it has run: from the deliveries,
 * their attempts, and everything else about the order. Any number of processes can run it: each claims its own deliveries.
 */
@Injectable()
export class ErasedNamesService {
  private readonly logger = new Logger('Buyers');
  private readonly job: Job;

  constructor(
    private readonly keptNames: KeptNamesService,
    private readonly search: BuyerSearchService,
    private readonly orderErasure: OrderErasureService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('erased-names', () => this.round());
  }

  private round(): Promise<void> {
    return workOff(this.job, {
      claim: (limit) => this.claim(limit),
      groupOf: ({ orderId }) => orderId,
      idsOf: ({ shopId, orderId }) => ({ shopId, orderId }),
      work: ([order]) =>
        this.orderErasure.eraseWhatHasRun(order, (shopId, nicknames) =>
          this.search.scrubberOfPlayers(shopId, nicknames),
        ),
      // It stays claimed, and is claimed again later.
      onFailure: ({ orderId }, error) => {
        this.logger.error(`The names in the order ${orderId} could not be checked`, describeError(error));
      },
    });
  }

  private claim(limit: number): Promise<KeepingOrder[]> {
    const until = new Date(Date.now() + CLAIM_MS);
    return this.transactions.run((transaction) => this.keptNames.claim(until, limit, transaction));
  }
}
