import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { aSellingShop, payment, type SellingShop, sendCustom } from '../payments/senders.js';
import { anOrder, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { COMPARED, type Comparison, comparisonPath } from './comparisons.js';
import { folded } from './folded.js';

const MONDAY = '2026-11-16';
const TUESDAY = '2026-11-17';
const WEDNESDAY = '2026-11-18';
const RACES = repetitions(5, 100);

let app: TestApp;
let shop: SellingShop;

beforeAll(async () => {
  app = await startTestApp({ config: { sweepIntervalMs: 50 } });
});
afterAll(() => app.close());
beforeEach(async () => {
  shop = await aSellingShop(app.api);
});

const aBuyer = (): { email: string; nickname: string } => {
  const nickname = `b_${randomUUID().slice(0, 8)}`;
  return { email: `${nickname}@example.com`, nickname };
};

/** An order of a buyer. */
const orderOf = (buyer: object): Promise<TestOrder> =>
  anOrder(app.api, shop.shopId, { ...shop.orderRequest, ...buyer });

/** The webhook of a payment that happened at noon of a day (UTC). */
async function pay(order: TestOrder, day: string): Promise<void> {
  const event = payment(order, { occurredAt: `${day}T12:00:00.000Z` });
  expectSuccess(await sendCustom(app.api, shop.custom, event));
}

/** How many orders were paid on these days (UTC), by how many buyers, and how many of them were new. Once all is folded. */
async function counts(from: string, to: string): Promise<[orders: unknown, buyers: unknown, newBuyers: unknown]> {
  await folded(app, shop.shopId);
  const query = { period: 'custom', from: `${from}T00:00:00Z`, to: `${to}T23:59:59.999Z` };
  const call = { token: shop.owner.token };
  const compared = await app.api.get(comparisonPath(shop.shopId, query), call);
  const { paidOrders, uniqueBuyers, newBuyers } = expectSuccess<Comparison>(compared, COMPARED).metrics;
  return [paidOrders?.current, uniqueBuyers?.current, newBuyers?.current];
}

it('counts a buyer whose first two payments arrive at the same moment as one new buyer', async () => {
  for (let race = 0; race < RACES; race++) {
    const buyer = aBuyer();
    const orders = [await orderOf(buyer), await orderOf(buyer)];
    await Promise.all(orders.map((order) => pay(order, MONDAY)));
  }
  expect(await counts(MONDAY, MONDAY)).toEqual([2 * RACES, RACES, RACES]);
});

it.each([
  ['in their order', [MONDAY, TUESDAY, WEDNESDAY]],
  ['in the opposite order', [WEDNESDAY, TUESDAY, MONDAY]],
  ['mixed', [TUESDAY, WEDNESDAY, MONDAY]],
])('counts a buyer as new on the day of the earliest payment, when payments are reported %s', async (_, days) => {
  const buyer = aBuyer();
  for (const day of days) {
    await pay(await orderOf(buyer), day);
    await folded(app, shop.shopId);
  }
  expect(await counts(MONDAY, MONDAY)).toEqual([1, 1, 1]);
  expect(await counts(TUESDAY, WEDNESDAY)).toEqual([2, 1, 0]);
});

it('counts a buyer as new on the day of an earlier payment of the second order that is reported late', async () => {
  const buyer = aBuyer();
  const [first, second] = [await orderOf(buyer), await orderOf(buyer)];
  await pay(first, TUESDAY);
  await pay(second, WEDNESDAY);
  expect([await counts(TUESDAY, TUESDAY), await counts(WEDNESDAY, WEDNESDAY)]).toEqual([
    [1, 1, 1],
    [1, 1, 0],
  ]);
  await pay(second, MONDAY);
  expect([await counts(MONDAY, MONDAY), await counts(TUESDAY, WEDNESDAY)]).toEqual([
    [1, 1, 1],
    [1, 1, 0],
  ]);
});

it('counts two mailboxes that buy for one player as two new buyers', async () => {
  const [one, other] = [aBuyer(), aBuyer()];
  for (const { email } of [one, other]) await pay(await orderOf({ email, nickname: one.nickname }), MONDAY);
  expect(await counts(MONDAY, MONDAY)).toEqual([2, 2, 2]);
});
