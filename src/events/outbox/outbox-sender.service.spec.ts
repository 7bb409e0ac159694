import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setWallClock, startClock, stopClock } from '../../../test/support/clock.js';
import { FakeJobs } from '../../../test/support/fakes.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type OutboxDeliveryService } from './outbox-delivery.service.js';
import { type OutboxEntriesRepository } from './outbox-entries.repository.js';
import { type OutboxHandler, OutboxHandlers } from './outbox-handlers.js';
import { OutboxSenderService } from './outbox-sender.service.js';
import { type OutboxTicksService } from './outbox-ticks.service.js';
import { type TickResult } from './outbox.types.js';
import { type OutboxBatchesService } from './outbox-batches.service.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
/** How often the job looks for what is due, in production. */
const INTERVAL_MS = 30 * SECOND_MS;
const EMPTY: TickResult = { retried: false, nextDueAt: null };
/** A sender that starts ticks without end stops here, so that the spec fails and does not hang. */
const MAX_TICKS = 1_000;
const inMs = (ms: number): Date => new Date(Date.now() + ms);

describe('OutboxSenderService', () => {
  let ticks: string[];
  let run: (lane: string, isStopped: () => boolean) => Promise<TickResult | null>;
  let lanes: { lane: string; dueAt: Date }[];
  let interrupted: boolean;
  let jobs: FakeJobs;
  let sender: OutboxSenderService;

  beforeEach(() => {
    stopClock(NOW);
    Logger.overrideLogger(false);
    [ticks, lanes, interrupted, jobs] = [[], [], false, new FakeJobs()];
    run = () => Promise.resolve(EMPTY);
    const entries: Partial<OutboxEntriesRepository> = {
      nextLane: (after) => Promise.resolve(lanes.find(({ lane }) => lane > after) ?? null),
    };
    const handlers = new OutboxHandlers();
    handlers.register('note', { send: () => Promise.resolve(), retryAfter: () => null });
    handlers.register('write', { apply: () => Promise.resolve(), retryAfter: () => null });
    const tickOf = (prefix: string) => ({
      run: (lane: string, _: OutboxHandler, isStopped: () => boolean) =>
        ticks.push(`${prefix}${lane}`) < MAX_TICKS ? run(lane, isStopped) : Promise.resolve(EMPTY),
    });
    sender = new OutboxSenderService(
      entries as OutboxEntriesRepository,
      tickOf('') as unknown as OutboxTicksService,
      tickOf('in batches: ') as unknown as OutboxBatchesService,
      { interrupt: () => (interrupted = true) } as unknown as OutboxDeliveryService,
      handlers,
      { sweepIntervalMs: INTERVAL_MS } as AppConfig,
      jobs.asService,
    );
  });
  afterEach(() => {
    startClock();
  });

  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
  const never = (): Promise<never> => new Promise(() => undefined);

  it('starts a tick of a lane at once, and another one when it is woken during the tick, but never two at once', async () => {
    let end = (): void => undefined;
    run = () => new Promise((resolve) => (end = () => resolve(EMPTY)));
    for (let times = 0; times < 3; times++) sender.wake('note a');
    expect(ticks).toEqual(['note a']);
    sender.wake('note a');
    sender.wake('note b');
    expect(ticks).toEqual(['note a', 'note b']);
    run = () => Promise.resolve(EMPTY);
    end();
    await pass(0);
    expect(ticks).toEqual(['note a', 'note b']);
    sender.wake('note c');
    expect(ticks).toHaveLength(3);
  });

  it('lets a handler that writes only to the database work in batches', () => {
    for (const lane of ['note a', 'write a']) sender.wake(lane);
    expect(ticks).toEqual(['note a', 'in batches: write a']);
  });

  it('works on 200 lanes at once, and on the next one when a tick ends', async () => {
    const ends: (() => void)[] = [];
    run = () => new Promise((resolve) => ends.push(() => resolve(EMPTY)));
    for (let lane = 0; lane < 202; lane++) sender.wake(`note ${lane}`);
    expect(ticks).toHaveLength(200);
    ends[7]?.();
    await pass(0);
    expect(ticks).toHaveLength(201);
  });

  it('reads the topic of a lane up to the first space, and ignores a topic that this version does not know', () => {
    for (const lane of ['unknown a', 'note shop 1 2']) sender.wake(lane);
    expect(ticks).toEqual(['note shop 1 2']);
  });

  it('continues at once with a lane that has more messages, and otherwise when the next message is due', async () => {
    const next = [inMs(0), inMs(5 * SECOND_MS), null];
    run = () => Promise.resolve({ retried: false, nextDueAt: next.shift() ?? null });
    sender.wake('note a');
    await pass(0);
    expect(ticks).toHaveLength(2);
    await pass(5 * SECOND_MS - 1);
    expect(ticks).toHaveLength(2);
    await pass(1);
    expect(ticks).toHaveLength(3);
  });

  it('starts a tick in time for each message that is due before the next round of the job', async () => {
    const next = [inMs(INTERVAL_MS), null];
    run = () => Promise.resolve({ retried: false, nextDueAt: next.shift() ?? null });
    sender.wake('note a');
    await pass(INTERVAL_MS);
    expect(ticks).toHaveLength(2);
  });

  it.each([
    [5, 20],
    [20, 5],
  ])('starts the next tick after 5 s when messages are due in %i and in %i s', async (first, second) => {
    const next = [inMs(first * SECOND_MS), inMs(second * SECOND_MS), null];
    run = () => Promise.resolve({ retried: false, nextDueAt: next.shift() ?? null });
    sender.wake('note a');
    await pass(0);
    sender.wake('note a');
    await pass(0);
    expect(ticks).toHaveLength(2);
    await pass(5 * SECOND_MS);
    expect(ticks).toHaveLength(3);
  });

  it('backs off after a tick with a failed attempt, longer each time and 20 seconds at most', async () => {
    run = () => Promise.resolve({ retried: true, nextDueAt: inMs(0) });
    sender.wake('note a');
    const rests: number[] = [];
    for (let count = 1; count <= 8; count++) {
      await pass(0);
      expect(ticks).toHaveLength(count);
      const before = Date.now();
      sender.wake('note a');
      expect(ticks).toHaveLength(count);
      await jest.advanceTimersToNextTimerAsync();
      rests.push((Date.now() - before) / SECOND_MS);
    }
    expect(rests).toEqual([0.5, 1, 2, 4, 8, 16, 20, 20]);
  });

  it('starts a tick at once when the tick before had no failed attempt', async () => {
    const results = [true, false, true].map((retried) => ({ retried, nextDueAt: inMs(0) }));
    run = () => Promise.resolve(results.shift() ?? EMPTY);
    sender.wake('note a');
    await pass(SECOND_MS / 2);
    expect(ticks).toHaveLength(3);
    await pass(SECOND_MS / 2);
    expect(ticks).toHaveLength(4);
  });

  it('backs off also after a tick that failed', async () => {
    run = () => Promise.reject(new Error('the database is down'));
    sender.wake('note a');
    await pass(MINUTE_MS);
    // After 0.5, 1, 2, 4, 8, 16 and 20 seconds.
    expect(ticks).toHaveLength(8);
  });

  it('ends a backoff after its time also when the clock is turned back in the meantime', async () => {
    run = () => Promise.resolve({ retried: true, nextDueAt: inMs(0) });
    sender.wake('note a');
    await pass(0);
    setWallClock(-HOUR_MS);
    await pass(SECOND_MS / 2);
    expect(ticks).toHaveLength(2);
  });

  it('wakes in each round of its job the lanes with messages that are due', async () => {
    const dueIn = { 'note a': 2, 'note b': 0, 'note c': 1 };
    lanes = Object.entries(dueIn).map(([lane, seconds]) => ({ lane, dueAt: inMs(seconds * SECOND_MS) }));
    await jobs.runRound('outbox');
    expect(ticks).toEqual(['note b']);
    await pass(SECOND_MS);
    await jobs.runRound('outbox');
    expect(ticks).toEqual(['note b', 'note b', 'note c']);
  });

  it('wakes no lane in a round when the service stops', async () => {
    lanes = [{ lane: 'note a', dueAt: inMs(0) }];
    jobs.isStopped = true;
    await jobs.runRound('outbox');
    expect(ticks).toEqual([]);
  });

  it('starts a tick of a lane without a backoff after another process has held the lane', async () => {
    run = () => Promise.resolve(null);
    for (let count = 1; count <= 2; count++) {
      sender.wake('note a');
      expect(ticks).toHaveLength(count);
      await pass(0);
    }
  });

  it('ends at a stop the ticks that run, waits for them, and begins no other', async () => {
    let end = (): void => undefined;
    let mustEnd = (): boolean => false;
    run = (_, stops) =>
      new Promise((resolve) => {
        mustEnd = stops;
        end = () => resolve({ retried: false, nextDueAt: inMs(0) });
      });
    sender.wake('note a');
    expect(mustEnd()).toBe(false);
    let isStopped = false;
    const stopping = sender.onApplicationShutdown().then(() => (isStopped = true));
    expect(mustEnd()).toBe(true);
    sender.wake('note b');
    await pass(7 * SECOND_MS);
    expect([isStopped, interrupted]).toEqual([false, false]);
    end();
    await stopping;
    expect(ticks).toEqual(['note a']);
  });

  it('interrupts at a stop what takes longer than 8 seconds, and stops after 10', async () => {
    run = never;
    sender.wake('note a');
    let isStopped = false;
    void sender.onApplicationShutdown().then(() => (isStopped = true));
    await pass(8 * SECOND_MS);
    expect([isStopped, interrupted]).toEqual([false, true]);
    await pass(2 * SECOND_MS);
    expect(isStopped).toBe(true);
  });
});
