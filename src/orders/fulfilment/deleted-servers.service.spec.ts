import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, directTransactions, FakeJobs, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type ServersService } from '../../catalogue/servers/servers.service.js';
import { type DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type DeliveryStatusService } from './delivery-status.service.js';
import { DeletedServersService } from './deleted-servers.service.js';

const NOW = new Date('2026-11-26T12:00:00.000Z');

describe('a round of the deleted servers', () => {
  let calls: Call[];
  /** The batches of orders whose deliveries wait for the server. */
  let batches: string[][];
  let isWaitedFor: boolean;

  beforeEach(() => {
    stopClock(NOW);
    [calls, batches, isWaitedFor] = [[], [], false];
  });
  afterEach(startClock);

  const runRound = async (deletedMinutesAgo: number): Promise<string[]> => {
    const jobs = new FakeJobs();
    const deletedAt = new Date(NOW.getTime() - deletedMinutesAgo * MINUTE_MS);
    new DeletedServersService(
      recording<ServersService>(calls, {
        claimDeleted: () => Promise.resolve([{ id: 'lobby', shopId: SHOP, deletedAt }]),
        endClaims: () => Promise.resolve(),
      }),
      recording<DeliveriesService>(calls, {
        ordersWaitingFor: () => Promise.resolve(batches.shift() ?? []),
        isWaitedFor: () => Promise.resolve(isWaitedFor),
      }),
      recording<DeliveryStatusService>(calls, { update: () => Promise.resolve() }),
      directTransactions,
      jobs.asService,
    );
    await jobs.runRound('deleted-servers');
    return calls.map(([name]) => name);
  };

  it('updates all orders with deliveries that wait for the server', async () => {
    batches = [['first'], ['second']];
    await runRound(1);
    const updated = calls.filter(([name]) => name === 'update');
    expect(updated).toEqual(
      [['first'], ['second'], []].map((ids) => ['update', { shopId: SHOP, principal: 'system' }, ids, TRANSACTION]),
    );
  });

  it('claims at most 200 servers for a minute', async () => {
    await runRound(1);
    expect(calls[0]).toEqual(['claimDeleted', new Date(NOW.getTime() + MINUTE_MS), 200, TRANSACTION]);
  });

  it('claims a server again for five minutes after its deletion, because deliveries may still be queued', async () => {
    expect(await runRound(4)).not.toContain('endClaims');
    expect(await runRound(5)).toContain('endClaims');
  });

  it('claims a server again while deliveries wait for it', async () => {
    isWaitedFor = true;
    expect(await runRound(60)).not.toContain('endClaims');
  });
});
