import { Injectable, Logger } from '@nestjs/common';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type TimedServer } from '../../catalogue/servers/server.types.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { workOff } from '../../infrastructure/jobs/claimed-work.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { DAY_MS, HOUR_MS } from '../../lib/time/durations.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { medianSecondsOf } from './delivery-times.js';

/** How old a time is at most that is shown. */
const REFRESH_MS = HOUR_MS;
const PERIOD_MS = 30 * DAY_MS;
/** How many of the latest purchases a time is found from. More of them hardly change a median. */
const MAX_COUNTED = 1_000;

/** Finds every hour how long purchases usually wait until a game server has delivered them, for the pages that buyers read. */
@Injectable()
export class DeliveryTimesService {
  private readonly logger = new Logger('Deliveries');
  private readonly job: Job;

  constructor(
    private readonly servers: ServersService,
    private readonly deliveries: DeliveriesRepository,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('delivery-times', () => this.round());
  }

  private round(): Promise<void> {
    return workOff<TimedServer>(this.job, {
      claim: (limit) =>
        this.transactions.run((transaction) =>
          this.servers.claimTimed(new Date(Date.now() + REFRESH_MS), limit, transaction),
        ),
      groupOf: ({ id }) => id,
      idsOf: ({ shopId, id }) => ({ shopId, serverId: id }),
      work: ([server]) => this.find(server),
      onFailure: ({ id }, error) => {
        this.logger.warn(`How long deliveries of the server ${id} take could not be found`, describeError(error));
      },
    });
  }

  private async find(server: TimedServer): Promise<void> {
    const since = new Date(Date.now() - PERIOD_MS);
    const times = await this.deliveries.timesOf(server.shopId, server.id, since, MAX_COUNTED);
    await this.transactions.run((transaction) =>
      this.servers.recordMedian(server, medianSecondsOf(times), transaction),
    );
  }
}
