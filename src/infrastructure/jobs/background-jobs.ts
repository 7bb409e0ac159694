import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { Job, type JobState } from './job.js';

/** The jobs, as `/health/ready` and the metrics show them. */
export type JobName =
  | 'abandoned-deliveries'
  | 'buyer-profiles'
  | 'deleted-servers'
  | 'delivery-times'
  | 'domain-checks'
  | 'ended-entitlements'
  | 'erased-names'
  | 'order-expiry'
  | 'outbox'
  | 'owner-summaries'
  | 'payments'
  | 'refunds'
  | 'rejected-requests'
  | 'sale-announcements'
  | 'server-presence'
  | 'statistics'
  | 'unused-images';

/**
 * The jobs that run in the background of every process. All of them start with the application and stop with it, before the
 * connection to the database closes. Several processes run the same jobs: each job claims what it works on by a conditional write.
 */
@Injectable()
export class BackgroundJobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly jobs: Job[] = [];

  constructor(private readonly config: AppConfig) {}

  /** Adds a job. Services call it in their constructor. */
  add(name: JobName, round: () => Promise<void>): Job {
    const job = new Job(name, this.config.sweepIntervalMs, round);
    this.jobs.push(job);
    return job;
  }

  /** What this process has done of each job. */
  states(): JobState[] {
    return this.jobs.map(({ state }) => state);
  }

  onApplicationBootstrap(): void {
    for (const job of this.jobs) job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
  }
}
