import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
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
const VERSION = 1;
const VERSIONED = { shopId: SHOP, version: VERSION };
const NEXT = { shopId: SHOP, version: VERSION + 1 };

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
const add = (changes: readonly BuyerSumChange[], shopId = SHOP, version = VERSION): Promise<void> =>
  store.commit((transaction) => sums.add({ shopId, version }, changes, transaction));
const top = (month: string | null = MONTH, limit = 10, shopId = SHOP): Promise<BuyerSum[]> =>
  store.commit((transaction) => sums.top({ shopId, version: VERSION }, 'EUR', month, limit, transaction));

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

it('keeps the sums that a rebuild writes apart from those that are read', async () => {
  await add([change('alex', 1)]);
  await add([change('alex', 2), change('steve', 4)], SHOP, VERSION + 1);
  expect(await top()).toEqual([{ buyerKey: 'alex', netMinor: 1 }]);
});

it('deletes the sums of earlier versions of a shop in batches, and none of another shop', async () => {
  await add([change('alex', 1), change('steve', 2), change('robin', 3)]);
  await add([change('alex', 1)], SHOP, VERSION + 1);
  await add([change('alex', 16)], OTHER_SHOP);
  const batch = (): Promise<number> => store.commit((transaction) => sums.deleteEarlier(NEXT, 2, transaction));
  expect([await batch(), await batch(), await batch()]).toEqual([2, 1, 0]);
  expect(await store.connection.collection('stats_buyer_sums').countDocuments({ shopId: new ObjectId(SHOP) })).toBe(1);
  expect(await top()).toEqual([]);
  expect(await top(MONTH, 10, OTHER_SHOP)).toHaveLength(1);
});

it('finds the sums that it deletes by their ids, so that a batch does not read all sums that the shop has left', async () => {
  await add([change('alex', 1), change('steve', 2)]);
  store.commands.length = 0;
  await store.commit((transaction) => sums.deleteEarlier(NEXT, 1, transaction));
  const deletes = store.commands.flatMap(({ deletes: sent }) => (sent ?? []) as unknown[]);
  expect(deletes).toEqual([expect.objectContaining({ hint: { _id: 1 } })]);
});

it('gives the sums and the number of a buyer to another name, in all versions, also to one that has sums', async () => {
  const all = { month: null };
  for (const version of [VERSION, VERSION + 1]) {
    await add([change('alex', 1), change('alex', 3, { ...all, number: 7 }), change('robin', 5)], SHOP, version);
  }
  await add([change('erased', 2)]);
  await add([change('alex', 16)], OTHER_SHOP);
  await store.commit((transaction) => sums.rename(SHOP, 'alex', 'erased', transaction));
  const ofBuyer = (buyerKey: string, version = VERSION) =>
    store.commit((transaction) => sums.ofBuyer({ shopId: SHOP, version }, buyerKey, transaction));
  const netOf = async (version: number) => (await ofBuyer('erased', version)).map(({ netMinor }) => netMinor).sort();
  expect([await netOf(VERSION), await netOf(VERSION + 1), await ofBuyer('alex')]).toEqual([[3, 3], [1, 3], []]);
  const numbers = (key: string) =>
    store.commit((transaction) => sums.numbersOf(VERSIONED, new Set([key]), transaction));
  expect([...(await numbers('erased')), ...(await numbers('alex'))]).toEqual([['EUR erased', 7]]);
  expect(await top(MONTH, 10, OTHER_SHOP)).toEqual([{ buyerKey: 'alex', netMinor: 16 }]);
  expect((await top()).map(({ buyerKey }) => buyerKey)).toEqual(['robin', 'erased']);
});

it('undoes each write with its transaction', async () => {
  await add([change('alex', 1)]);
  await store.rollBack((transaction) => sums.add(VERSIONED, [change('alex', 1)], transaction));
  await store.rollBack((transaction) => sums.deleteEarlier(NEXT, 2, transaction));
  expect(await top()).toEqual([{ buyerKey: 'alex', netMinor: 1 }]);
});
