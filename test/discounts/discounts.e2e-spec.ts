import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aDiscount, anOrder, aProduct, aServer, aShop, unique } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aDiscountingShop, type DiscountingShop } from './discount-actors.js';

const NO_LIMITS = {
  name: null,
  maxDiscount: null,
  minOrderValue: null,
  productIds: null,
  serverIds: null,
  maxUses: null,
  maxUsesPerBuyer: null,
  firstPurchaseOnly: false,
  excludesReduced: false,
  startsAt: null,
  endsAt: null,
  isActive: true,
};

let app: TestApp;
let shop: DiscountingShop;

beforeAll(async () => {
  app = await startTestApp();
  shop = await aDiscountingShop(app.api);
});
afterAll(() => app.close());

describe('POST /discounts/{shopId}', () => {
  it('creates a discount with every field that was sent', async () => {
    const code = `all-${unique()}`;
    const body = {
      code,
      name: 'Steam',
      type: 'fixed',
      value: 5,
      maxDiscount: 4.5,
      minOrderValue: 20.01,
      productIds: [shop.productId],
      serverIds: [shop.serverId],
      maxUses: 100,
      maxUsesPerBuyer: 1,
      firstPurchaseOnly: true,
      excludesReduced: true,
      startsAt: '2026-12-01T00:00:00+01:00',
      endsAt: '2027-01-01T00:00:00Z',
      isActive: false,
    };
    const created = expectSuccess<{ id: string }>(await shop.create(body), 'Discount created');
    expect(created).toEqual({
      ...body,
      id: anId,
      code: code.toUpperCase(),
      startsAt: '2026-11-30T23:00:00.000Z',
      endsAt: '2027-01-01T00:00:00.000Z',
      currency: 'EUR',
      used: 0,
      overused: false,
      createdAt: anInstant,
    });
    expect(expectSuccess(await shop.read(created.id))).toEqual(created);
  });

  it('creates a discount without limits from code, type and value (complaint 17)', async () => {
    const code = `BARE-${unique().toUpperCase()}`;
    expect(expectSuccess(await shop.create({ code, type: 'percent', value: 12.5 }))).toEqual({
      id: anId,
      code,
      type: 'percent',
      value: 12.5,
      ...NO_LIMITS,
      currency: 'EUR',
      used: 0,
      overused: false,
      createdAt: anInstant,
    });
  });

  it('writes an audit entry with the terms', async () => {
    const { id, code } = await shop.aCode({ maxUses: 3 });
    expect(await shop.lastAudit()).toEqual({
      id: anId,
      at: anInstant,
      actor: { type: 'user', id: shop.owner.userId, name: 'Olivia' },
      action: 'discount.created',
      summary: 'A discount code was created',
      subjectId: id,
      changes: [
        ['code', code],
        ['type', 'percent'],
        ['value', '10'],
        ['maxUses', '3'],
        ['firstPurchaseOnly', 'false'],
        ['excludesReduced', 'false'],
        ['isActive', 'true'],
      ].map(([field, after]) => ({ field, before: null, after })),
    });
  });

  it.each([
    [
      {},
      /^code is required, for example "SUMMER10"; type is required, for example "percent"; value is required, for example 10$/,
    ],
    [{ code: 'A' }, 'code must have 2 to 40 characters'],
    [{ code: 'A!B' }, 'code must be letters, digits, - and _'],
    [{ code: 'ß'.repeat(21) }, 'code must have 2 to 40 characters'],
    [{ type: 'gift' }, 'type must be one of percent, fixed'],
    [{ value: 0 }, 'value must be at least 0.001'],
    [{ value: 101 }, 'value must be at most 100 percent'],
    [{ value: 1.005 }, 'value must have at most 2 decimals'],
    [{ type: 'fixed', value: 1.005 }, 'value has more decimals than EUR allows'],
    [{ maxDiscount: 0 }, 'maxDiscount must be at least 0.001'],
    [{ minOrderValue: 1.005 }, 'minOrderValue has more decimals than EUR allows'],
    [{ maxUses: 0 }, 'maxUses must be between 1 and 1000000000'],
    [{ maxUsesPerBuyer: 1.5 }, 'maxUsesPerBuyer must be a whole number'],
    [{ productIds: [] }, 'productIds must be null (every product) or name at least one'],
    [{ serverIds: ['x'] }, /^serverIds must contain ObjectIds/],
    [{ firstPurchaseOnly: null }, 'firstPurchaseOnly must be true or false'],
    [{ isActive: 'yes' }, 'isActive must be true or false'],
    [{ startsAt: '2026-12-32' }, /^startsAt must be a date such as 2026-11-21, or a date-time/],
    [{ startsAt: '2027-01-01T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' }, 'endsAt must be after startsAt'],
    [{ used: 5 }, 'used is not a known field'],
    [{ currency: 'USD' }, 'currency is not a known field'],
  ])('returns 400 for the discount %j', async (fields, error) => {
    const body = Object.keys(fields).length === 0 ? {} : { code: 'A1', type: 'percent', value: 10, ...fields };
    expectError(await shop.create(body), 400, error, `/api/v2${shop.path()}`);
  });

  it('returns 404 for a product or a server of another shop', async () => {
    const body = { code: `X${unique()}`, type: 'percent', value: 10 };
    const otherShop = await aShop(app.api);
    const foreignProduct = await aProduct(app.api, otherShop);
    expectError(await shop.create({ ...body, productIds: [foreignProduct] }), 404, 'There is no such product');
    const foreignServer = await aServer(app.api, otherShop);
    expectError(await shop.create({ ...body, serverIds: [foreignServer] }), 404, 'There is no such server');
  });

  it('returns 409 for a code that the shop has, in any case; another shop can have it', async () => {
    const { code } = await shop.aCode();
    const body = { code: code.toLowerCase(), type: 'percent', value: 5 };
    expectError(await shop.create(body), 409, 'The shop already has a discount with this code');
    expect(await aDiscount(app.api, await aShop(app.api), body)).toMatchObject({ code });
  });
});

