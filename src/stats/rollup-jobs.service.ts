import { Injectable, Logger } from '@nestjs/common';
import { BackgroundJobs } from '../common/jobs/background-jobs.js';
import { workOff } from '../common/jobs/claimed-work.js';
import { type Job } from '../common/jobs/job.js';
import { describeError } from '../common/logging/logger.js';
import { MINUTE_MS } from '../common/time/durations.js';
import { Transactions } from '../database/transactions.js';
import { LedgerRepository } from './ledger.repository.js';
import { RollupStatesRepository } from './rollup-states.repository.js';
import { RollupsService } from './rollups.service.js';
import { SalesRepository } from './sales.repository.js';

/** When a process dies, another one goes on after this time. A turn of a shop ends well before. */
const LEASE_MS = 2 * MINUTE_MS;
const TURN_MS = MINUTE_MS;

/**
 * Folds the ledger into the rollups, in the background. A process leases a shop for its turn. The lease only saves work: the
 * transactions are correct without it.
 */
@Injectable()
export class RollupJobsService {
  private readonly logger = new Logger('Statistics');
  private readonly job: Job;
  /** The last shop that this process has looked at because it may have orders but not all sums; undefined: it looked at all. */
  private lookedAt: string | null | undefined = null;

  constructor(
    private readonly states: RollupStatesRepository,
    private readonly ledger: LedgerRepository,
    private readonly sales: SalesRepository,
    private readonly rollups: RollupsService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('statistics', () => this.round());
  }

  private round(): Promise<void> {
    const seen = new Set<string>();
    return workOff(this.job, {
      claim: (limit) => this.claim(limit, seen),
      groupOf: (shopId) => shopId,
      work: ([shopId]) => this.turn(shopId),
      onFailure: (shopId, error) => {
        this.logger.error(`The statistics of the shop ${shopId} could not be folded`, describeError(error));
      },
    });
  }

  /** Leases shops that have something to do, each once a round. */
  private async claim(limit: number, seen: Set<string>): Promise<string[]> {
    const due = [...(await this.withoutSums(limit)), ...(await this.states.unfinished(limit))];
    let pending = await this.ledger.nextPendingShop(null);
    for (; pending !== null && due.length < 2 * limit; pending = await this.ledger.nextPendingShop(pending)) {
      due.push(pending);
    }
    const claimed: string[] = [];
    for (const shopId of new Set(due)) {
      if (seen.has(shopId) || claimed.length === limit) continue;
      seen.add(shopId);
      if (await this.lease(shopId)) claimed.push(shopId);
    }
    return claimed;
  }

  /** Shops with orders of an earlier version, which wrote no ledger or kept fewer sums. A process looks for them once. */
  private async withoutSums(limit: number): Promise<string[]> {
    const found: string[] = [];
    while (this.lookedAt !== undefined && found.length < limit) {
      const next = await this.sales.nextShop(this.lookedAt);
      this.lookedAt = next ?? undefined;
      if (
        next !== null &&
        !(await this.transactions.run((transaction) => this.rollups.areCurrent(next, transaction)))
      ) {
        found.push(next);
      }
    }
    return found;
  }

  private lease(shopId: string): Promise<boolean> {
    const now = new Date();
    const until = new Date(now.getTime() + LEASE_MS);
    return this.transactions.run(async (transaction) => {
      await this.states.ensure(shopId, transaction);
      return this.states.lease(shopId, now, until, transaction);
    });
  }

  private async turn(shopId: string): Promise<void> {
    const endsAt = Date.now() + TURN_MS;
    while (!this.job.isStopped && Date.now() < endsAt) if (!(await this.rollups.step(shopId))) break;
    await this.transactions.run((transaction) => this.states.release(shopId, transaction));
  }
}
