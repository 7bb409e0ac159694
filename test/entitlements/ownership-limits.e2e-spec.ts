import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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

it('does not sell two of what is owned once', async () => {
  const items = [{ productId: shop.productId, quantity: 2 }];
  const code = 'quantity_not_allowed';
  expect(await problems({ items })).toEqual([
    { code, message: 'One player can have VIP rank once', productId: shop.productId },
  ]);
  expectError(await checkout({ items }), 400, 'One player can have VIP rank once');
});

describe('A product that requires another one', () => {
  let pet: string;
  const wanted = (...ids: readonly string[]) => ({ items: ids.map((productId) => ({ productId, quantity: 1 })) });

  beforeEach(async () => {
    pet = await aProduct(app.api, shop, { name: 'Pet', requires: { mode: 'all', productIds: [shop.productId] } });
  });

  it('is sold to who owns the other one on the game server, or orders it too', async () => {
    const message = 'Pet requires other products, which the player does not own and the order does not have';
    const requirement = { mode: 'all', productIds: [shop.productId] };
    const unmet = [{ code: 'requirement_not_met', message, productId: pet, requirement }];
    expect(await problems(wanted(pet))).toEqual(unmet);
    expectError(await checkout(wanted(pet)), 409, message);
    expect(await problems(wanted(pet, shop.productId))).toEqual([]);
    const order = await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId: shop.serverId, ...BUYER });
    expect(await problems(wanted(pet))).toEqual(unmet);
    await reportPayment(app.api, shop, order, 'payment.succeeded');
    expect(await problems(wanted(pet))).toEqual([]);
    expect(await problems({ ...wanted(pet), nickname: 'Alex_42' })).toEqual(unmet);
    expect(await problems({ ...wanted(pet), serverId: await aServer(app.api, shop) })).toEqual(unmet);
    await played(app, shop);
    expectSuccess(await checkout(wanted(pet)));
    await passDays(app, shop, 31);
    expect(await problems(wanted(pet))).toEqual(unmet);
    await app.api.delete(`/products/${shop.shopId}/${shop.productId}`, { token: shop.owner.token });
    expect(await problems(wanted(pet))).toEqual(unmet);
  });

  it('is delivered to who has ordered it while the requirement was met', async () => {
    const rank = await paid();
    const order = await anOrder(app.api, shop.shopId, { productId: pet, serverId: shop.serverId, ...BUYER });
    await reportPayment(app.api, shop, rank, 'refund.succeeded');
    expect(await problems(wanted(pet))).toMatchObject([{ code: 'requirement_not_met' }]);
    await reportPayment(app.api, shop, order, 'payment.succeeded');
    expect(await played(app, shop)).toHaveLength(1);
  });

  it('cannot name itself, a product of another shop, or one that excludes it', async () => {
    const change = (body: object) =>
      app.api.patch(`/products/${shop.shopId}/${pet}`, body, { token: shop.owner.token });
    const itself = 'requires and excludedBy must name other products';
    expectError(await change({ excludedBy: [pet] }), 400, itself);
    expectError(await change({ requires: { mode: 'any', productIds: [pet] } }), 400, itself);
    expectError(await change({ excludedBy: [shop.productId] }), 400, /must not name the same product/);
    const foreign = await aDeliveringShop(app.api, ONCE);
    expectError(await change({ requires: { mode: 'any', productIds: [foreign.productId] } }), 404, /no such product/);
    expectError(await change({ requires: { mode: 'any', productIds: [] } }), 400, /requires.productIds/);
  });
});

it('does not sell what something excludes that the player owns or orders', async () => {
  const red = await aProduct(app.api, shop, { name: 'Red', excludedBy: [shop.productId] });
  const items = [red, shop.productId].map((productId) => ({ productId, quantity: 1 }));
  const excluded = { code: 'already_owned', productId: red };
  expect(await problems({ items })).toMatchObject([excluded]);
  const only = { items: items.slice(0, 1) };
  expect(await problems(only)).toEqual([]);
  const order = await paid();
  expect(await problems(only)).toMatchObject([
    { ...excluded, message: 'The player owns Red already, or what excludes it' },
  ]);
  await reportPayment(app.api, shop, order, 'refund.succeeded');
  expectSuccess(await checkout(only));
});
