import { Injectable } from '@nestjs/common';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { OFFLINE_AFTER_SECONDS } from './server-status.js';
import { type Presence } from './server.types.js';
import { ServersRepository } from './servers.repository.js';

/** How many servers one transaction handles. */
const BATCH_SIZE = 50;
const TYPES = { online: 'server.online', offline: 'server.offline' } as const;

/**
 * Publishes events of servers that have stopped reporting, and of those that report again. Any number of processes can run at the
 * same time: the announced presence is written in the transaction of the event, so each change is published once.
 */
@Injectable()
export class ServerPresenceService {
  private readonly job: Job;

  constructor(
    private readonly servers: ServersRepository,
    private readonly events: ShopEventsService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('server-presence', () => this.round());
  }

  private async round(): Promise<void> {
    for (const presence of ['offline', 'online'] as const) {
      let published: number;
      do published = await this.publishBatch(presence);
      while (published === BATCH_SIZE && !this.job.isStopped);
    }
  }

  /** Publishes the changes of one batch of servers. Returns how many there were. */
  private publishBatch(presence: Presence): Promise<number> {
    const aliveSince = new Date(Date.now() - OFFLINE_AFTER_SECONDS * SECOND_MS);
    return this.transactions.run(async (transaction) => {
      const changed = await this.servers.findChangedPresence(presence, aliveSince, BATCH_SIZE, transaction);
      if (changed.length === 0) return 0;
      const ids = changed.map(({ id }) => id);
      await this.servers.recordPresence(ids, presence, transaction);
      for (const { id: subjectId, shopId, name } of changed) {
        await this.events.record(shopId, [{ type: TYPES[presence], subjectId, details: { name } }], transaction);
      }
      return changed.length;
    });
  }
}
