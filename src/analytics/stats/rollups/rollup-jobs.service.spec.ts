import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Call, directTransactions, FakeJobs, recording } from '../../../../test/support/fakes.js';
import { HOUR_MS, MINUTE_MS } from '../../../lib/time/durations.js';
import { type LedgerService } from '../../../orders/ledger/ledger.service.js';
import { RollupJobsService } from './rollup-jobs.service.js';
import { type RollupStatesRepository } from './rollup-states.repository.js';
import { type RollupsService } from './rollups.service.js';

const pause = <Value>(ms: number, value: Value): Promise<Value> =>
  new Promise((resolve) => {
    setTimeout(() => {
      resolve(value);
    }, ms);
  });

/** Shops with these numbers, in the order of their ids. */
const shopIds = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => (from + index).toString(16).padStart(24, '0'));

const firstAfter = (ids: readonly string[], after: string | null): Promise<string | null> =>
  Promise.resolve(ids.find((id) => after === null || id > after) ?? null);

let calls: Call[];
let pending: string[];
let unfinished: string[];
let leasedByOthers: Set<string>;
/** How long the leases are. */
let leaseMs: Set<number>;
/** The shops whose leases were released. */
let released: string[];
/** How small a batch must be to succeed; null: nothing is left to do. */
let failsBelow: number | null;
/** How long each step takes, and how many more have something to do. */
let slowSteps: { readonly ms: number; more: number } | null;
let onStep: () => void;
let jobs: FakeJobs;

beforeEach(() => {
  [calls, pending, unfinished, leasedByOthers, released] = [[], [], [], new Set(), []];
  leaseMs = new Set();
  failsBelow = null;
  slowSteps = null;
  onStep = () => undefined;
  jobs = new FakeJobs();
  new RollupJobsService(
    recording<RollupStatesRepository>([], {
      ensure: () => Promise.resolve(false),
      lease: (shopId, now, until) => {
        leaseMs.add(until.getTime() - now.getTime());
        return Promise.resolve(!leasedByOthers.has(shopId));
      },
      release: (shopId) => Promise.resolve(void released.push(shopId)),
      nextUnfinished: (after) => firstAfter(unfinished, after),
    }),
    recording<LedgerService>([], { nextPendingShop: (after) => firstAfter(pending, after) }),
    recording<RollupsService>(calls, {
      step: (_shopId, divisor = 1) => {
        onStep();
        if (slowSteps !== null) {
          const hasMore = slowSteps.more-- > 0;
          return pause(slowSteps.ms, hasMore);
        }
        if (failsBelow === null) return Promise.resolve(false);
        if (divisor < failsBelow) return Promise.reject(new Error('Transaction exceeded its time limit'));
        failsBelow = null;
        return Promise.resolve(true);
      },
    }),
    directTransactions,
    jobs.asService,
  );
});

const round = (): Promise<void> => jobs.runRound('statistics');
const workedOn = (): unknown[] => calls.filter(([name]) => name === 'step').map(([, shopId]) => shopId);

describe('RollupJobsService', () => {
  it('works on each shop once in a round, however many there are, although each has something to do again', async () => {
    pending = shopIds(0, 1_000);
    unfinished = shopIds(400, 1_200);
    await round();
    expect(workedOn()).toHaveLength(1_200);
    expect(new Set(workedOn())).toEqual(new Set(shopIds(0, 1_200)));
  });

  it('leases each shop for two minutes, and works on those after the ones that other processes work on', async () => {
    pending = shopIds(0, 1_000);
    leasedByOthers = new Set(shopIds(0, 900));
    await round();
    expect(workedOn()).toEqual(shopIds(900, 1_000));
    expect([...leaseMs]).toEqual([2 * MINUTE_MS]);
  });

  it('continues a step that fails in smaller batches, until the end of the round', async () => {
    pending = shopIds(0, 1);
    failsBelow = 64;
    await round();
    expect(calls.map(([, , divisor]) => divisor)).toEqual([1, 8, 64, 64]);
  });

  it('ends the work on a shop whose smallest batch fails', async () => {
    pending = shopIds(0, 1);
    failsBelow = Infinity;
    await expect(round()).rejects.toThrow('Transaction exceeded its time limit');
    expect(calls.map(([, , divisor]) => divisor)).toEqual([1, 8, 64]);
  });

  it('releases a shop that is not done when the service stops, so that the next process need not wait for the end of the lease', async () => {
    pending = shopIds(0, 1);
    slowSteps = { ms: 0, more: Infinity };
    onStep = () => (jobs.isStopped = true);
    await round();
    expect([workedOn(), released]).toEqual([shopIds(0, 1), shopIds(0, 1)]);
  });

  describe('with steps that take 40 ms', () => {
    beforeEach(() => {
      jest.useFakeTimers();
      slowSteps = { ms: 40, more: 2 };
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('pauses for as long between two steps, so that other work gets its share, and not after the last one', async () => {
      pending = shopIds(0, 1);
      const ended = round();
      const steps: number[] = [];
      // Each step takes 40 ms, and so does each pause.
      for (const ms of [79, 1, 79, 1]) {
        await jest.advanceTimersByTimeAsync(ms);
        steps.push(workedOn().length);
      }
      expect(steps).toEqual([1, 2, 2, 3]);
      await jest.advanceTimersByTimeAsync(40);
      await ended;
    });

    it('pauses no longer when the clock is set forward during a step', async () => {
      pending = shopIds(0, 1);
      const ended = round();
      jest.setSystemTime(Date.now() + HOUR_MS);
      await jest.advanceTimersByTimeAsync(80);
      expect(workedOn()).toHaveLength(2);
      await jest.advanceTimersByTimeAsync(120);
      await ended;
    });
  });
});
