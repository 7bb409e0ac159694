import { EventEmitter } from 'node:events';
import { afterEach, expect, it, jest } from '@jest/globals';
import { type Request, type Response } from 'express';
import { Registry } from 'prom-client';
import { startClock, stopDate } from '../../../test/support/clock.js';
import { type BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type JobState } from '../../infrastructure/jobs/job.js';
import { type RateLimiter } from '../../http/throttling/rate-limiter.js';
import { type DataDisk } from '../health/data-disk.js';
import { MetricsService } from './metrics.service.js';
import { RequestMetrics } from './request-metrics.js';
import { type TotalsMetrics } from './totals-metrics.js';

const START = new Date('2026-11-28T12:00:00.000Z');

afterEach(startClock);

it('counts the time of a job that has never ended a round from the start, so that one that hangs in its first is noticed', async () => {
  const finishedAt = new Date('2026-11-27T12:00:00.000Z');
  const jobs = [
    { name: 'hanging', lastFinishedAt: null, failuresInRow: 0 },
    { name: 'working', lastFinishedAt: finishedAt, failuresInRow: 0 },
  ] as JobState[];
  const registry = new Registry();
  stopDate(START);
  const metrics = new MetricsService(
    registry,
    { states: () => jobs } as unknown as BackgroundJobs,
    { refresh: () => Promise.resolve() } as TotalsMetrics,
    { countsIn: () => Promise.resolve('process') } as unknown as RateLimiter,
    { freeBytes: () => Promise.resolve(null) } as DataDisk,
    { version: '2.0.0', commit: null },
  );
  jest.setSystemTime(START.getTime() + 3_600_000);
  await metrics.page();
  const values = (await registry.getMetricsAsJSON()).find(({ name }) => name.includes('last_finished'))?.values;
  expect(values?.map(({ labels }) => labels['job_name'])).toEqual(['hanging', 'working']);
  expect(values?.[0]?.value).toBe(START.getTime() / 1000);
  expect(values?.[1]?.value).toBe(finishedAt.getTime() / 1000);
});

it.each([
  ['took the whole response', { writableEnded: true, writableFinished: true }, '201'],
  ['left while the response was sent', { writableEnded: true, writableFinished: false }, 'aborted'],
  ['left before the response', { writableEnded: false, writableFinished: false }, 'aborted'],
])('counts the request of a client that %s', async (_what, progress, status) => {
  const registry = new Registry();
  const response = Object.assign(new EventEmitter(), { statusCode: 201, ...progress });
  const request = { method: 'GET' } as Request;
  new RequestMetrics(registry).measure(request, response as unknown as Response, () => undefined);
  response.emit('close');
  const [metric] = await registry.getMetricsAsJSON();
  expect(metric?.values.at(-1)).toMatchObject({ labels: { method: 'GET', status }, value: 1 });
});
