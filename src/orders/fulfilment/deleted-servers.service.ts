import { Injectable, Logger } from '@nestjs/common';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type DeletedServer } from '../../catalogue/servers/server.types.js';
import { DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { workOff } from '../../infrastructure/jobs/claimed-work.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { DeliveryStatusService } from './delivery-status.service.js';

/** Longer than the deliveries of most servers take. When it is over, a process continues with what is left. */
const CLAIM_MS = MINUTE_MS;
/** How long after its deletion a server is checked again: longer than a transaction that read it before can still run. */
const WATCH_MS = 5 * MINUTE_MS;
/** How many orders one transaction updates. */
const BATCH_SIZE = 50;

/**
 * Marks deliveries as failed that wait for a deleted game server, so that staff see them. What a plugin has at that moment fails
 * when its lease ends without a report. `DeliveriesService.queueFollowUps` decides what fails; it also covers what is queued later.
 */
@Injectable()
export class DeletedServersService {
  private readonly logger = new Logger('Deliveries');
  private readonly job: Job;

  constructor(
    private readonly servers: ServersService,
    private readonly deliveries: DeliveriesService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('deleted-servers', () => this.round());
  }

  private round(): Promise<void> {
    return workOff(this.job, {
      claim: (limit) => this.claim(limit),
      groupOf: ({ id }) => id,
      idsOf: ({ shopId, id }) => ({ shopId, serverId: id }),
      work: ([server]) => this.end(server),
      onFailure: ({ id }, error) => {
        this.logger.error(`The deliveries of the deleted server ${id} could not be ended`, describeError(error));
      },
    });
  }

  private claim(limit: number): Promise<readonly DeletedServer[]> {
    const until = new Date(Date.now() + CLAIM_MS);
    return this.transactions.run((transaction) => this.servers.claimDeleted(until, limit, transaction));
  }

  private async end(server: DeletedServer): Promise<void> {
    const { id: serverId, shopId, deletedAt } = server;
    let ended: number;
    do {
      ended = await this.transactions.run(async (transaction) => {
        const orderIds = await this.deliveries.ordersWaitingFor(shopId, serverId, BATCH_SIZE, transaction);
        await this.deliveryStatus.update({ shopId, principal: 'system' }, orderIds, transaction);
        return orderIds.length;
      });
    } while (ended > 0 && !this.job.isStopped);
    if (Date.now() - deletedAt.getTime() < WATCH_MS) return;
    await this.transactions.run(async (transaction) => {
      const isWaitedFor = await this.deliveries.isWaitedFor(shopId, serverId, transaction);
      if (!isWaitedFor) await this.servers.endClaims(server, transaction);
    });
  }
}
