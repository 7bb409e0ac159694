import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aDiscount, aKey, aMember, aPerson, aShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aDiscountingShop, type DiscountingShop } from './discount-actors.js';

const UNKNOWN = '0'.repeat(24);

let app: TestApp;
let shop: DiscountingShop;

beforeAll(async () => {
  app = await startTestApp();
  shop = await aDiscountingShop(app.api);
});
afterAll(() => app.close());

describe('Every route of discounts', () => {
  const routes = (shopId: string, discountId: string) =>
    [
      ['post', `/discounts/${shopId}`, { code: 'AA', type: 'percent', value: 10 }],
      ['get', `/discounts/${shopId}`, undefined],
      ['get', `/discounts/${shopId}/${discountId}`, undefined],
      ['patch', `/discounts/${shopId}/${discountId}`, { value: 5 }],
      ['delete', `/discounts/${shopId}/${discountId}`, undefined],
    ] as const;
  const WRITES = ['post', 'patch', 'delete'];

  it('returns 401 without a credential', async () => {
    for (const [method, route, body] of routes(shop.shopId, UNKNOWN)) {
      expectError(await app.api.call(method, route, { body }), 401, 'Authentication is missing or invalid');
    }
  });

  it('returns 403 for a stranger, for a member without the permission and for a key that is bound to game servers', async () => {
    const stranger = await aPerson(app.api);
    const analyst = await aMember(app, shop, 'analyst');
    const bound = await aKey(app.api, shop);
    const restrictions = { serverIds: [shop.serverId], ipAllowlist: null };
    const { token } = shop.owner;
    expectSuccess(await app.api.put(`/api-keys/${bound.id}/restrictions`, restrictions, { token }));
    for (const [method, route, body] of routes(shop.shopId, UNKNOWN)) {
      const action = WRITES.includes(method) ? 'write' : 'read';
      const responses = [
        [{ token: stranger.token }, 'The credential has no access to this shop'],
        [{ token: analyst.token }, `The credential lacks the permission discounts:${action}`],
        [{ key: bound.key }, /restricted to game servers/],
      ] as const;
      for (const [credential, error] of responses) {
        expectError(await app.api.call(method, route, { ...credential, body }), 403, error);
      }
    }
  });

  it('lets a member with discounts:read read, and change nothing (complaint 22)', async () => {
    const { token } = await aMember(app, shop, 'support');
    const { id } = await shop.aCode();
    for (const [method, route, body] of routes(shop.shopId, id)) {
      const response = await app.api.call(method, route, { token, body });
      if (WRITES.includes(method)) expectError(response, 403, 'The credential lacks the permission discounts:write');
      else expectSuccess(response);
    }
  });

  it('returns 404 for an unknown shop and for a discount of another shop, which stays as it is', async () => {
    const otherShop = await aShop(app.api);
    const foreign = await aDiscount(app.api, otherShop);
    const ownToken = shop.owner.token;
    for (const [method, route, body] of routes(UNKNOWN, UNKNOWN)) {
      expectError(await app.api.call(method, route, { token: ownToken, body }), 404, 'There is no such shop');
    }
    for (const [method, route, body] of routes(shop.shopId, foreign.id).slice(2)) {
      expectError(await app.api.call(method, route, { token: ownToken, body }), 404, 'There is no such discount');
    }
    const { token } = otherShop.owner;
    const unchanged = await app.api.get(`/discounts/${otherShop.shopId}/${foreign.id}`, { token });
    expect(expectSuccess(unchanged)).toEqual(foreign);
    const listed = expectSuccess<{ id: string }[]>(await app.api.get(`${shop.path()}?limit=100`, { key: shop.key }));
    expect(listed.map(({ id }) => id)).not.toContain(foreign.id);
  });

  it('returns 400 for a malformed id', async () => {
    for (const [method, route, body] of routes(shop.shopId, 'nothex').slice(2)) {
      expectError(await app.api.call(method, route, { key: shop.key, body }), 400, /^An identifier in the path/);
    }
  });
});
