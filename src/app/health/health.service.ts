import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type JobState } from '../../infrastructure/jobs/job.js';
import { DatabasePing } from '../../infrastructure/database/database-ping.js';
import { type CountingPlace } from '../../http/throttling/limit-storage.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { type MailState, MailStateService } from '../../events/mail/mail-state.service.js';
import { type OutboxFailures, OutboxStateService } from '../../events/outbox/outbox-state.service.js';
import { SharedResult } from '../../lib/concurrency/shared-result.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { DataDisk, type DiskState } from './data-disk.js';

/** What works around the requests that the service serves. */
export interface SurroundingState {
  readonly jobs: readonly JobState[];
  readonly outbox: OutboxFailures;
  readonly mail: MailState;
  readonly limitsCountedIn: CountingPlace;
  readonly dataDisk: DiskState;
}

/** Reports to a load balancer whether it can send requests here. */
@Injectable()
export class HealthService {
  private stopping = false;
  /** However many health checks there are, they cost one computation a second. */
  private readonly state = new SharedResult(SECOND_MS, () => this.read());

  constructor(
    private readonly database: DatabasePing,
    private readonly jobs: BackgroundJobs,
    private readonly outbox: OutboxStateService,
    private readonly mail: MailStateService,
    private readonly limiter: RateLimiter,
    private readonly disk: DataDisk,
  ) {}

  /**
   * The state of the background jobs of this process, of the messages that leave the service, of the counters of the rate limits, and
   * of the disk, at most a second ago. What fails there does not make the service unready: most requests do not need it, and no other process
   * could do better.
   * @throws AppError service_unavailable when the database did not respond in time, or the process is stopping
   */
  async requireReady(): Promise<SurroundingState> {
    if (this.stopping) throw new AppError('service_unavailable');
    return this.state.get();
  }

  /** Not ready from now on. */
  stop(): void {
    this.stopping = true;
  }

  private async read(): Promise<SurroundingState> {
    await this.database.ping();
    const [outbox, mail, limitsCountedIn, dataDisk] = await Promise.all([
      this.outbox.failures(null),
      this.mail.read(),
      this.limiter.countsIn(),
      this.disk.state(),
    ]);
    return { jobs: this.jobs.states(), outbox, mail, limitsCountedIn, dataDisk };
  }
}
