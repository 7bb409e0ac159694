import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../config/app-config.js';
import { BackgroundJobs } from './background-jobs.js';

describe('the background jobs', () => {
  let jobs: BackgroundJobs;
  let rounds: string[];

  beforeEach(() => {
    stopClock(new Date('2026-11-22T12:00:00.000Z'));
    rounds = [];
    jobs = new BackgroundJobs({ sweepIntervalMs: SECOND_MS } as AppConfig);
    for (const name of ['outbox', 'payments'] as const) jobs.add(name, () => Promise.resolve(void rounds.push(name)));
  });
  afterEach(() => {
    startClock();
  });

  it('starts the jobs with the application, at the interval of the settings, and ends them with it', async () => {
    await jest.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect(rounds).toEqual([]);
    jobs.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect(rounds).toEqual(['outbox', 'payments', 'outbox', 'payments']);
    await jobs.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect(rounds).toHaveLength(4);
  });

  it('stops all jobs at once, so that none begins a round while the last round of another one ends', async () => {
    let end = (): void => undefined;
    jobs = new BackgroundJobs({ sweepIntervalMs: SECOND_MS } as AppConfig);
    jobs.add('outbox', () => new Promise((resolve) => (end = resolve)));
    jobs.add('payments', () => Promise.resolve(void rounds.push('payments')));
    jobs.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(SECOND_MS);
    const stopped = jobs.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect(rounds).toEqual(['payments']);
    end();
    await stopped;
  });

  it('shows the states of the jobs in the order in which they were added', async () => {
    jobs.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(SECOND_MS);
    const lastFinishedAt = new Date('2026-11-22T12:00:01.000Z');
    const state = { lastFinishedAt, lastFailedAt: null, lastError: null, failuresInRow: 0 };
    expect(jobs.states()).toEqual([
      { name: 'outbox', ...state },
      { name: 'payments', ...state },
    ]);
    await jobs.onApplicationShutdown();
  });
});
