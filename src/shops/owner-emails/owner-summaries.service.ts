import { Injectable } from '@nestjs/common';
import { PageLinks } from '../../http/addresses/page-links.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { inParallel } from '../../lib/concurrency/in-parallel.js';
import { ShopsService } from '../shops/shops.service.js';
import { OwnerEmailsService } from './owner-emails.service.js';
import { OwnerNoticesRepository } from './owner-notices.repository.js';
import { ownerSummaryEmail } from './owner-summary-email.js';

/** How many shops a round reads at most. */
const BATCH_SIZE = 100;
const PARALLEL_SHOPS = 4;

/**
 * The job that sends the owners of a shop one summary an hour about what anybody can cause. Any number of processes can run it: the
 * transaction that writes the email also takes what waits.
 */
@Injectable()
export class OwnerSummariesService {
  private readonly job: Job;

  constructor(
    private readonly notices: OwnerNoticesRepository,
    private readonly owners: OwnerEmailsService,
    private readonly shops: ShopsService,
    private readonly links: PageLinks,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('owner-summaries', () => this.round());
  }

  private async round(): Promise<void> {
    const due = await this.notices.dueShops(new Date(), BATCH_SIZE);
    await inParallel(due, PARALLEL_SHOPS, (shopId) => this.summarize(shopId));
  }

  private async summarize(shopId: string): Promise<void> {
    if (this.job.isStopped) return;
    await this.transactions.run(async (transaction) => {
      const waiting = await this.notices.takeWaiting(shopId, new Date(), transaction);
      if (waiting.length === 0) return;
      const shop = await this.shops.getIn(shopId, transaction);
      const summary = ownerSummaryEmail(waiting, shop, this.links.operation('Orders', 'StaffOrders_list'));
      if (summary !== null) await this.owners.add(shopId, () => summary, transaction);
    });
  }
}
