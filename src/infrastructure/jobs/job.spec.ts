import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { Job } from './job.js';

const INTERVAL_MS = 1_000;

describe('work that repeats', () => {
  let begun: number;
  let end: (error?: Error) => void;
  let job: Job;

  beforeEach(() => {
    jest.useFakeTimers();
    Logger.overrideLogger(false);
    begun = 0;
    const work = (): Promise<void> =>
      new Promise((resolve, reject) => {
        begun++;
        end = (error) => {
          if (error) reject(error);
          else resolve();
        };
      });
    job = new Job('sweep', INTERVAL_MS, work);
    job.start();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('begins an interval after the start, and never twice at once', async () => {
    await jest.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(begun).toBe(0);
    await jest.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(begun).toBe(1);
    end();
    await jest.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(begun).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toBe(2);
  });

  it('continues after a round that failed, and shows when and why it failed and how often in a row', async () => {
    expect(job.state).toEqual({
      name: 'sweep',
      lastFinishedAt: null,
      lastFailedAt: null,
      lastError: null,
      failuresInRow: 0,
    });
    for (const failuresInRow of [1, 2]) {
      await jest.advanceTimersByTimeAsync(INTERVAL_MS);
      end(new AppError('service_unavailable', { cause: new Error('mongodb://user:secret@host') }));
      await jest.advanceTimersByTimeAsync(0);
      const lastFailedAt = new Date();
      expect(job.state).toMatchObject({
        lastFinishedAt: null,
        lastFailedAt,
        lastError: 'service_unavailable',
        failuresInRow,
      });
    }
    const failedAt = job.state.lastFailedAt;
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect(job.state).toEqual({
      name: 'sweep',
      lastFinishedAt: new Date(),
      lastFailedAt: failedAt,
      lastError: 'service_unavailable',
      failuresInRow: 0,
    });
  });

  it('begins no other round after a stop, and the stop waits for the end of the last one', async () => {
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(job.isStopped).toBe(false);
    let stopped = false;
    const stopping = job.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    expect({ stopped, asked: job.isStopped }).toEqual({ stopped: false, asked: true });
    end();
    await stopping;
    await jest.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    expect(begun).toBe(1);
  });
});
