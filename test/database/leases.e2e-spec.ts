import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Connection } from 'mongoose';
import { RollupStatesRepository } from '../../src/analytics/stats/rollups/rollup-states.repository.js';
import {
  ROLLUP_STATE_MODEL,
  type RollupStateRecord,
  rollupStateSchema,
} from '../../src/analytics/stats/rollups/rollup-state.schema.js';
import {
  OUTBOX_LANE_MODEL,
  type OutboxLaneRecord,
  outboxLaneSchema,
} from '../../src/events/outbox/outbox-lane.schema.js';
import { OutboxLanesRepository } from '../../src/events/outbox/outbox-lanes.repository.js';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

/** A lease that a process takes before it works on something for a while. */
interface Leases {
  /** @returns false while another process has the lease */
  readonly lease: (name: string, holder: string, now: Date, until: Date) => Promise<boolean>;
  readonly release: (name: string, holder: string, now: Date) => Promise<void>;
}

const LEASES: Readonly<Record<string, (store: TestStore) => Promise<Leases>>> = {
  'a lane of the outbox': async ({ connection }) => {
    const model = await openModel<OutboxLaneRecord>(connection, OUTBOX_LANE_MODEL, outboxLaneSchema);
    return new OutboxLanesRepository(model);
  },
  'the statistics of a shop': async (store) => {
    const states = await rollupStates(store.connection);
    return {
      lease: (shopId, _holder, now, until) =>
        store.commit(async (transaction) => {
          await states.ensure(shopId, transaction);
          return states.lease(shopId, now, until, transaction);
        }),
      release: (shopId) => store.commit((transaction) => states.release(shopId, transaction)),
    };
  },
};

async function rollupStates(connection: Connection): Promise<RollupStatesRepository> {
  const model = await openModel<RollupStateRecord>(connection, ROLLUP_STATE_MODEL, rollupStateSchema);
  return new RollupStatesRepository(model);
}

// In the future, so that the store does not delete leases that ended long ago during the test.
const NOW = new Date('2126-11-22T12:00:00.000Z');
const LEASE_MS = 2 * MINUTE_MS;
const after = (ms: number): Date => new Date(NOW.getTime() + ms);

describe.each(Object.entries(LEASES))('the lease of %s', (_what, open) => {
  let store: TestStore;
  let leases: Leases;
  let name: string;

  const lease = (holder: string, now = NOW, of = name): Promise<boolean> =>
    leases.lease(of, holder, now, new Date(now.getTime() + LEASE_MS));

  beforeAll(async () => {
    store = await openTestStore();
    leases = await open(store);
  });
  beforeEach(() => {
    name = newObjectId();
  });
  afterAll(() => store.close());

  it('is free at first, and again from the millisecond at which it ends', async () => {
    expect(await lease('a')).toBe(true);
    expect(await lease('b', after(LEASE_MS - 1))).toBe(false);
    expect(await lease('b', after(LEASE_MS))).toBe(true);
    expect(await lease('a', after(2 * LEASE_MS - 1))).toBe(false);
    expect(await lease('a', after(2 * LEASE_MS))).toBe(true);
  });

  it('goes to one of many processes that request it at once, for the first time and later', async () => {
    for (const ms of [0, LEASE_MS]) {
      const holders = Array.from({ length: 8 }, (_, index) => `process ${ms} ${index}`);
      const results = await Promise.all(holders.map((holder) => lease(holder, after(ms))));
      expect(results.filter(Boolean)).toHaveLength(1);
    }
  });

  it('is free at once after its release, and then held again', async () => {
    await lease('a');
    await leases.release(name, 'a', after(1));
    expect(await lease('b', after(1))).toBe(true);
    expect(await lease('a', after(2))).toBe(false);
  });

  it('is taken over when it was taken before the clock was turned back by more than one lease', async () => {
    await lease('a', after(LEASE_MS + 1));
    expect(await lease('b', after(1))).toBe(false);
    expect(await lease('b', NOW)).toBe(true);
    expect(await lease('a', NOW)).toBe(false);
  });

  it('is separate for each name, and so is its release', async () => {
    const other = newObjectId();
    expect([await lease('a'), await lease('a', NOW, other)]).toEqual([true, true]);
    await leases.release(other, 'a', NOW);
    expect([await lease('b'), await lease('b', NOW, other)]).toEqual([false, true]);
  });
});

describe('the state of the statistics of a shop', () => {
  let store: TestStore;
  let states: RollupStatesRepository;
  let shopId: string;

  beforeAll(async () => {
    store = await openTestStore();
    states = await rollupStates(store.connection);
  });
  beforeEach(() => {
    shopId = newObjectId();
  });
  afterAll(() => store.close());

  const find = () => store.commit((transaction) => states.find(shopId, transaction));
  const ensure = (): Promise<boolean> => store.commit((transaction) => states.ensure(shopId, transaction));

  it('is created once, at the first phase and without a lease', async () => {
    expect(await ensure()).toBe(true);
    const created = await find();
    expect(created).toMatchObject({ shopId, version: 0, phase: 'reading', cursor: null, buyers: 0, revision: 0 });
    expect(created).toMatchObject({ leasedUntil: new Date(0) });
    expect(await ensure()).toBe(false);
    expect(await find()).toEqual(created);
  });

  it('keeps its lease when it advances, and its phase when the lease is taken or released', async () => {
    await ensure();
    await store.commit((transaction) => states.lease(shopId, NOW, after(LEASE_MS), transaction));
    const next = { version: 1, phase: 'clearing', cursor: null, buyers: 3 } as const;
    expect(await store.commit((transaction) => states.advance({ ...next, shopId }, transaction))).toBe(true);
    const advanced = { ...next, revision: 1 };
    expect(await find()).toMatchObject({ ...advanced, leasedUntil: after(LEASE_MS) });
    await store.rollBack((transaction) => states.release(shopId, transaction));
    expect(await find()).toMatchObject({ ...advanced, leasedUntil: after(LEASE_MS) });
    await store.commit((transaction) => states.release(shopId, transaction));
    expect(await find()).toMatchObject({ ...advanced, leasedUntil: new Date(0) });
    await store.rollBack((transaction) => states.lease(shopId, NOW, after(LEASE_MS), transaction));
    expect(await find()).toMatchObject({ ...advanced, leasedUntil: new Date(0) });
  });
});
