import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { aroundBatches } from '../../../test/support/batches.js';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { type Call, directTransactions, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { type TickResult, type WaitingEntry } from './outbox.types.js';
import { OutboxDatabase } from './outbox-database.js';
import { ATTEMPT_TIMEOUT_MS, type Outcome, type OutboxDeliveryService } from './outbox-delivery.service.js';
import { type OutboxEntriesRepository } from './outbox-entries.repository.js';
import { type SendingHandler } from './outbox-handlers.js';
import { type OutboxLanesRepository } from './outbox-lanes.repository.js';
import { OutboxTicksService } from './outbox-ticks.service.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const LATER = new Date(NOW.getTime() + 5 * SECOND_MS);
const LANE = 'note desk';
const HANDLER: SendingHandler = { send: () => Promise.resolve(), retryAfter: () => null };

const entry = (position: number, dueAt = NOW): WaitingEntry => ({
  ...{ id: String(position), topic: 'note', shopId: null, orderId: null, lane: LANE, stream: 'order', position },
  ...{ attempts: 0, createdAt: NOW, dueAt, sealedPayload: '' },
});

describe('OutboxTicksService', () => {
  let calls: Call[];
  /** The ids of the messages of which an attempt began. */
  let delivered: string[];
  let due: WaitingEntry[];
  let waiting: WaitingEntry[];
  let isStopped: boolean;
  let outcomeOf: (id: string) => Outcome;
  let ticks: OutboxTicksService;

  beforeEach(() => {
    stopClock(NOW);
    [calls, delivered, due, waiting, isStopped] = [[], [], [], [], false];
    outcomeOf = () => 'sent';
    ticks = new OutboxTicksService(
      recording<OutboxEntriesRepository>(calls, {
        due: (_lane, _now, limit) => Promise.resolve(due.slice(0, limit)),
        ofStreams: () => Promise.resolve(waiting),
        postpone: () => Promise.resolve(),
        nextDueAt: () => Promise.resolve(LATER),
      }),
      recording<OutboxLanesRepository>(calls, { lease: () => Promise.resolve(true), release: () => Promise.resolve() }),
      {
        deliver: ({ id }: WaitingEntry) => {
          delivered.push(id);
          return Promise.resolve(outcomeOf(id));
        },
      } as unknown as OutboxDeliveryService,
      new OutboxDatabase(directTransactions),
    );
  });
  afterEach(startClock);

  const run = (): Promise<TickResult | null> => ticks.run(LANE, HANDLER, () => isStopped);
  const names = (): string[] => calls.map(([name]) => name);

  it('leases the lane for 20 seconds longer than the last attempt of a tick can take', async () => {
    await run();
    const until = new Date(NOW.getTime() + 10 * SECOND_MS + ATTEMPT_TIMEOUT_MS + 20 * SECOND_MS);
    expect(calls[0]).toEqual(['lease', LANE, expect.any(String), NOW, until]);
  });

  it('releases a lane as the holder that has leased it', async () => {
    await run();
    const [[, , leasedBy], [, , releasedBy]] = ['lease', 'release'].map((method) =>
      calls.find(([name]) => name === method),
    ) as [Call, Call];
    expect(releasedBy).toBe(leasedBy);
  });

  it('reads when the next message is due after it has released the lane, because others may have added one until then', async () => {
    expect(await run()).toEqual({ retried: false, nextDueAt: LATER });
    expect(names().slice(-2)).toEqual(['release', 'nextDueAt']);
  });

  it.each(aroundBatches(20))('sends %i messages that are due in one tick, each once', async (count) => {
    due = Array.from({ length: count }, (_, index) => ({ ...entry(0), id: String(index), stream: String(index) }));
    const ids = due.map(({ id }) => id);
    outcomeOf = (id) => {
      due = due.filter((message) => message.id !== id);
      return 'sent';
    };
    await run();
    expect(delivered.toSorted()).toEqual(ids.toSorted());
  });

  it('sends a stream only as far as no message is missing between those that are due', async () => {
    due = [entry(2), entry(0)];
    await run();
    expect(delivered).toEqual(['0']);
  });

  it('postpones a stream whose first message is due later', async () => {
    due = [entry(1)];
    waiting = [entry(0, LATER), entry(1)];
    await run();
    expect(delivered).toEqual([]);
    expect(calls).toContainEqual(['postpone', LANE, 'order', LATER, TRANSACTION]);
  });

  it.each<[when: string, then: () => void]>([
    ['the process stops', () => (isStopped = true)],
    ['the tick has taken 10 seconds', () => jest.setSystemTime(NOW.getTime() + 10 * SECOND_MS)],
  ])('begins no other attempt when %s', async (_, then) => {
    due = [entry(0), entry(1)];
    outcomeOf = () => (then(), 'sent');
    await run();
    expect(delivered).toEqual(['0']);
    expect(names()).toContain('release');
  });

  it('begins no other attempt after one that has to be retried, and returns this only when no message was sent', async () => {
    due = Array.from({ length: 8 }, (_, index) => ({ ...entry(0), id: String(index), stream: String(index) }));
    outcomeOf = () => 'retried';
    expect(await run()).toEqual({ retried: true, nextDueAt: LATER });
    // Four streams at once.
    expect(delivered).toEqual(['0', '1', '2', '3']);
    outcomeOf = (id) => (id === '0' ? 'sent' : 'retried');
    expect(await run()).toEqual({ retried: false, nextDueAt: LATER });
  });
});
