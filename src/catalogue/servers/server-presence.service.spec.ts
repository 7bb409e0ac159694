import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aroundBatches } from '../../../test/support/batches.js';
import { startClock, stopDate } from '../../../test/support/clock.js';
import { SHOP } from '../../../test/support/contexts.js';
import {
  type Call,
  directTransactions,
  FakeJobs,
  FakeShopEvents,
  recording,
  TRANSACTION,
} from '../../../test/support/fakes.js';
import { ServerPresenceService } from './server-presence.service.js';
import { type ServersRepository } from './servers.repository.js';

const NOW = new Date('2026-11-26T12:00:00.000Z');
/** When a server that goes offline now was seen last. */
const ALIVE_SINCE = new Date('2026-11-26T11:58:30.000Z');

describe('a round of the presence of servers', () => {
  /** How many servers have stopped reporting. */
  let waiting: number;
  let afterBatch: () => void;
  let jobs: FakeJobs;
  let events: FakeShopEvents;
  let calls: Call[];

  beforeEach(() => {
    stopDate(NOW);
    [waiting, afterBatch, jobs, events, calls] = [120, () => undefined, new FakeJobs(), new FakeShopEvents(), []];
    const servers = recording<ServersRepository>(calls, {
      findChangedPresence: (presence, _since, limit) => {
        const length = presence === 'offline' ? Math.min(waiting, limit) : 0;
        return Promise.resolve(Array.from({ length }, (_, index) => ({ id: `${index}`, shopId: SHOP, name: 'lobby' })));
      },
      recordPresence: (ids) => {
        waiting -= ids.length;
        afterBatch();
        return Promise.resolve();
      },
    });
    new ServerPresenceService(servers, events.asService, directTransactions, jobs.asService);
  });
  afterEach(startClock);

  it('takes a server for offline that was not seen for 90 seconds, and for online again from then on', async () => {
    waiting = 0;
    await jobs.runRound('server-presence');
    expect(calls).toEqual([
      ['findChangedPresence', 'offline', ALIVE_SINCE, 50, TRANSACTION],
      ['findChangedPresence', 'online', ALIVE_SINCE, 50, TRANSACTION],
    ]);
  });

  it.each(aroundBatches(50))('publishes %i changes in one round, 50 in each transaction', async (count) => {
    waiting = count;
    await jobs.runRound('server-presence');
    expect([waiting, events.recorded.length]).toEqual([0, count]);
    const written = calls.filter(([name]) => name === 'recordPresence').map(([, ids]) => (ids as string[]).length);
    expect(written.every((length) => length > 0 && length <= 50)).toBe(true);
  });

  it('begins no other batch when the service stops', async () => {
    afterBatch = () => (jobs.isStopped = true);
    await jobs.runRound('server-presence');
    expect([waiting, events.recorded.length]).toEqual([70, 50]);
  });
});
