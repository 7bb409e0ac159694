import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { aDeliveringShop, aPaidOrder, type DeliveringShop, reportPayment } from '../deliveries/delivery-actors.js';
import { anOrder, aProduct, aServer, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { passDays, played } from './entitlement-actors.js';

const ONCE = { repeat: 'refuse', expiryCommands: ['end {nickname} vip'], durationDays: 30 };
const BUYER = { email: 'steve@example.com', nickname: 'Steve_42' };

let app: TestApp;
let shop: DeliveringShop;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, ONCE);
});
afterAll(() => app.close());

const basketOf = (body: object) => ({
  items: [{ productId: shop.productId, quantity: 1 }],
  serverId: shop.serverId,
  ...BUYER,
  ...body,
});
const checkout = (body: object = {}) => app.api.post(`/checkout/${shop.shopId}/orders`, basketOf(body));
const paid = (body: object = {}): Promise<TestOrder> => aPaidOrder(app.api, shop, { ...BUYER, ...body });

async function problems(body: object = {}): Promise<readonly object[]> {
  const response = await app.api.post(`/checkout/${shop.shopId}/quote`, basketOf(body));
  return expectSuccess<{ problems: object[] }>(response).problems;
}

it('rejects an order for what its player owns, waits for, or has ordered, and names it in the quote', async () => {
  const path = `/api/v2/checkout/${shop.shopId}/orders`;
  const message = 'The player owns VIP rank already';
  const owned = [{ code: 'already_owned', message, productId: shop.productId }];
  expect(await problems()).toEqual([]);
  const order = await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId: shop.serverId, ...BUYER });
  expect(await problems()).toEqual(owned);
  expect(await problems({ nickname: 'Alex_42' })).toEqual([]);
  expectError(await checkout(), 409, message, path);
  await reportPayment(app.api, shop, order, 'payment.succeeded');
  expect(await problems({ email: 'somebody@example.com' })).toEqual(owned);
  await played(app, shop);
  expect(await problems({ nickname: 'STEVE_42' })).toEqual(owned);
  await passDays(app, shop, 31);
  expect(await problems()).toEqual([]);
  expectSuccess(await checkout());
});

it('lets a buyer order for another player, on another game server, and again after a refund', async () => {
  const order = await paid();
  expect(await problems({ nickname: 'Alex_42' })).toEqual([]);
  expect(await problems({ serverId: await aServer(app.api, shop) })).toEqual([]);
  await reportPayment(app.api, shop, order, 'refund.succeeded');
  expect(await problems()).toEqual([]);
});

it('does not let the unpaid order of a stranger lock a player out; both get what they pay for', async () => {
  const stranger = { ...BUYER, email: 'stranger@example.com' };
  const other = await anOrder(app.api, shop.shopId, {
    productId: shop.productId,
    serverId: shop.serverId,
    ...stranger,
  });
  expect(await problems()).toEqual([]);
  await paid();
  await reportPayment(app.api, shop, other, 'payment.succeeded');
  await played(app, shop);
  await passDays(app, shop, 59);
  expect(await played(app, shop)).toEqual([]);
  await passDays(app, shop, 2);
  expect(await played(app, shop)).toEqual(['end Steve_42 vip']);
});

it('counts what counts as the same product, also twice in one order, and what is owned on all game servers', async () => {
  const body = { ...ONCE, name: 'VIP for long', durationDays: 90, countsAs: shop.productId };
  const longer = await aProduct(app.api, shop, body);
  const both = [shop.productId, longer].map((productId) => ({ productId, quantity: 1 }));
  const twice = { code: 'already_owned', productId: longer };
  expect(await problems({ items: both })).toMatchObject([twice]);
  await paid();
  expect(await problems({ items: [{ productId: longer, quantity: 1 }] })).toMatchObject([twice]);
  const everywhere = await aProduct(app.api, shop, { ...ONCE, ownedEverywhere: true });
  await paid({ productId: everywhere });
  const elsewhere = { serverId: await aServer(app.api, shop), items: [{ productId: everywhere, quantity: 1 }] };
  expect(await problems(elsewhere)).toMatchObject([{ code: 'already_owned', productId: everywhere }]);
});

it('places one of many orders of a buyer that arrive at the same time', async () => {
  const responses = await Promise.all(Array.from({ length: 10 }, () => checkout()));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
});
