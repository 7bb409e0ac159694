import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { HOUR_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { RandomShop } from './random-sales.js';
import { openRollups, type RollupStore, type Sold, TIMEZONE } from './rollup-store.js';

/** `npm run long -- stats-random` runs 10,000. */
const QUERIES = Number(process.env['STATS_QUESTIONS'] ?? 24);
const QUERIES_PER_SHOP = 24;

let store: RollupStore;

beforeAll(async () => {
  store = await openRollups();
});
afterAll(() => store.close());

/** An unpaid order for 5 EUR. */
function sold(shopId: string): Sold {
  return {
    ...{ id: newObjectId(), shopId, serverId: newObjectId(), buyerKey: 'steve@example.com' },
    ...{ items: [{ productId: newObjectId(), quantity: 1, unitPriceMinor: 500 }], discountMinor: 0, currency: 'EUR' },
    ...{ createdAt: new Date(0), paidAt: null, isFirstPurchase: false, reversals: [] },
  };
}

/** Sales and parts are exact, whatever is folded. */
async function expectExact(shop: RandomShop, seed: number, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { query, figures, expected } = await shop.query(index === 0 ? 'everything' : 'anything');
    expect({ seed, query, figures }).toEqual({ seed, query, figures: expected });
    const parts = await shop.queryParts();
    expect({ seed, ...parts }).toEqual({ seed, ...parts, parts: parts.expected });
  }
}

/** Everything must be folded. */
async function expectExactBuyerSums(shop: RandomShop, seed: number): Promise<void> {
  const { kept, expected } = await shop.buyerSums();
  expect({ seed, kept }).toEqual({ seed, kept: expected });
}

describe('SalesService, with orders that are placed, paid, refunded and reported late at random', () => {
  const shops = Math.ceil(QUERIES / QUERIES_PER_SHOP);
  it.each(Array.from({ length: shops }, (_, index) => index + 1))(
    'returns what a recount of the orders returns before the first fold, while some of the ledger is folded, and during a rebuild (seed %s)',
    async (seed) => {
      const shop = new RandomShop(store, seed);
      const acts = async (count: number): Promise<void> => {
        for (let index = 0; index < count; index++) await shop.act();
      };
      await acts(30);
      await expectExact(shop, seed, QUERIES_PER_SHOP / 8);
      for (let index = 0; index < 20; index++) await shop.actUncounted();
      await store.fold();
      await expectExact(shop, seed, QUERIES_PER_SHOP / 8);
      await expectExactBuyerSums(shop, seed);
      for (let batch = 0; batch < 3; batch++) {
        await acts(15);
        await expectExact(shop, seed, QUERIES_PER_SHOP / 8);
        await store.rollups.step(shop.shopId);
        await acts(5);
        await expectExact(shop, seed, QUERIES_PER_SHOP / 8);
      }
      await store.rollups.rebuild({ shopId: shop.shopId, principal: 'system' });
      for (let step = 0; step < 10; step++) {
        await Promise.all([store.rollups.step(shop.shopId), shop.act()]);
        await expectExact(shop, seed, 1);
      }
      await store.fold();
      await expectExact(shop, seed, QUERIES_PER_SHOP / 8);
      await expectExactBuyerSums(shop, seed);
    },
  );
});

it('copies only what figures need of an order into the ledger, when a rebuild adds what the ledger lacks', async () => {
  const shop = new RandomShop(store, 2);
  await shop.actUncounted();
  await store.rollups.rebuild({ shopId: shop.shopId, principal: 'system' });
  await store.fold();
  const ledger = store.connection.collection('stats_ledger');
  const entry = await ledger.findOne({ shopId: new Types.ObjectId(shop.shopId) }, { projection: { _id: 0 } });
  const identity = ['shopId', 'orderId', 'serverId', 'currency', 'buyerKey', 'nicknameKey'];
  const amounts = ['items', 'itemCount', 'subtotalMinor', 'discountCode', 'discountMinor', 'totalMinor'];
  expect(Object.keys(entry ?? {}).sort()).toEqual(
    [...identity, ...amounts, 'events', 'pending', 'profileDueAt'].sort(),
  );
});

it('adds what a buyer paid to the month in the time zone of the shop', async () => {
  const shop = { id: newObjectId(), currency: 'EUR', timezone: TIMEZONE };
  const buyersOn = (day: string): Promise<unknown> => store.figures.topBuyers(shop, 'month', 10, new Date(day));
  const paidAt = new Date('2026-11-01T00:30+01:00');
  await store.place({ ...sold(shop.id), createdAt: paidAt, paidAt });
  await store.fold();
  expect(await buyersOn('2026-10-15')).toEqual([]);
  expect(await buyersOn('2026-11-15')).toEqual([{ buyerKey: 'steve@example.com', netMinor: 500 }]);
});

it('counts a buyer as long as one payment is left in the period, also when another one turns out to be of another day', async () => {
  const shopId = newObjectId();
  const at = (hour: number): Date => new Date(Date.UTC(2026, 2, 1) + hour * HOUR_MS);
  const day = { from: at(0), to: at(24) };
  const windows = { current: day, previous: day };
  const buckets = { current: [day], previous: [day] };
  const buyers = async (): Promise<number> =>
    (await store.sales.salesOf({ shopId, currency: 'EUR', windows, buckets })).current.uniqueBuyers;
  /** Before and after it is folded. */
  const expectBuyers = async (count: number): Promise<void> => {
    expect(await buyers()).toBe(count);
    await store.fold();
    expect(await buyers()).toBe(count);
  };
  const order = (): Sold => ({ ...sold(shopId), createdAt: at(1), paidAt: at(2) });
  const [one, other] = [order(), order()];
  for (const order of [one, other]) await store.place(order);
  await expectBuyers(1);
  await store.change(one, { paidAt: at(30) });
  await expectBuyers(1);
  await store.change(other, { paidAt: at(31) });
  await expectBuyers(0);
  await store.change({ ...other, paidAt: at(31) }, { paidAt: at(3) });
  await expectBuyers(1);
});

it('brings no erased buyer back by a rebuild, whichever step the erasure comes between', async () => {
  const shopId = newObjectId();
  const day = { from: new Date(0), to: new Date(2 * HOUR_MS) };
  const paidAt = new Date(HOUR_MS);
  // More than one batch of a rebuild.
  for (let count = 0; count < 30; count++) await store.place({ ...sold(shopId), buyerKey: `b${count % 3}`, paidAt });
  await store.fold();
  const names = async (collection: string): Promise<unknown[]> =>
    (await store.connection.collection(collection).distinct('buyerKey', { shopId: new Types.ObjectId(shopId) })).sort();
  const windows = { current: day, previous: day };
  for (const [index, erased] of ['b0', 'b1', 'b2'].entries()) {
    await store.rollups.rebuild({ shopId, principal: 'system' });
    for (let step = 0; step < index; step++) await store.rollups.step(shopId);
    await Promise.all([
      store.rollups.step(shopId),
      store.commit((transaction) => store.rollups.renameBuyer(shopId, erased, `erased ${index}`, transaction)),
    ]);
    await store.fold();
    for (const collection of ['stats_buyer_sums', 'stats_ledger']) {
      expect(await names(collection)).toEqual(expect.not.arrayContaining([erased]));
    }
    const query = { shopId, currency: 'EUR', windows, buckets: { current: [day], previous: [day] } };
    expect((await store.sales.salesOf(query)).current).toMatchObject({
      uniqueBuyers: 3,
      buckets: [{ paidOrders: 30 }],
    });
  }
});
