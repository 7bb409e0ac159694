import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aDiscount, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, leftOf, OVERDUE, type Records, recordsOf } from '../support/records.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

const RUSH = repetitions(100, 500);
const databaseUri = testDatabaseUri();
let app: TestApp;
let records: Records;
let shop: TestShop;
let serverId: string;

beforeAll(async () => {
  app = await startTestApp({ databaseUri });
  records = await recordsOf(app);
  shop = await aShop(app.api);
  serverId = await aServer(app.api, shop);
});
// The database stays. Dropping it would wait for the open transactions of the killed process, which end after a minute.
afterAll(async () => {
  await app.close();
  await records.close();
});

const buy = (productId: string, discountCode?: string): Promise<Response> => {
  const nickname = `b${unique()}`.slice(0, 16);
  const body = { items: [{ productId, quantity: 1 }], serverId, nickname, email: `${nickname}@example.com` };
  return app.api.post(`/checkout/${shop.shopId}/orders`, { ...body, discountCode });
};
const rush = (productId: string, discountCode?: string): Promise<Response>[] =>
  Array.from({ length: RUSH }, () => buy(productId, discountCode));

it(`accepts exactly 10 of ${RUSH} parallel checkouts with a code that has 10 uses`, async () => {
  const { id, code } = await aDiscount(app.api, shop, { maxUses: 10 });
  const responses = await Promise.all(rush(await aProduct(app.api, shop), code));
  const rejected = responses.filter(({ status }) => status !== 200);
  expect(rejected).toHaveLength(RUSH - 10);
  for (const response of rejected) expectError(response, 400, 'The code has no uses left');
  expect(await leftOf(records.db, id)).toBe(0);
});

it(`accepts exactly 10 of ${RUSH} parallel checkouts of a product that has 10 units`, async () => {
  const productId = await aProduct(app.api, shop, { stock: 10 });
  const responses = await Promise.all(rush(productId));
  const rejected = responses.filter(({ status }) => status !== 200);
  expect(rejected).toHaveLength(RUSH - 10);
  for (const response of rejected) expectError(response, 409, 'VIP rank is sold out');
  expect(await leftOf(records.db, productId)).toBe(0);
});

it('loses and doubles no use and no unit when the process is killed in the middle of a rush', async () => {
  const productId = await aProduct(app.api, shop, { stock: RUSH });
  const { id, code } = await aDiscount(app.api, shop, { maxUses: RUSH });
  const orders = records.db.collection('orders');
  const ordered = { 'items.productId': idOf(productId) };
  const accepted: string[] = [];
  const all = rush(productId, code).map(async (response) => {
    accepted.push(expectSuccess<{ id: string }>(await response).id);
  });
  const ended = Promise.allSettled(all);
  await eventually(() => Promise.resolve(accepted.length >= 20));
  await app.kill();
  await ended;
  expect(accepted.length).toBeLessThan(RUSH);

  const stored = await orders.countDocuments(ordered);
  expect(await orders.countDocuments({ ...ordered, _id: { $in: accepted.map(idOf) } })).toBe(accepted.length);
  expect(await leftOf(records.db, productId)).toBe(RUSH - stored);
  expect(await leftOf(records.db, id)).toBe(RUSH - stored);
  expect(await records.db.collection('redemptions').countDocuments({ discountId: idOf(id) })).toBe(stored);

  await orders.updateMany(ordered, { $set: OVERDUE });
  app = await startTestApp({ databaseUri, config: { sweepIntervalMs: 50 } });
  await eventually(async () => (await orders.countDocuments({ ...ordered, status: 'open' })) === 0);
  expect([await leftOf(records.db, productId), await leftOf(records.db, id)]).toEqual([RUSH, RUSH]);
});
