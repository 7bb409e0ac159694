import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { type Sample, type TotalGauge, TotalsRegistry } from '../../infrastructure/totals/totals.js';
import { SECOND_MS } from '../../lib/time/durations.js';

const TIME_LIMIT_MS = 5 * SECOND_MS;

/**
 * What waits, and what happened in the last hour, in all shops together: the numbers that features have added to `TotalsRegistry`. Every
 * process reports the same numbers, because they come from the database: take the maximum over the processes, not the sum.
 */
@Injectable()
export class TotalsMetrics implements OnModuleInit {
  private readonly logger = new Logger('Metrics');
  private readonly databaseUp: Gauge;
  private readonly gauges = new Map<string, Gauge>();

  constructor(
    private readonly registry: Registry,
    private readonly totals: TotalsRegistry,
    private readonly config: AppConfig,
  ) {
    const help = 'Whether the numbers of this page could be read from the database (1) or not (0)';
    this.databaseUp = this.gauge('database_up', { help, labels: [] });
  }

  onModuleInit(): void {
    for (const { gauges } of this.totals.all) {
      for (const [name, gauge] of Object.entries(gauges)) this.gauges.set(name, this.gauge(name, gauge));
    }
  }

  /** Reads the numbers. Without the database there are none, rather than old ones. */
  async refresh(): Promise<void> {
    const now = new Date();
    const maxTimeMS = TIME_LIMIT_MS * this.config.timeLimitFactor;
    try {
      const read = await Promise.all(this.totals.all.map((totals) => totals.read(now, maxTimeMS)));
      this.show(Object.assign({}, ...read) as Record<string, readonly Sample[]>);
      this.databaseUp.set(1);
    } catch (error) {
      this.show({});
      this.databaseUp.set(0);
      this.logger.warn('The numbers for the metrics could not be read', describeError(error));
    }
  }

  private show(samples: Readonly<Record<string, readonly Sample[]>>): void {
    for (const [name, gauge] of this.gauges) {
      gauge.reset();
      // Its reset leaves a gauge without labels at 0.
      gauge.remove({});
      for (const { labels, value } of samples[name] ?? []) gauge.set(labels, value);
    }
  }

  private gauge(name: string, { help, labels }: TotalGauge): Gauge {
    return new Gauge({ name: `shop_platform_${name}`, help, labelNames: labels, registers: [this.registry] });
  }
}
