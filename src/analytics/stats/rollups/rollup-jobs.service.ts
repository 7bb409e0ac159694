import { Injectable, Logger } from '@nestjs/common';
import { LedgerService } from '../../../orders/ledger/ledger.service.js';
import { Transactions } from '../../../infrastructure/database/transactions.js';
import { BackgroundJobs } from '../../../infrastructure/jobs/background-jobs.js';
import { workOff } from '../../../infrastructure/jobs/claimed-work.js';
import { type Job } from '../../../infrastructure/jobs/job.js';
import { describeError } from '../../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../../lib/time/durations.js';
import { RollupStatesRepository } from './rollup-states.repository.js';
import { RollupsService } from './rollups.service.js';
import { shopsInOrder } from './shops-in-order.js';

/** When a process dies, another one continues after this time. */
const LEASE_MS = 2 * MINUTE_MS;
/** How long a process works on a shop: well within its lease. */
const MAX_WORK_MS = MINUTE_MS;
/** After a failure, the batches of a shop are this many times smaller until the end of the round: a large one may exceed a time limit. */
const SHRINK_BY = 8;
/** The divisor at which a batch has one entry. */
const MAX_DIVISOR = SHRINK_BY ** 2;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Folds the ledger into the rollups, in the background. A process leases a shop while it works on it. The lease only saves
 * work: the transactions are correct without it. Between two steps of a shop the process pauses for as long as the step took, so
 * that a rebuild takes at most half of what the service and its database can do.
 */
@Injectable()
export class RollupJobsService {
  private readonly logger = new Logger('Statistics');
  private readonly job: Job;

  constructor(
    private readonly states: RollupStatesRepository,
    private readonly ledger: LedgerService,
    private readonly rollups: RollupsService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('statistics', () => this.round());
  }

  private round(): Promise<void> {
    const shops = this.shopsToWorkOn();
    return workOff(this.job, {
      claim: (limit) => this.claim(limit, shops),
      groupOf: (shopId) => shopId,
      idsOf: (shopId) => ({ shopId }),
      work: ([shopId]) => this.workOn(shopId),
      onFailure: (shopId, error) => {
        this.logger.error(`The statistics of the shop ${shopId} could not be folded`, describeError(error));
      },
    });
  }

  /** Leases the next shops that no other process has. */
  private async claim(limit: number, shops: AsyncGenerator<string, void>): Promise<string[]> {
    const claimed: string[] = [];
    while (claimed.length < limit) {
      const next = await shops.next();
      if (next.done === true) break;
      if (await this.lease(next.value)) claimed.push(next.value);
    }
    return claimed;
  }

  /** The shops that have something to do, each once. Their number has no limit, so each one is read only when it is needed. */
  private async *shopsToWorkOn(): AsyncGenerator<string, void> {
    const seen = new Set<string>();
    const sources = [
      shopsInOrder((after) => this.states.nextUnfinished(after)),
      shopsInOrder((after) => this.ledger.nextPendingShop(after)),
    ];
    for (const source of sources) {
      for await (const shopId of source) {
        if (!seen.has(shopId)) yield shopId;
        seen.add(shopId);
      }
    }
  }

  private lease(shopId: string): Promise<boolean> {
    const now = new Date();
    const until = new Date(now.getTime() + LEASE_MS);
    return this.transactions.run(async (transaction) => {
      await this.states.ensure(shopId, transaction);
      return this.states.lease(shopId, now, until, transaction);
    });
  }

  private async workOn(shopId: string): Promise<void> {
    const endsAt = performance.now() + MAX_WORK_MS;
    let divisor = 1;
    let hasMore = true;
    while (hasMore && !this.job.isStopped && performance.now() < endsAt) {
      const began = performance.now();
      try {
        hasMore = await this.rollups.step(shopId, divisor);
      } catch (error) {
        if (divisor === MAX_DIVISOR) throw error;
        divisor *= SHRINK_BY;
        this.logger.warn(`The statistics of the shop ${shopId} continue in smaller batches`, describeError(error));
      }
      if (hasMore) await pause(performance.now() - began);
    }
    await this.transactions.run((transaction) => this.states.release(shopId, transaction));
  }
}
