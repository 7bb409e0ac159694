import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { OTHER_SHOP, SHOP } from '../../../test/support/contexts.js';
import { type Call, directTransactions, FakeJobs, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type DeliveryLeasesService } from '../../delivery/deliveries/delivery-leases.service.js';
import { type AbandonedDelivery } from '../../delivery/deliveries/delivery.types.js';
import { type DeliveryStatusService } from './delivery-status.service.js';
import { AbandonedDeliveriesService } from './abandoned-deliveries.service.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const CLAIMED_UNTIL = new Date('2026-11-22T12:02:00.000Z');
const claimed = (id: string, shopId = SHOP): AbandonedDelivery => ({ id, shopId, claimedUntil: CLAIMED_UNTIL });

describe('a round of the abandoned deliveries', () => {
  let calls: Call[];
  let found: AbandonedDelivery[];
  let broken: string | null;
  let jobs: FakeJobs;

  beforeEach(() => {
    Logger.overrideLogger(false);
    stopClock(NOW);
    [calls, found, broken, jobs] = [[], [claimed('a'), claimed('b', OTHER_SHOP), claimed('c')], null, new FakeJobs()];
    new AbandonedDeliveriesService(
      recording<DeliveryLeasesService>(calls, {
        claimAbandoned: () => Promise.resolve(found),
        endAbandoned: (_shop, ids) => Promise.resolve(ids.map((id) => `order of ${id}`)),
      }),
      recording<DeliveryStatusService>(calls, {
        update: (_author, orderIds) =>
          orderIds.includes(`order of ${broken}`)
            ? Promise.reject(new Error('the order does not allow it'))
            : Promise.resolve(),
      }),
      directTransactions,
      jobs.asService,
    );
  });
  afterEach(() => {
    startClock();
  });

  it('claims abandoned deliveries for two minutes, and changes those of each shop with their orders in one transaction', async () => {
    await jobs.runRound('abandoned-deliveries');
    const system = (shopId: string): object => ({ shopId, principal: 'system' });
    expect(calls[0]).toEqual(['claimAbandoned', CLAIMED_UNTIL, 200, TRANSACTION]);
    expect(calls.slice(1).sort()).toEqual(
      [
        ['endAbandoned', SHOP, ['a', 'c'], CLAIMED_UNTIL, TRANSACTION],
        ['endAbandoned', OTHER_SHOP, ['b'], CLAIMED_UNTIL, TRANSACTION],
        ['update', system(SHOP), ['order of a', 'order of c'], TRANSACTION],
        ['update', system(OTHER_SHOP), ['order of b'], TRANSACTION],
      ].sort(),
    );
  });

  it('changes all others when one cannot be changed, and fails so that the health check shows it', async () => {
    broken = 'c';
    await expect(jobs.runRound('abandoned-deliveries')).rejects.toThrow('the order does not allow it');
    const updated = calls.filter(([name]) => name === 'update').map(([, , orderIds]) => orderIds);
    expect(updated).toEqual(expect.arrayContaining([['order of a'], ['order of b'], ['order of c']]));
  });
});
