import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { BackgroundJobs } from '../../platform/jobs/background-jobs.js';
import { SECOND_MS } from '../../platform/time/durations.js';
import { TotalsMetrics } from './totals-metrics.js';

/** The page of metrics, as Prometheus reads it. */
@Injectable()
export class MetricsService {
  private readonly failures: Gauge<'job_name'>;
  private readonly finished: Gauge<'job_name'>;

  constructor(
    private readonly registry: Registry,
    private readonly jobs: BackgroundJobs,
    private readonly totals: TotalsMetrics,
  ) {
    const labelNames = ['job_name'] as const;
    this.failures = new Gauge({
      name: 'shop_platform_job_failures_in_row',
      help: 'Rounds of a background job of this process that have failed since the latest one that did not',
      labelNames,
      registers: [registry],
    });
    this.finished = new Gauge({
      name: 'shop_platform_job_last_finished_timestamp_seconds',
      help: 'When the latest round of a background job of this process ended without an error',
      labelNames,
      registers: [registry],
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async page(): Promise<string> {
    for (const { name: job_name, failuresInRow, lastFinishedAt } of this.jobs.states()) {
      this.failures.set({ job_name }, failuresInRow);
      if (lastFinishedAt !== null) this.finished.set({ job_name }, lastFinishedAt.getTime() / SECOND_MS);
    }
    await this.totals.refresh();
    return this.registry.metrics();
  }
}
