import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  BUYER_SUM_MODEL,
  type BuyerSumRecord,
  buyerSumSchema,
} from '../../src/analytics/stats/rollups/buyer-sum.schema.js';
import { type BuyerSum, type BuyerSumChange } from '../../src/analytics/stats/rollups/buyer-sums.js';
import { BuyerSumsRepository } from '../../src/analytics/stats/rollups/buyer-sums.repository.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const MONTH = '2026-11';

let store: TestStore;
let sums: BuyerSumsRepository;

beforeAll(async () => {
  store = await openTestStore(undefined, { watchCommands: true });
  const model = await openModel<BuyerSumRecord>(store.connection, BUYER_SUM_MODEL, buyerSumSchema);
  sums = new BuyerSumsRepository(model);
});
beforeEach(() => store.connection.collection('stats_buyer_sums').deleteMany({}));
afterAll(() => store.close());

const change = (buyerKey: string, netMinor: number, fields: Partial<BuyerSumChange> = {}): BuyerSumChange => ({
  ...{ currency: 'EUR', month: MONTH, buyerKey, netMinor },
  ...fields,
});
const add = (changes: readonly BuyerSumChange[], shopId = SHOP): Promise<void> =>
  store.commit((transaction) => sums.add(shopId, changes, transaction));
const top = (month: string | null = MONTH, limit = 10, shopId = SHOP): Promise<BuyerSum[]> =>
  store.commit((transaction) => sums.top(shopId, 'EUR', month, limit, transaction));

it('adds to the sum of a buyer, and returns the highest sums first, in the same order where they are equal', async () => {
  await add([change('alex', 5), change('steve', 7), change('robin', 9)]);
  await add([change('alex', 2), change('steve', -1)]);
  const all = [
    { buyerKey: 'robin', netMinor: 9 },
    { buyerKey: 'alex', netMinor: 7 },
    { buyerKey: 'steve', netMinor: 6 },
  ];
  expect(await top()).toEqual(all);
  expect(await top(MONTH, 2)).toEqual(all.slice(0, 2));
  await add([change('steve', 1)]);
  expect((await top()).map(({ buyerKey }) => buyerKey)).toEqual(['robin', 'alex', 'steve']);
  await add([]);
});

it('returns no buyer who got everything back', async () => {
  await add([change('alex', 5), change('steve', 5), change('robin', -1)]);
  await add([change('alex', -5)]);
  expect(await top()).toEqual([{ buyerKey: 'steve', netMinor: 5 }]);
});

it('keeps months, all time, currencies and shops apart', async () => {
  await add([change('alex', 1), change('alex', 2, { month: null }), change('alex', 4, { currency: 'USD' })]);
  await add([change('alex', 8, { month: '2026-12' })]);
  await add([change('alex', 16)], OTHER_SHOP);
  expect(await top()).toEqual([{ buyerKey: 'alex', netMinor: 1 }]);
  expect(await top(null)).toEqual([{ buyerKey: 'alex', netMinor: 2 }]);
  expect(await top(MONTH, 10, OTHER_SHOP)).toEqual([{ buyerKey: 'alex', netMinor: 16 }]);
});

it('deletes the sums of a shop in batches, and none of another shop', async () => {
  await add([change('alex', 1), change('steve', 2), change('robin', 3)]);
  await add([change('alex', 16)], OTHER_SHOP);
  const batch = (): Promise<number> => store.commit((transaction) => sums.deleteBatch(SHOP, 2, transaction));
  expect([await batch(), await batch(), await batch()]).toEqual([2, 1, 0]);
  expect(await top()).toEqual([]);
  expect(await top(MONTH, 10, OTHER_SHOP)).toHaveLength(1);
});

it('finds the sums that it deletes by their ids, so that a batch does not read all sums that the shop has left', async () => {
  await add([change('alex', 1), change('steve', 2)]);
  store.commands.length = 0;
  await store.commit((transaction) => sums.deleteBatch(SHOP, 1, transaction));
  const deletes = store.commands.flatMap(({ deletes: sent }) => (sent ?? []) as unknown[]);
  expect(deletes).toEqual([expect.objectContaining({ hint: { _id: 1 } })]);
});

it('undoes each write with its transaction', async () => {
  await add([change('alex', 1)]);
  await store.rollBack((transaction) => sums.add(SHOP, [change('alex', 1)], transaction));
  await store.rollBack((transaction) => sums.deleteBatch(SHOP, 2, transaction));
  expect(await top()).toEqual([{ buyerKey: 'alex', netMinor: 1 }]);
});
