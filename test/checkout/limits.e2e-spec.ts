import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { ObjectId } from 'mongodb';
import { aProduct, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { type Records, recordsOf } from '../support/records.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aCheckoutShop, type CheckoutShop } from './checkout-actors.js';

const DAY_MS = 86_400_000;
/** How many orders want the last units. */
const CHECKOUTS = repetitions(100, 200);

describe('The limits of a product', () => {
  let app: TestApp;
  let records: Records;
  let shop: CheckoutShop;

  const aName = (): string => `p${unique()}`.slice(0, 16);
  const lines = (productId: string, quantity: number) => ({ items: [{ productId, quantity }] });
  const buy = (productId: string, quantity: number, buyer: object): Promise<Response> =>
    shop.checkout({ ...lines(productId, quantity), ...buyer });
  const quote = async (productId: string, quantity: number, buyer: object): Promise<object[]> => {
    const body = shop.basket({ ...lines(productId, quantity), ...buyer });
    const quoted = await app.api.post(`/checkout/${shop.shopId}/quote`, body);
    return expectSuccess<{ problems: object[] }>(quoted).problems;
  };
  const move = (orderId: string, createdAt: Date) =>
    records.db.collection('orders').updateOne({ _id: new ObjectId(orderId) }, { $set: { createdAt } });

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    shop = await aCheckoutShop(app.api, { settings: { timezone: 'Europe/Berlin' } });
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  it('count within a window, and say in the quote when as many units are possible', async () => {
    const limits = [{ of: 'player', max: 3, window: { days: 7 } }];
    const vip = await aProduct(app.api, shop, { limits });
    const steve = { nickname: aName(), email: `${aName()}@example.com` };
    const { id } = expectSuccess<{ id: string }>(await buy(vip, 2, steve));
    const orderedAt = new Date(Date.now() - 6 * DAY_MS);
    await move(id, orderedAt);
    const message = 'One player may have at most 3 of VIP rank in 7 days, and this one has 2';
    const freeAt = new Date(orderedAt.getTime() + 7 * DAY_MS).toISOString();
    const limit = { of: 'player', max: 3, used: 2, freeAt };
    expect(await quote(vip, 2, steve)).toEqual([{ code: 'product_limit_reached', message, productId: vip, limit }]);
    expectError(await buy(vip, 2, steve), 409, message);
    expect(await quote(vip, 1, steve)).toEqual([]);
    await move(id, new Date(Date.now() - 7 * DAY_MS));
    expectSuccess(await buy(vip, 3, steve));
  });

  it('count for the player whoever pays, and for the buyer whoever plays', async () => {
    const perPlayer = await aProduct(app.api, shop, { limits: [{ of: 'player', max: 1, window: null }] });
    const perBuyer = await aProduct(app.api, shop, {
      limits: [{ of: 'buyer', max: 1, window: { calendar: 'month' } }],
    });
    const email = `${aName()}@example.com`;
    for (const id of [perPlayer, perBuyer]) expectSuccess(await buy(id, 1, { email, nickname: aName() }));
    expectSuccess(await buy(perPlayer, 1, { email, nickname: aName() }));
    expectError(await buy(perBuyer, 1, { email, nickname: aName() }), 409, /One buyer may have .* in a month/);
  });

  it('hold when one buyer orders many times at once', async () => {
    const limits = [{ of: 'player', max: 2, window: { calendar: 'week' } }];
    const vip = await aProduct(app.api, shop, { limits });
    const steve = { nickname: aName(), email: `${aName()}@example.com` };
    const responses = await Promise.all(Array.from({ length: 20 }, () => buy(vip, 1, steve)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const response of responses.filter(({ status }) => status !== 200)) expectError(response, 409, /has 2$/);
  });

  it(`sell the shop's last units of a week once: of ${CHECKOUTS} orders at two processes at once, 3 get them`, async () => {
    const vip = await aProduct(app.api, shop, { limits: [{ of: 'shop', max: 3, window: { calendar: 'week' } }] });
    const other = await startTestApp({ databaseUri: app.databaseUri });
    const at = (number: number) => (number % 2 === 0 ? app : other).api;
    const responses = await Promise.all(
      Array.from({ length: CHECKOUTS }, (_, number) =>
        at(number).post(shop.path, shop.basket({ ...lines(vip, 1), nickname: aName() })),
      ),
    );
    await other.close();
    const placed = responses.filter(({ status }) => status === 200);
    expect(placed).toHaveLength(3);
    const message = 'The shop sells at most 3 of VIP rank in a week, and 3 are taken';
    for (const response of responses.filter(({ status }) => status !== 200)) expectError(response, 409, message);
    const quoted = await app.api.post(`/checkout/${shop.shopId}/quote`, lines(vip, 1));
    const limit = { of: 'shop', max: 3, used: 3, freeAt: expect.stringMatching(/T2[23]:00:00\.000Z$/) as unknown };
    expect(expectSuccess(quoted)).toMatchObject({
      problems: [{ code: 'product_limit_reached', message, productId: vip, limit }],
    });

    const [first] = placed.map((response) => expectSuccess<{ id: string }>(response));
    const cancel = { reason: 'Ordered twice' };
    const path = `/orders/${shop.shopId}/${first?.id ?? ''}/cancel`;
    expectSuccess(await app.api.post(path, cancel, { token: shop.owner.token }));
    expectSuccess(await buy(vip, 1, { nickname: aName() }));
    expectError(await buy(vip, 1, { nickname: aName() }), 409, message);
  });

  it.each([
    [[{ of: 'shop', max: 1_001, window: null }], /^limits of the shop must have at most 1000 units/],
    [[{ of: 'server', max: 1, window: null }], /^limits\.0\.of must be one of/],
    [[{ of: 'buyer', max: 0, window: null }], /^limits\.0\.max/],
    [[{ of: 'buyer', max: 1 }], /^limits\.0\.window is required/],
    [[{ of: 'buyer', max: 1, window: {} }], 'limits must have either days or calendar in each window'],
    [
      [{ of: 'buyer', max: 1, window: { days: 1, calendar: 'day' } }],
      'limits must have either days or calendar in each window',
    ],
    [[{ of: 'buyer', max: 1, window: { days: 1, hours: 1 } }], /hours/],
    [
      Array.from({ length: 6 }, (_, days) => ({ of: 'buyer', max: 1, window: { days: days + 1 } })),
      /^limits must have at most 5/,
    ],
  ])('are rejected as %j', async (limits, message) => {
    const product = { name: 'VIP', price: 1, limits };
    expectError(await app.api.post(`/products/${shop.shopId}`, product, { token: shop.owner.token }), 400, message);
  });
});
