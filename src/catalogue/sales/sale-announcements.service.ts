import { Injectable } from '@nestjs/common';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { announcementAfter } from './sale-rules.js';
import { SalesRepository } from './sales.repository.js';

/** How many sales one transaction handles. */
const BATCH_SIZE = 50;

/**
 * Publishes that sales have begun or ended, at most a round late. Any number of processes can run at the same time, and stop at any moment:
 * what is to be announced next is written in the transaction of the event, so each is published once.
 */
@Injectable()
export class SaleAnnouncementsService {
  private readonly job: Job;

  constructor(
    private readonly sales: SalesRepository,
    private readonly events: ShopEventsService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('sale-announcements', () => this.round());
  }

  private async round(): Promise<void> {
    let published: number;
    do published = await this.publishBatch();
    while (published > 0 && !this.job.isStopped);
  }

  /** Publishes the next event of each sale of one batch: of one that is over, its end follows in the next one. @returns how many there were */
  private publishBatch(): Promise<number> {
    return this.transactions.run(async (transaction) => {
      const due = await this.sales.findDue(new Date(), BATCH_SIZE, transaction);
      for (const sale of due) {
        const { id: subjectId, shopId, name, startsAt, endsAt, announces } = sale;
        if (announces === null) continue;
        await this.sales.setAnnounces(sale, announcementAfter(announces, sale), transaction);
        const times = { startsAt: startsAt.toISOString(), endsAt: endsAt?.toISOString() ?? null };
        const event = { type: `sale.${announces.type}`, subjectId, details: { name, ...times } } as const;
        await this.events.record(shopId, [event], transaction);
      }
      return due.length;
    });
  }
}
