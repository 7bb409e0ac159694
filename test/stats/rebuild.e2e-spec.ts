import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { DAY_MS } from '../../src/lib/time/durations.js';
import { aSellingShop, payment, type SellingShop, sendCustom } from '../payments/senders.js';
import { aKey } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { type CommandResult, operatorEnvironment, runShopCommand } from '../support/shop-command.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { COMPARED, type Comparison, comparisonPath } from './comparisons.js';
import { folded } from './folded.js';

let app: TestApp;
let shop: SellingShop;
let key: string;

beforeAll(async () => {
  app = await startTestApp({ config: { sweepIntervalMs: 100 } });
  shop = await aSellingShop(app.api);
  key = (await aKey(app.api, shop)).key;
});
afterAll(() => app.close());

/** An order of 19.99 EUR that was paid two days ago: long enough for its hour to be read from the rollups. */
async function sell(): Promise<void> {
  const occurredAt = new Date(Date.now() - 2 * DAY_MS).toISOString();
  const paid = payment(await shop.anOrder(), { occurredAt });
  expectSuccess(await sendCustom(app.api, shop.custom, paid));
}

async function figures(): Promise<unknown> {
  const response = await app.api.get(comparisonPath(shop.shopId, { period: '7d' }), { key });
  const { grossRevenue, orders, paidOrders, conversion } = expectSuccess<Comparison>(response, COMPARED).metrics;
  return [grossRevenue?.current, orders?.current, paidOrders?.current, conversion?.current];
}

const rebuild = async (): Promise<unknown> =>
  expectSuccess(
    await app.api.post(`/stats/${shop.shopId}/rebuild`, {}, { key }),
    'Statistics are being computed again',
  );

const changeRollups = (change: object): Promise<unknown> =>
  inDatabase(app, (database) =>
    database.collection('stats_rollups').updateMany({ shopId: new ObjectId(shop.shopId) }, change),
  );

it('counts each sale at once, before and after the background job has folded it', async () => {
  for (let paid = 1; paid <= 3; paid++) {
    await sell();
    const expected = [Math.round(paid * 1_999) / 100, paid, paid, 1];
    expect(await figures()).toEqual(expected);
    await folded(app, shop.shopId);
    expect(await figures()).toEqual(expected);
  }
  await shop.anOrder();
  expect(await figures()).toEqual([59.97, 4, 3, 0.75]);
});

it('computes sums again that are wrong or missing, also while a rebuild runs and sales continue', async () => {
  await folded(app, shop.shopId);
  await changeRollups({ $inc: { grossMinor: 1 } });
  expect(await figures()).not.toEqual([59.97, 4, 3, 0.75]);
  expect(await rebuild()).toEqual({ started: true });
  await sell();
  // Until then the old sums are read.
  await folded(app, shop.shopId);
  await rebuild();
  expect(await figures()).toEqual([79.96, 5, 4, 0.8]);
  await folded(app, shop.shopId);
  expect(await figures()).toEqual([79.96, 5, 4, 0.8]);
});

const rebuildByCommand = (...shopIds: string[]): Promise<CommandResult> =>
  runShopCommand(['rebuild-stats', ...shopIds], operatorEnvironment(app));

it('rebuilds the statistics of all shops by the command rebuild-stats, next to the running service', async () => {
  await changeRollups({ $inc: { grossMinor: 1 } });
  const { stdout } = await rebuildByCommand();
  expect(stdout).toContain(`The statistics of the shop ${shop.shopId} are complete`);
  expect(await figures()).toEqual([79.96, 5, 4, 0.8]);
});

it('rebuilds by the command rebuild-stats only the shop that it names', async () => {
  await (await aSellingShop(app.api)).anOrder();
  await changeRollups({ $inc: { grossMinor: 1 } });
  const { stdout } = await rebuildByCommand(shop.shopId);
  expect(stdout).toBe(`The statistics of the shop ${shop.shopId} are complete\n`);
  expect(await figures()).toEqual([79.96, 5, 4, 0.8]);
});

it.each(['0123456789abcdef01234567', 'my-shop'])(
  'rebuilds nothing by the command rebuild-stats when the shop %s does not exist',
  async (id) => {
    const result = await rebuildByCommand(shop.shopId, id);
    expect(result).toEqual({ code: 1, stdout: '', stderr: `There is no shop ${id}.\n` });
  },
);

it('returns 403 for a rebuild without stats:write', async () => {
  const reader = await aKey(app.api, shop, 'secret', ['stats:read']);
  const response = await app.api.post(`/stats/${shop.shopId}/rebuild`, {}, { key: reader.key });
  expectError(response, 403, /permission/);
});
