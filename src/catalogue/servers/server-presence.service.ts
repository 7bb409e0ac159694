import { Injectable } from '@nestjs/common';
import { BackgroundJobs } from '../../platform/jobs/background-jobs.js';
import { type Job } from '../../platform/jobs/job.js';
import { SECOND_MS } from '../../platform/time/durations.js';
import { Transactions } from '../../platform/database/transactions.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { OFFLINE_AFTER_SECONDS } from './server-status.js';
import { type Presence } from './server.types.js';
import { ServersRepository } from './servers.repository.js';

/** How many servers one transaction tells of. */
const PORTION = 50;
const TYPES = { online: 'server.online', offline: 'server.offline' } as const;

/**
 * Tells others of servers that have stopped reporting, and of those that report again. Any number of processes may do it at the same
 * time: what others were told is written in the transaction of the event, so each change is told once.
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
      let told: number;
      do told = await this.tell(presence);
      while (told === PORTION && !this.job.isStopped);
    }
  }

  /** Returns how many servers others were told of. */
  private tell(presence: Presence): Promise<number> {
    const aliveSince = new Date(Date.now() - OFFLINE_AFTER_SECONDS * SECOND_MS);
    return this.transactions.run(async (transaction) => {
      const turned = await this.servers.findTurned(presence, aliveSince, PORTION, transaction);
      if (turned.length === 0) return 0;
      const ids = turned.map(({ id }) => id);
      await this.servers.notePresence(ids, presence, transaction);
      for (const { id: subjectId, shopId, name } of turned) {
        await this.events.record(shopId, [{ type: TYPES[presence], subjectId, details: { name } }], transaction);
      }
      return turned.length;
    });
  }
}
