import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Connection } from 'mongoose';
import { HOUR_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../config/app-config.js';
import { Transactions } from './transactions.js';

const TIME_LIMIT_MS = 5 * SECOND_MS;
const unavailable = expect.objectContaining({ code: 'service_unavailable' });

/** Counts what is open and what was committed. Repeats the work as often as `conflicts` says. */
class FakeDatabase {
  open = 0;
  mostOpen = 0;
  committed = 0;
  conflicts = 0;

  readonly connection = {
    withSession: async <Result>(use: (session: unknown) => Promise<Result>): Promise<Result> => {
      this.mostOpen = Math.max(this.mostOpen, ++this.open);
      try {
        return await use({ withTransaction: (work: () => Promise<Result>) => this.commit(work) });
      } finally {
        this.open--;
      }
    },
  } as unknown as Connection;

  private async commit<Result>(work: () => Promise<Result>): Promise<Result> {
    for (; this.conflicts > 0; this.conflicts--) await work();
    const result = await work();
    this.committed++;
    return result;
  }
}

describe('Transactions', () => {
  let database: FakeDatabase;
  let transactions: Transactions;
  const takes = (timeMs: number) => (): Promise<string> =>
    new Promise((resolve) => {
      setTimeout(() => {
        resolve('done');
      }, timeMs);
    });

  beforeEach(() => {
    jest.useFakeTimers();
    database = new FakeDatabase();
    transactions = new Transactions(database.connection, { timeLimitFactor: 1 } as AppConfig);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('returns what the work returned', async () => {
    const running = transactions.run(takes(TIME_LIMIT_MS));
    await jest.runAllTimersAsync();
    expect([await running, database.committed]).toEqual(['done', 1]);
  });

  it('commits nothing after its time limit, so an error always means that nothing is stored', async () => {
    const running = expect(transactions.run(takes(TIME_LIMIT_MS + 1))).rejects.toEqual(unavailable);
    await jest.runAllTimersAsync();
    await running;
    expect(database.committed).toBe(0);
  });

  it('commits in time also when the clock is set forward in the meantime', async () => {
    const running = transactions.run(takes(TIME_LIMIT_MS));
    jest.setSystemTime(Date.now() + HOUR_MS);
    await jest.runAllTimersAsync();
    expect([await running, database.committed]).toEqual(['done', 1]);
  });

  it('stops retrying a transaction after its time limit', async () => {
    database.conflicts = 1_000;
    const work = jest.fn(takes(TIME_LIMIT_MS / 4));
    const running = expect(transactions.run(work)).rejects.toEqual(unavailable);
    await jest.runAllTimersAsync();
    await running;
    expect(work).toHaveBeenCalledTimes(5);
  });

  it('includes waiting in the time limit: work whose turn comes too late does not begin', async () => {
    const first = transactions.run(takes(TIME_LIMIT_MS), { oneAtATime: 'code:a' });
    const work = jest.fn(takes(0));
    await jest.advanceTimersByTimeAsync(1);
    const late = expect(transactions.run(takes(TIME_LIMIT_MS), { oneAtATime: 'code:a' })).rejects.toEqual(unavailable);
    const later = expect(transactions.run(work, { oneAtATime: 'code:a' })).rejects.toEqual(unavailable);
    await jest.runAllTimersAsync();
    await Promise.all([first, late, later]);
    expect(work).not.toHaveBeenCalled();
    expect(database.committed).toBe(1);
  });

  it('keeps at most half of the connection pool open', async () => {
    const all = Array.from({ length: 100 }, () => transactions.run(takes(1)));
    await jest.runAllTimersAsync();
    await Promise.all(all);
    expect([database.mostOpen, database.committed]).toEqual([25, 100]);
  });

  it('runs transactions of one name one after the other; waiting ones use no connection', async () => {
    const all = Array.from({ length: 100 }, () => transactions.run(takes(1), { oneAtATime: 'code:a' }));
    await jest.advanceTimersByTimeAsync(0);
    expect(database.open).toBe(1);
    const other = transactions.run(takes(1), { oneAtATime: 'code:b' });
    await jest.advanceTimersByTimeAsync(1);
    expect(await other).toBe('done');
    await jest.runAllTimersAsync();
    await Promise.all(all);
    expect([database.mostOpen, database.committed]).toEqual([2, 101]);
  });
});
