import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { type BackgroundJobs } from '../../platform/jobs/background-jobs.js';
import { type JobState } from '../../platform/jobs/job.js';
import { type RateLimiter } from '../../platform/throttling/rate-limiter.js';
import { type DataDisk } from '../health/data-disk.js';
import { MetricsService } from './metrics.service.js';
import { type TotalsMetrics } from './totals-metrics.js';

it('counts the time of a job that has never ended a round from the start, so that one that hangs in its first is noticed', async () => {
  const finishedAt = new Date('2026-11-27T12:00:00.000Z');
  const jobs = [
    { name: 'hanging', lastFinishedAt: null, failuresInRow: 0 },
    { name: 'working', lastFinishedAt: finishedAt, failuresInRow: 0 },
  ] as JobState[];
  const registry = new Registry();
  const before = Date.now() / 1000;
  const metrics = new MetricsService(
    registry,
    { states: () => jobs } as unknown as BackgroundJobs,
    { refresh: () => Promise.resolve() } as TotalsMetrics,
    { countsIn: () => Promise.resolve('process') } as unknown as RateLimiter,
    { freeBytes: () => Promise.resolve(null) } as DataDisk,
  );
  await metrics.page();
  const values = (await registry.getMetricsAsJSON()).find(({ name }) => name.includes('last_finished'))?.values;
  expect(values?.map(({ labels }) => labels['job_name'])).toEqual(['hanging', 'working']);
  expect(values?.[0]?.value).toBeGreaterThanOrEqual(before);
  expect(values?.[1]?.value).toBe(finishedAt.getTime() / 1000);
});
