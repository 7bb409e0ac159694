import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  COUNTER_SHARD_MODEL,
  type CounterShardRecord,
  counterShardSchema,
} from '../../src/infrastructure/database/counter-shard.schema.js';
import { ShardedCounters } from '../../src/infrastructure/database/sharded-counters.js';
import { SHARDS } from '../../src/infrastructure/database/shards.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

let store: TestStore;
let counters: ShardedCounters;
let id: string;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<CounterShardRecord>(store.connection, COUNTER_SHARD_MODEL, counterShardSchema);
  counters = new ShardedCounters(model);
});
beforeEach(() => {
  id = newObjectId();
});
afterAll(() => store.close());

const inTransaction = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
  store.commit(work);
const create = (left: number, shopId = SHOP): Promise<void> =>
  inTransaction((transaction) => counters.create(shopId, id, left, transaction));
const take = (quantity: number, preferred = 0, shopId = SHOP): Promise<boolean> =>
  inTransaction((transaction) => counters.take(shopId, id, quantity, preferred, transaction));
const takeAnyway = (quantity: number, shopId = SHOP): Promise<void> =>
  inTransaction((transaction) => counters.takeAnyway(shopId, id, quantity, transaction));
const release = (quantity: number, shopId = SHOP): Promise<void> =>
  inTransaction((transaction) => counters.release(shopId, id, quantity, transaction));
const left = async (shopId = SHOP): Promise<number | undefined> => (await counters.left(shopId, [id], null)).get(id);
/** What each shard has left. */
const shards = async (): Promise<number[]> => {
  const records = await store.connection.collection('counter_shards').find({}).sort({ shard: 1 }).toArray();
  return records.filter(({ subjectId }) => String(subjectId) === id).map((record) => Number(record['left']));
};
/** Shards that all have the same, but for these. */
const allBut = (left: number, others: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: SHARDS }, (_, shard) => others[shard] ?? left);

describe('take', () => {
  it('takes what is left, in any quantities and from any shard, and nothing more', async () => {
    await create(20);
    expect(await take(3)).toBe(true);
    expect(await take(18)).toBe(false);
    expect(await take(16, 3)).toBe(true);
    expect([await left(), await take(2), await take(1, 5), await take(1, 5), await left()]).toEqual([
      1,
      false,
      true,
      false,
      0,
    ]);
  });

  it('writes only the preferred shard while that has enough', async () => {
    await create(10 * SHARDS);
    await take(4, 2);
    expect(await shards()).toEqual(allBut(10, { 2: 6 }));
  });

  it('writes only the fullest shard when the preferred one has too little', async () => {
    await create(SHARDS);
    await take(1, 4);
    await release(4);
    await take(1, 5);
    expect(await shards()).toEqual(allBut(1, { 4: 4, 5: 0 }));
    expect(await take(3, 5)).toBe(true);
    expect(await shards()).toEqual(allBut(1, { 4: 1, 5: 0 }));
  });

  it('takes exactly what is left in parallel transactions, of all shards or of one', async () => {
    await create(10);
    const taken = await Promise.all(Array.from({ length: 24 }, (_, n) => take(1, n % 3)));
    expect(taken.filter(Boolean)).toHaveLength(10);
    expect(await left()).toBe(0);
  });
});

describe('takeAnyway', () => {
  it('takes also what is not left, and then nothing can be taken until that many came back', async () => {
    await create(3);
    await takeAnyway(5);
    expect([await left(), await take(1)]).toEqual([-2, false]);
    await release(1);
    await release(1);
    expect([await left(), await take(1)]).toEqual([0, false]);
    await release(1);
    expect([await take(1), await take(1)]).toEqual([true, false]);
  });

  it('lets nobody take what is missing when more comes back at once than one shard is short of', async () => {
    await create(0);
    await takeAnyway(2);
    await release(2);
    expect([await left(), await take(1)]).toEqual([0, false]);
  });

  it('lets nobody take what is missing when something comes back before its commit', async () => {
    await create(1);
    let attempts = 0;
    await inTransaction(async (transaction) => {
      await counters.left(SHOP, [id], transaction);
      if (attempts++ === 0) await release(1);
      await counters.takeAnyway(SHOP, id, 2, transaction);
    });
    // The shard that got one back has the number that this transaction wants to write. The two conflict nevertheless.
    expect([attempts, await left(), await take(1)]).toEqual([2, 0, false]);
  });
});

describe('release', () => {
  it('writes only the emptiest shard, also when that has none', async () => {
    await create(SHARDS);
    await take(1, 3);
    await release(2);
    expect(await shards()).toEqual(allBut(1, { 3: 2 }));
  });
});

describe('change and set', () => {
  const change = (by: number): Promise<void> =>
    inTransaction((transaction) => counters.change(SHOP, id, by, transaction));

  it('spreads what is left evenly among the shards', async () => {
    await create(1);
    await change(2 * SHARDS);
    expect(await shards()).toEqual(allBut(2, { 0: 3 }));
    await inTransaction((transaction) => counters.set(SHOP, id, SHARDS, transaction));
    expect(await shards()).toEqual(allBut(1, {}));
    await change(-2 * SHARDS);
    expect([await left(), await take(1)]).toEqual([-SHARDS, false]);
  });

  it('loses nothing that is taken or returned at the same time', async () => {
    await create(10 * SHARDS);
    const changes = [change(5), change(-3), change(0)];
    const takes = Array.from({ length: 8 }, (_, n) => take(2, n));
    await Promise.all([...changes, ...takes, release(1), release(4)]);
    expect(await left()).toBe(10 * SHARDS + 5 - 3 - 16 + 5);
  });
});

describe('every method', () => {
  it('changes nothing without a counter', async () => {
    await takeAnyway(1);
    await release(1);
    expect([await take(1), await left(), await shards()]).toEqual([false, undefined, []]);
  });

  it('neither reads nor changes the counter of another shop', async () => {
    await create(8);
    expect([await take(1, 0, OTHER_SHOP), await left(OTHER_SHOP)]).toEqual([false, undefined]);
    await takeAnyway(1, OTHER_SHOP);
    await release(1, OTHER_SHOP);
    await inTransaction(async (transaction) => {
      await counters.set(OTHER_SHOP, id, 1, transaction);
      await counters.change(OTHER_SHOP, id, 1, transaction);
      await counters.remove(OTHER_SHOP, id, transaction);
    });
    expect(await left()).toBe(8);
  });

  it('changes nothing when the transaction is rolled back', async () => {
    await create(8);
    await store.rollBack(async (transaction) => {
      await counters.take(SHOP, id, 1, 0, transaction);
      await counters.takeAnyway(SHOP, id, 9, transaction);
      expect((await counters.left(SHOP, [id], transaction)).get(id)).toBe(-2);
      await counters.release(SHOP, id, 1, transaction);
    });
    await store.rollBack((transaction) => counters.remove(SHOP, id, transaction));
    expect(await left()).toBe(8);
  });
});
