import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { BackgroundJobs } from '../../platform/jobs/background-jobs.js';
import { type JobState } from '../../platform/jobs/job.js';
import { DatabasePing } from '../../platform/database/database-ping.js';
import { OutboxSenderService, type OutboxState } from '../../events/outbox/outbox-sender.service.js';

/** What runs in the background. */
export interface BackgroundState {
  readonly jobs: readonly JobState[];
  readonly outbox: OutboxState;
}

/** Reports to a load balancer whether it can send requests here. */
@Injectable()
export class HealthService {
  private stopping = false;

  constructor(
    private readonly database: DatabasePing,
    private readonly jobs: BackgroundJobs,
    private readonly outbox: OutboxSenderService,
  ) {}

  /**
   * The state of the background jobs of this process, and of the messages that leave the service. What fails there does not make
   * the service unready: requests do not need it.
   * @throws AppError service_unavailable when the database does not respond in time or the process is stopping
   */
  async requireReady(): Promise<BackgroundState> {
    if (this.stopping) throw new AppError('service_unavailable');
    await this.database.ping();
    return { jobs: this.jobs.states(), outbox: this.outbox.state };
  }

  /** Not ready from now on. */
  stop(): void {
    this.stopping = true;
  }
}
