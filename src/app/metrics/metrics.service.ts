import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { ProductVersion } from '../../infrastructure/version/product-version.js';
import { DataDisk } from '../health/data-disk.js';
import { TotalsMetrics } from './totals-metrics.js';

/** The page of metrics, as Prometheus reads it. */
@Injectable()
export class MetricsService {
  private readonly startedAt = new Date();
  private readonly failures: Gauge<'job_name'>;
  private readonly finished: Gauge<'job_name'>;
  private readonly sharedLimits: Gauge;
  private readonly freeBytes: Gauge;

  constructor(
    private readonly registry: Registry,
    private readonly jobs: BackgroundJobs,
    private readonly totals: TotalsMetrics,
    private readonly limiter: RateLimiter,
    private readonly disk: DataDisk,
    product: ProductVersion,
  ) {
    new Gauge({
      name: 'shop_platform_build_info',
      help: 'Always 1; the labels name the version and the commit that run',
      labelNames: ['version', 'commit'],
      registers: [registry],
    }).set({ version: product.version, commit: product.commit ?? 'unknown' }, 1);
    const labelNames = ['job_name'] as const;
    this.failures = new Gauge({
      name: 'shop_platform_job_failures_in_row',
      help: 'Rounds of a background job of this process that have failed since the latest one that did not',
      labelNames,
      registers: [registry],
    });
    this.finished = new Gauge({
      name: 'shop_platform_job_last_finished_timestamp_seconds',
      help: 'When the latest round of a background job of this process ended without an error; at first the start of the process',
      labelNames,
      registers: [registry],
    });
    this.sharedLimits = new Gauge({
      name: 'shop_platform_shared_limits_available',
      help: 'Whether Redis counts the requests of this process (1) or not (0); no value without REDIS_URL',
      registers: [registry],
    });
    this.freeBytes = new Gauge({
      name: 'shop_platform_data_dir_free_bytes',
      help: 'Space on the disk of DATA_DIR, which has the database unless MONGODB_URI is set',
      registers: [registry],
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async page(): Promise<string> {
    for (const { name: job_name, failuresInRow, lastFinishedAt } of this.jobs.states()) {
      this.failures.set({ job_name }, failuresInRow);
      this.finished.set({ job_name }, (lastFinishedAt ?? this.startedAt).getTime() / SECOND_MS);
    }
    const [countedIn, freeBytes] = await Promise.all([
      this.limiter.countsIn(),
      this.disk.freeBytes(),
      this.totals.refresh(),
    ]);
    if (freeBytes === null) this.freeBytes.remove();
    else this.freeBytes.set(freeBytes);
    if (countedIn === 'process') this.sharedLimits.remove();
    else this.sharedLimits.set(countedIn === 'redis' ? 1 : 0);
    return this.registry.metrics();
  }
}