describe('GET /discounts/{shopId}', () => {
  it('lists the discounts of the shop page by page, newest first', async () => {
    const own = await aShop(app.api);
    const { token } = own.owner;
    const created: object[] = [];
    for (let count = 0; count < 3; count++) created.unshift(await aDiscount(app.api, own));
    const first = await app.api.get(`/discounts/${own.shopId}?limit=2`, { token });
    expect(expectSuccess(first, 'Discounts retrieved')).toEqual(created.slice(0, 2));
    const next = /^<\/api\/v2(.+)>; rel="next"$/.exec(String(first.headers['link']))?.[1] ?? '';
    const second = await app.api.get(next, { token });
    expect(expectSuccess(second)).toEqual(created.slice(2));
    expect(second.headers['link']).toBeUndefined();
    expect([first, second].map(({ headers }) => headers['x-total-count'])).toEqual(['3', '3']);
  });

  it('finds the discounts whose code begins as the search does', async () => {
    const { code } = await shop.aCode({ code: 'FIND-ME' });
    const found = await app.api.get(`${shop.path()}?q=find%E2%80%93&isActive=true&type=percent&sort=oldest`, {
      key: shop.key,
    });
    expect(expectSuccess<{ code: string }[]>(found).map((discount) => discount.code)).toEqual([code]);
    expect(found.headers['x-total-count']).toBe('1');
  });

  it('finds a discount by words of its name, also after a change of it', async () => {
    const discount = await shop.aCode({ name: 'Été of the clan' });
    const found = async (q: string): Promise<string[]> =>
      expectSuccess<{ id: string }[]>(await app.api.get(`${shop.path()}?q=${q}`, { key: shop.key })).map(
        ({ id }) => id,
      );
    expect([await found('clan%20ete'), await found('winter')]).toEqual([[discount.id], []]);
    const renamed = await app.api.patch(shop.path(discount.id), { name: 'Winter' }, { key: shop.key });
    expect(expectSuccess(renamed)).toEqual({ ...discount, name: 'Winter' });
    expect([await found('clan'), await found('winter')]).toEqual([[], [discount.id]]);
  });

  it.each(['limit=0', 'limit=101', 'cursor=!', 'cursor=AAAA', 'code=A'])('returns 400 for ?%s', async (query) => {
    expectError(await app.api.get(`${shop.path()}?${query}`, { key: shop.key }), 400, /./);
  });
});

describe('GET /discounts/{shopId}/{discountId}', () => {
  it('returns the discount with its uses', async () => {
    const { productId, serverId } = shop;
    const discount = await shop.aCode({ maxUses: 1 });
    expect(expectSuccess(await shop.read(discount.id), 'Discount retrieved')).toEqual(discount);
    await anOrder(app.api, shop.shopId, { productId, serverId, discountCode: discount.code });
    expect(expectSuccess(await shop.read(discount.id))).toEqual({ ...discount, used: 1 });
  });
});

describe('DELETE /discounts/{shopId}/{discountId}', () => {
  it('returns the deleted discount, frees its code and writes an audit entry', async () => {
    const before = await shop.aCode();
    expect(expectSuccess(await shop.remove(before.id), 'Discount deleted')).toEqual(before);
    expect(await shop.lastAudit()).toMatchObject({
      action: 'discount.deleted',
      summary: 'A discount code was deleted',
      subjectId: before.id,
      changes: expect.arrayContaining([{ field: 'code', before: before.code, after: null }]),
    });
    for (const response of [
      await shop.read(before.id),
      await shop.remove(before.id),
      await shop.update(before.id, { value: 5 }),
    ]) {
      expectError(response, 404, 'There is no such discount');
    }
    const { code } = before;
    const checked = await app.api.post(`${shop.path()}/validate`, { code, orderValue: 10 }, { key: shop.key });
    expect(expectSuccess(checked)).toMatchObject({ valid: false, reasons: [{ code: 'code_not_found' }] });
    expectSuccess(await shop.create({ code, type: 'percent', value: 5 }));
  });

  it('leaves the orders that used the code as they are', async () => {
    const { productId, serverId } = shop;
    const { id, code } = await shop.aCode({ value: 50 });
    const order = await anOrder(app.api, shop.shopId, { productId, serverId, discountCode: code });
    expectSuccess(await shop.remove(id));
    const headers = { 'X-Order-Token': order.accessToken };
    expect(expectSuccess(await app.api.get(`/orders/public/${order.id}`, { headers }))).toMatchObject({
      discountCode: code,
      discountAmount: 5,
      total: order.total,
    });
  });
});
