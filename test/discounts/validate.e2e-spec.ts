import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aDiscount, aKey, aMember, aPerson, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('POST /discounts/{shopId}/validate', () => {
  let app: TestApp;
  let shop: TestShop;
  let key: string;
  let productId: string;
  let serverId: string;
  const path = (): string => `/discounts/${shop.shopId}/validate`;
  const validate = async (body: object): Promise<Record<string, unknown>> =>
    expectSuccess(await app.api.post(path(), body, { key }));

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    key = (await aKey(app.api, shop, 'storefront')).key;
    productId = await aProduct(app.api, shop);
    serverId = await aServer(app.api, shop);
  });
  afterAll(() => app.close());

  describe('200', () => {
    it('returns the whole price calculation of a percent code, rounded half up once', async () => {
      const { id, code } = await aDiscount(app.api, shop, { value: 12.5 });
      const data = await validate({ code: code.toLowerCase(), orderValue: 49.99, productId, serverId });
      expect(data).toEqual({
        valid: true,
        code: code.toUpperCase(),
        discountId: id,
        type: 'percent',
        value: 12.5,
        orderValue: 49.99,
        discountAmount: 6.25,
        finalValue: 43.74,
        currency: 'EUR',
        reasons: [],
        endsAt: null,
      });
    });

    it('subtracts no more than the price of the order', async () => {
      const { code } = await aDiscount(app.api, shop, { type: 'fixed', value: 20 });
      expect(await validate({ code, orderValue: 5.01 })).toMatchObject({ discountAmount: 5.01, finalValue: 0 });
    });

    it('limits a percent code to maxDiscount', async () => {
      const { code } = await aDiscount(app.api, shop, { value: 50, maxDiscount: 10 });
      expect(await validate({ code, orderValue: 100 })).toMatchObject({ discountAmount: 10, finalValue: 90 });
    });

    it('returns that an unknown code is unknown', async () => {
      expect(await validate({ code: 'nobody-made-this', orderValue: 10 })).toEqual({
        valid: false,
        code: 'NOBODY-MADE-THIS',
        discountId: null,
        type: null,
        value: null,
        orderValue: 10,
        discountAmount: 0,
        finalValue: 10,
        currency: 'EUR',
        reasons: [{ code: 'code_not_found', message: 'There is no such code' }],
        endsAt: null,
      });
    });

    it('returns every failing reason at once, with what is missing', async () => {
      const other = await aProduct(app.api, shop, { name: 'Other' });
      const elsewhere = await aServer(app.api, shop, { name: 'Elsewhere' });
      const { code } = await aDiscount(app.api, shop, {
        isActive: false,
        startsAt: '2020-01-01T00:00:00Z',
        endsAt: '2020-02-01T00:00:00Z',
        minOrderValue: 50,
        productIds: [other],
        serverIds: [elsewhere],
      });
      const { reasons, valid, discountAmount } = await validate({ code, orderValue: 49.99, productId, serverId });
      expect({ valid, discountAmount }).toEqual({ valid: false, discountAmount: 0 });
      expect(reasons).toEqual([
        { code: 'code_disabled', message: expect.any(String) },
        { code: 'expired', message: expect.any(String), endsAt: '2020-02-01T00:00:00.000Z' },
        { code: 'min_order_not_met', message: expect.any(String), required: 50, missing: 0.01 },
        { code: 'product_not_eligible', message: expect.any(String) },
        { code: 'server_not_eligible', message: expect.any(String) },
      ]);
    });

    it('requires the product and the server when the code depends on them', async () => {
      const { code } = await aDiscount(app.api, shop, { productIds: [productId], serverIds: [serverId] });
      const { reasons } = await validate({ code, orderValue: 10 });
      expect((reasons as { code: string }[]).map((reason) => reason.code)).toEqual([
        'product_required',
        'server_required',
      ]);
      expect(await validate({ code, orderValue: 10, productId, serverId })).toMatchObject({ valid: true });
    });

    it('returns when a code will start', async () => {
      const { code } = await aDiscount(app.api, shop, { startsAt: '2999-01-01T00:00:00+02:00' });
      const { reasons } = await validate({ code, orderValue: 10 });
      expect(reasons).toEqual([
        { code: 'not_started', message: expect.any(String), startsAt: '2998-12-31T22:00:00.000Z' },
      ]);
    });

    it('counts no use, and returns when all uses are gone', async () => {
      const { code } = await aDiscount(app.api, shop, { maxUses: 1 });
      for (let times = 0; times < 3; times++) {
        expect(await validate({ code, orderValue: 10 })).toMatchObject({ valid: true });
      }
      const order = {
        items: [{ productId, quantity: 1 }],
        serverId,
        nickname: 'Steve_42',
        email: 'buyer@example.com',
        discountCode: code,
      };
      expectSuccess(await app.api.post(`/checkout/${shop.shopId}/orders`, order));
      expect(await validate({ code, orderValue: 10 })).toMatchObject({
        valid: false,
        reasons: [{ code: 'usage_limit_reached', message: expect.any(String) }],
      });
    });

    it('accepts a bearer token as well as a key', async () => {
      const { code } = await aDiscount(app.api, shop);
      const response = await app.api.post(path(), { code, orderValue: 10 }, { token: shop.owner.token });
      expectSuccess(response, 'Discount code checked');
    });
  });

  describe('400', () => {
    it.each([
      [{}, /code is required, for example "SUMMER10"; orderValue is required, for example 49\.99/],
      [{ code: 'A', orderValue: '10' }, 'orderValue must be a number'],
      [{ code: 'A', orderValue: -1 }, 'orderValue must be at least 0'],
      [{ code: 'A', orderValue: 1.001 }, 'orderValue has more decimals than EUR allows'],
      [{ code: { $ne: 1 }, orderValue: 1 }, 'code must be a string'],
      [{ code: ['A'], orderValue: 1 }, 'code must be a string'],
      [{ code: 'A\u0000', orderValue: 1 }, 'code must not contain control characters'],
      [{ code: 'A'.repeat(41), orderValue: 1 }, 'code must have 1 to 40 characters'],
      [{ code: 'A', orderValue: 1, productId: 'x' }, /productId must be an ObjectId/],
      [{ code: 'A', orderValue: 1, productId: null }, 'productId must be a string'],
      [{ code: 'A', orderValue: 1, nickname: 'x' }, 'nickname is not a known field'],
    ])('rejects %j and names the field', async (body, error) => {
      expectError(await app.api.post(path(), body, { key }), 400, error, `/api/v2${path()}`);
    });

    it('rejects a malformed shop id', async () => {
      const response = await app.api.post('/discounts/nothex/validate', {}, { key });
      expectError(response, 400, 'An identifier in the path is not an ObjectId of 24 hexadecimal digits');
    });
  });

  it('returns 401 without a credential and for a wrong one', async () => {
    const body = { code: 'A', orderValue: 1 };
    expectError(await app.api.post(path(), body), 401, 'Authentication is missing or invalid');
    expectError(await app.api.post(path(), body, { key: `${key.slice(0, -1)}!` }), 401, /^Authentication/);
    expectError(await app.api.post(path(), body, { token: 'x.y.z' }), 401, /^Authentication/);
  });

  it('returns 403 for a key without the permission, a member without it, and a stranger', async () => {
    const body = { code: 'A', orderValue: 1 };
    const plugin = await aKey(app.api, shop, 'plugin');
    const missing = 'The credential lacks the permission discounts:validate';
    expectError(await app.api.post(path(), body, { key: plugin.key }), 403, missing);
    const analyst = await aMember(app, shop, 'analyst');
    expectError(await app.api.post(path(), body, { token: analyst.token }), 403, missing);
    const stranger = await aPerson(app.api);
    const denied = 'The credential has no access to this shop';
    expectError(await app.api.post(path(), body, { token: stranger.token }), 403, denied);
  });

  it('returns 404 for an unknown shop, and for a product or server of another shop', async () => {
    const unknown = '0'.repeat(24);
    const body = { code: 'A', orderValue: 1 };
    expectError(await app.api.post(`/discounts/${unknown}/validate`, body, { key }), 404, 'There is no such shop');
    const other = await aShop(app.api);
    const [foreignProduct, foreignServer] = await Promise.all([aProduct(app.api, other), aServer(app.api, other)]);
    const withProduct = await app.api.post(path(), { ...body, productId: foreignProduct }, { key });
    expectError(withProduct, 404, 'There is no such product');
    const withServer = await app.api.post(path(), { ...body, serverId: foreignServer }, { key });
    expectError(withServer, 404, 'There is no such server');
  });
});
