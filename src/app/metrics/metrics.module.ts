import { Module } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { SnapshotModule } from '../../catalogue/snapshot/snapshot.module.js';
import { HealthModule } from '../health/health.module.js';
import { DatabaseMetrics } from './database-metrics.js';
import { MetricsServer } from './metrics-server.js';
import { MetricsService } from './metrics.service.js';
import { RequestMetrics } from './request-metrics.js';
import { SnapshotMetrics } from './snapshot-metrics.js';
import { TotalsMetrics } from './totals-metrics.js';

/** Prometheus metrics on a port of their own. A part of the application only when `METRICS_PORT` is set, so that it costs nothing otherwise. */
@Module({
  imports: [JobsModule, HealthModule, SnapshotModule],
  providers: [
    {
      provide: Registry,
      useFactory: () => {
        const registry = new Registry();
        collectDefaultMetrics({ register: registry });
        return registry;
      },
    },
    {
      provide: DatabaseMetrics,
      useFactory: (connection: Connection, registry: Registry) => new DatabaseMetrics(connection.getClient(), registry),
      inject: [getConnectionToken(), Registry],
    },
    RequestMetrics,
    SnapshotMetrics,
    TotalsMetrics,
    MetricsService,
    MetricsServer,
  ],
})
export class MetricsModule {}
