import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { BackgroundJobs } from '../../platform/jobs/background-jobs.js';
import { type JobState } from '../../platform/jobs/job.js';
import { DatabasePing } from '../../platform/database/database-ping.js';
import { type MailState, MailStateService } from '../../events/mail/mail-state.service.js';
import { type OutboxFailures, OutboxStateService } from '../../events/outbox/outbox-state.service.js';

/** What runs in the background. */
export interface BackgroundState {
  readonly jobs: readonly JobState[];
  readonly outbox: OutboxFailures;
  readonly mail: MailState;
}

/** Reports to a load balancer whether it can send requests here. */
@Injectable()
export class HealthService {
  private stopping = false;

  constructor(
    private readonly database: DatabasePing,
    private readonly jobs: BackgroundJobs,
    private readonly outbox: OutboxStateService,
    private readonly mail: MailStateService,
  ) {}

  /**
   * The state of the background jobs of this process, and of the messages that leave the service, now. What fails there does not
   * make the service unready: requests do not need it, and no other process could do better.
   * @throws AppError service_unavailable when the database does not respond in time or the process is stopping
   */
  async requireReady(): Promise<BackgroundState> {
    if (this.stopping) throw new AppError('service_unavailable');
    await this.database.ping();
    const [outbox, mail] = await Promise.all([this.outbox.failures(null), this.mail.read()]);
    return { jobs: this.jobs.states(), outbox, mail };
  }

  /** Not ready from now on. */
  stop(): void {
    this.stopping = true;
  }
}
