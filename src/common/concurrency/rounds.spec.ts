import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Rounds } from './rounds.js';

const INTERVAL_MS = 1_000;

describe('work that repeats', () => {
  const failures: unknown[] = [];
  let begun: number;
  let end: (error?: Error) => void;
  let rounds: Rounds;

  beforeEach(() => {
    jest.useFakeTimers();
    failures.length = begun = 0;
    const work = (): Promise<void> =>
      new Promise((resolve, reject) => {
        begun++;
        end = (error) => {
          if (error) reject(error);
          else resolve();
        };
      });
    rounds = new Rounds(INTERVAL_MS, work, (error) => failures.push(error));
    rounds.start();
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

  it('continues after a round that failed, and logs why it failed', async () => {
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    const error = new Error('the database is away');
    end(error);
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    expect({ failures, begun }).toEqual({ failures: [error], begun: 2 });
  });

  it('begins no other round after a stop, and the stop waits for the end of the last one', async () => {
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(rounds.isStopped).toBe(false);
    let stopped = false;
    const stopping = rounds.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    expect({ stopped, asked: rounds.isStopped }).toEqual({ stopped: false, asked: true });
    end();
    await stopping;
    await jest.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    expect(begun).toBe(1);
  });
});
