import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { eventually } from '../support/eventually.js';
import { shopWith } from '../support/shops.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';
import { Dice, RandomShop } from './random-sales.js';
import { openRollups, type RollupStore, TIMEZONE } from './rollup-store.js';

/** `npm run long -- kill-stats` has 100. */
const KILLS = Number(process.env['STATS_KILLS'] ?? 1);
const SEED = 7;

const databaseUri = testDatabaseUri();
let app: TestApp;
let store: RollupStore;
let shop: RandomShop;

beforeAll(async () => {
  app = await startTestApp({ databaseUri, config: { sweepIntervalMs: 1 } });
  store = await openRollups(databaseUri);
  shop = new RandomShop(store, SEED);
  const { id: _id, ...settings } = shopWith({ timezone: TIMEZONE });
  await store.connection.collection('shops').insertOne({ ...settings, _id: new ObjectId(shop.shopId) });
});
afterAll(async () => {
  await app.close();
  await store.close();
});

const state = async (): Promise<{ phase: string; revision: number }> => {
  const found = await store.connection.collection('stats_states').findOne({ shopId: new ObjectId(shop.shopId) });
  return { phase: String(found?.['phase']), revision: Number(found?.['revision'] ?? 0) };
};

async function expectExact(): Promise<void> {
  for (let index = 0; index < 5; index++) {
    const { query, figures, expected } = await shop.query();
    expect({ query, figures }).toEqual({ query, figures: expected });
  }
}

it(`counts everything exactly once when the process that folds is killed (${KILLS} kills)`, async () => {
  const dice = new Dice(SEED);
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await state();
    if (kill % 5 === 4) await store.rollups.rebuild({ shopId: shop.shopId, principal: 'system' });
    // Sales go on while the process folds. It dies some sales after it began.
    for (let count = 0; count < 10; count++) await shop.act();
    await eventually(async () => (await state()).revision > before.revision);
    for (let count = dice.below(20); count > 0; count--) await shop.act();
    await app.kill();
    await expectExact();
    app = await startTestApp({ databaseUri, config: { sweepIntervalMs: 1 } });
    // As if the lease of the dead process had ended. What it had sent before it died is done by now.
    await store.connection.collection('stats_states').updateMany({}, { $set: { leasedUntil: new Date(0) } });
  }
  const pending = store.connection.collection('stats_ledger');
  await eventually(
    async () => (await state()).phase === 'ready' && (await pending.findOne({ pending: true })) === null,
  );
  await expectExact();
  const { kept, expected } = await shop.buyerSums();
  expect(kept).toEqual(expected);
});
