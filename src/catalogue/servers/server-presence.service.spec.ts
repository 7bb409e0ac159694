import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, directTransactions, FakeJobs, FakeShopEvents, recording } from '../../../test/support/fakes.js';
import { ServerPresenceService } from './server-presence.service.js';
import { type ServersRepository } from './servers.repository.js';

describe('a round of the presence of servers', () => {
  /** How many servers have stopped reporting. */
  let waiting: number;
  let afterBatch: () => void;
  let jobs: FakeJobs;
  let events: FakeShopEvents;

  beforeEach(() => {
    const calls: Call[] = [];
    [waiting, afterBatch, jobs, events] = [120, () => undefined, new FakeJobs(), new FakeShopEvents()];
    const servers = recording<ServersRepository>(calls, {
      findChangedPresence: (presence, _aliveSince, limit) => {
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

  it('publishes all changes in one round, 50 in each transaction', async () => {
    await jobs.runRound('server-presence');
    expect([waiting, events.recorded.length]).toEqual([0, 120]);
  });

  it('begins no other batch when the service stops', async () => {
    afterBatch = () => (jobs.isStopped = true);
    await jobs.runRound('server-presence');
    expect([waiting, events.recorded.length]).toEqual([70, 50]);
  });
});
