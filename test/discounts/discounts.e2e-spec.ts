import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import {
  aDiscount,
  aKey,
  aMember,
  anOrder,
  aPerson,
  aProduct,
  aServer,
  aShop,
  type TestShop,
  unique,
} from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

type Discount = Record<string, unknown> & { id: string; code: string };

const UNKNOWN = '0'.repeat(24);
const NO_LIMITS = {
  maxDiscount: null,
  minOrderValue: null,
  productIds: null,
  serverIds: null,
  maxUses: null,
  maxUsesPerBuyer: null,
  firstPurchaseOnly: false,
  startsAt: null,
  endsAt: null,
  isActive: true,
};

let app: TestApp;
let shop: TestShop;
let otherShop: TestShop;
let key: string;
let productId: string;
let serverId: string;
const path = (discountId?: string): string =>
  `/discounts/${shop.shopId}${discountId === undefined ? '' : `/${discountId}`}`;
const create = (body: object): Promise<Response> => app.api.post(path(), body, { key });
const read = (id: string): Promise<Response> => app.api.get(path(id), { key });
const update = (id: string, body: object): Promise<Response> => app.api.patch(path(id), body, { key });
const remove = (id: string): Promise<Response> => app.api.delete(path(id), { key });
const aCode = (body: object = {}): Promise<{ id: string; code: string }> => aDiscount(app.api, shop, body);
const lastAudit = async (): Promise<Record<string, unknown> | undefined> =>
  expectSuccess<Record<string, unknown>[]>(await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { key }))[0];

beforeAll(async () => {
  app = await startTestApp();
  shop = await aShop(app.api);
  otherShop = await aShop(app.api);
  key = (await aKey(app.api, shop)).key;
  productId = await aProduct(app.api, shop);
  serverId = await aServer(app.api, shop);
});
afterAll(() => app.close());

describe('POST /discounts/{shopId}', () => {
  it('creates a discount with every field that was sent', async () => {
    const code = `all-${unique()}`;
    const body = {
      code,
      type: 'fixed',
      value: 5,
      maxDiscount: 4.5,
      minOrderValue: 20.01,
      productIds: [productId],
      serverIds: [serverId],
      maxUses: 100,
      maxUsesPerBuyer: 1,
      firstPurchaseOnly: true,
      startsAt: '2026-12-01T00:00:00+01:00',
      endsAt: '2027-01-01T00:00:00Z',
      isActive: false,
    };
    const created = expectSuccess<Discount>(await create(body), 'Discount created');
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
    expect(expectSuccess(await read(created.id))).toEqual(created);
  });

  it('creates a discount without limits from code, type and value', async () => {
    const code = `BARE-${unique().toUpperCase()}`;
    expect(expectSuccess(await create({ code, type: 'percent', value: 12.5 }))).toEqual({
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
    const { id, code } = await aCode({ maxUses: 3 });
    expect(await lastAudit()).toEqual({
      id: anId,
      at: anInstant,
      actor: { type: 'user', id: shop.owner.userId },
      action: 'discount.created',
      summary: 'A discount code was created',
      subjectId: id,
      changes: [
        ['code', code],
        ['type', 'percent'],
        ['value', '10'],
        ['maxUses', '3'],
        ['firstPurchaseOnly', 'false'],
        ['isActive', 'true'],
      ].map(([field, after]) => ({ field, before: null, after })),
    });
  });

  it.each([
    [{}, /^code must be a string; type must be one of percent, fixed; value must be a number$/],
    [{ code: 'A' }, 'code must have 2 to 40 characters'],
    [{ code: 'A B' }, 'code must be letters, digits, - and _'],
    [{ code: 'ß'.repeat(21) }, /^code must be 2 to 40 letters.*upper case$/],
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
    [{ startsAt: '2026-12-01' }, /^startsAt must be an ISO 8601 date-time/],
    [{ startsAt: '2027-01-01T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' }, 'endsAt must be after startsAt'],
    [{ used: 5 }, 'used is not a known field'],
    [{ currency: 'USD' }, 'currency is not a known field'],
  ])('400 for %j', async (fields, error) => {
    const body = Object.keys(fields).length === 0 ? {} : { code: 'A1', type: 'percent', value: 10, ...fields };
    expectError(await create(body), 400, error, `/api/v2${path()}`);
  });

  it('404 for a product or a server of another shop', async () => {
    const body = { code: `X${unique()}`, type: 'percent', value: 10 };
    const foreignProduct = await aProduct(app.api, otherShop);
    expectError(await create({ ...body, productIds: [foreignProduct] }), 404, 'There is no such product');
    const foreignServer = await aServer(app.api, otherShop);
    expectError(await create({ ...body, serverIds: [foreignServer] }), 404, 'There is no such server');
  });

  it('409 for a code that the shop has, in any case; another shop can have it', async () => {
    const { code } = await aCode();
    const body = { code: code.toLowerCase(), type: 'percent', value: 5 };
    expectError(await create(body), 409, 'The shop already has a discount with this code');
    expect(await aDiscount(app.api, otherShop, body)).toMatchObject({ code });
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
  });

  it.each(['limit=0', 'limit=101', 'cursor=!', 'cursor=AAAA', 'code=A'])('400 for ?%s', async (query) => {
    expectError(await app.api.get(`${path()}?${query}`, { key }), 400, /./);
  });
});

describe('GET /discounts/{shopId}/{discountId}', () => {
  it('returns the discount with its uses', async () => {
    const discount = await aCode({ maxUses: 1 });
    expect(expectSuccess(await read(discount.id), 'Discount retrieved')).toEqual(discount);
    await anOrder(app.api, shop.shopId, { productId, serverId, discountCode: discount.code });
    expect(expectSuccess(await read(discount.id))).toEqual({ ...discount, used: 1 });
  });
});

describe('PATCH /discounts/{shopId}/{discountId}', () => {
  it('changes what is sent, clears what is null, keeps what is absent, and writes an audit entry', async () => {
    const before = await aCode({
      maxUses: 5,
      maxDiscount: 20,
      endsAt: '2999-01-01T00:00:00Z',
      productIds: [productId],
    });
    const change = { value: 25, maxUses: null, productIds: null, serverIds: [serverId], isActive: false };
    const after = expectSuccess(await update(before.id, change), 'Discount updated');
    expect(after).toEqual({ ...before, ...change });
    expect(expectSuccess(await read(before.id))).toEqual(after);
    expect(await lastAudit()).toEqual({
      id: anId,
      at: anInstant,
      actor: { type: 'api_key', id: anId },
      action: 'discount.updated',
      summary: 'A discount code was changed',
      subjectId: before.id,
      changes: [
        { field: 'value', before: '10', after: '25' },
        { field: 'productIds', before: productId, after: null },
        { field: 'serverIds', before: null, after: serverId },
        { field: 'maxUses', before: '5', after: null },
        { field: 'isActive', before: 'true', after: 'false' },
      ],
    });
  });

  it('renames a code; the old name is free and the new one applies', async () => {
    const { id, code } = await aCode();
    const renamed = `new-${unique()}`;
    expect(expectSuccess(await update(id, { code: renamed }))).toMatchObject({ code: renamed.toUpperCase() });
    expectSuccess(await create({ code, type: 'percent', value: 5 }));
    const checked = await app.api.post(`${path()}/validate`, { code: renamed, orderValue: 10 }, { key });
    expect(expectSuccess(checked)).toMatchObject({ valid: true, discountId: id });
  });

  it('writes no audit entry when nothing changes', async () => {
    const { id, code, ...terms } = await aCode();
    const before = await lastAudit();
    expect(expectSuccess(await update(id, { code: code.toLowerCase(), value: 10 }))).toEqual({ id, code, ...terms });
    expect(await lastAudit()).toEqual(before);
  });

  it.each([
    [{}, 'Send at least one field to change'],
    [{ value: 100.5 }, 'value must be at most 100 percent'],
    [{ startsAt: '2999-01-01T00:00:00Z' }, 'endsAt must be after startsAt'],
    [{ code: null }, 'code must be a string'],
    [{ type: null }, 'type must be one of percent, fixed'],
    [{ value: null }, 'value must be a number'],
    [{ firstPurchaseOnly: null }, 'firstPurchaseOnly must be true or false'],
    [{ isActive: null }, 'isActive must be true or false'],
    [{ maxUses: 0 }, 'maxUses must be between 1 and 1000000000'],
    [{ productIds: [] }, 'productIds must be null (every product) or name at least one'],
    [{ used: 0 }, 'used is not a known field'],
    [{ shopId: UNKNOWN }, 'shopId is not a known field'],
  ])('400 for %j, and the discount stays as it is', async (change, error) => {
    const before = await aCode({ endsAt: '2998-01-01T00:00:00Z' });
    expectError(await update(before.id, change), 400, error, `/api/v2${path(before.id)}`);
    expect(expectSuccess(await read(before.id))).toEqual(before);
  });

  it('400 for a fixed amount that would become a percentage above 100', async () => {
    const { id } = await aCode({ type: 'fixed', value: 250 });
    expectError(await update(id, { type: 'percent' }), 400, 'value must be at most 100 percent');
    expect(expectSuccess(await update(id, { type: 'percent', value: 50 }))).toMatchObject({
      type: 'percent',
      value: 50,
    });
  });

  it('404 for a product or a server of another shop', async () => {
    const { id } = await aCode();
    const foreignProduct = await aProduct(app.api, otherShop);
    expectError(await update(id, { productIds: [foreignProduct] }), 404, 'There is no such product');
    const foreignServer = await aServer(app.api, otherShop);
    expectError(await update(id, { serverIds: [foreignServer] }), 404, 'There is no such server');
  });

  it('409 for a code that another discount of the shop has', async () => {
    const [taken, before] = [await aCode(), await aCode()];
    expectError(await update(before.id, { code: taken.code }), 409, 'The shop already has a discount with this code');
    expect(expectSuccess(await read(before.id))).toEqual(before);
  });

  it('lowers maxUses below used: the code takes no more orders and the record says overused', async () => {
    const { id, code } = await aCode({ maxUses: 5 });
    for (let count = 0; count < 2; count++) {
      await anOrder(app.api, shop.shopId, { productId, serverId, discountCode: code });
    }
    expect(expectSuccess(await update(id, { maxUses: 1 }))).toMatchObject({ maxUses: 1, used: 2, overused: true });
    const checked = await app.api.post(`${path()}/validate`, { code, orderValue: 10 }, { key });
    expect(expectSuccess(checked)).toMatchObject({ valid: false, reasons: [{ code: 'usage_limit_reached' }] });
  });
});

describe('DELETE /discounts/{shopId}/{discountId}', () => {
  it('returns the deleted discount, frees its code and writes an audit entry', async () => {
    const before = await aCode();
    expect(expectSuccess(await remove(before.id), 'Discount deleted')).toEqual(before);
    expect(await lastAudit()).toMatchObject({
      action: 'discount.deleted',
      summary: 'A discount code was deleted',
      subjectId: before.id,
      changes: expect.arrayContaining([{ field: 'code', before: before.code, after: null }]),
    });
    for (const response of [await read(before.id), await remove(before.id), await update(before.id, { value: 5 })]) {
      expectError(response, 404, 'There is no such discount');
    }
    const { code } = before;
    const checked = await app.api.post(`${path()}/validate`, { code, orderValue: 10 }, { key });
    expect(expectSuccess(checked)).toMatchObject({ valid: false, reasons: [{ code: 'code_not_found' }] });
    expectSuccess(await create({ code, type: 'percent', value: 5 }));
  });

  it('leaves the orders that used the code as they are', async () => {
    const { id, code } = await aCode({ value: 50 });
    const order = await anOrder(app.api, shop.shopId, { productId, serverId, discountCode: code });
    expectSuccess(await remove(id));
    const headers = { 'X-Order-Token': order.accessToken };
    expect(expectSuccess(await app.api.get(`/orders/public/${order.id}`, { headers }))).toMatchObject({
      discountCode: code,
      discountAmount: 5,
      total: order.total,
    });
  });
});

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

  it('401 without a credential', async () => {
    for (const [method, route, body] of routes(shop.shopId, UNKNOWN)) {
      expectError(await app.api.call(method, route, { body }), 401, 'Authentication is missing or invalid');
    }
  });

  it('403 for a stranger, for a member without the permission and for a key that is bound to game servers', async () => {
    const stranger = await aPerson(app.api);
    const analyst = await aMember(app, shop, 'analyst');
    const bound = await aKey(app.api, shop);
    const restrictions = { serverIds: [serverId], ipAllowlist: null };
    const { token } = shop.owner;
    expectSuccess(await app.api.put(`/api-keys/${bound.id}/restrictions`, restrictions, { token }));
    for (const [method, route, body] of routes(shop.shopId, UNKNOWN)) {
      const action = WRITES.includes(method) ? 'write' : 'read';
      const responses = [
        [{ token: stranger.token }, 'The credential has no access to this shop'],
        [{ token: analyst.token }, `The credential lacks the permission discounts:${action}`],
        [{ key: bound.key }, /bound to game servers/],
      ] as const;
      for (const [credential, error] of responses) {
        expectError(await app.api.call(method, route, { ...credential, body }), 403, error);
      }
    }
  });

  it('lets a member with discounts:read read, and change nothing', async () => {
    const { token } = await aMember(app, shop, 'support');
    const { id } = await aCode();
    for (const [method, route, body] of routes(shop.shopId, id)) {
      const response = await app.api.call(method, route, { token, body });
      if (WRITES.includes(method)) expectError(response, 403, 'The credential lacks the permission discounts:write');
      else expectSuccess(response);
    }
  });

  it('404 for an unknown shop and for a discount of another shop, which stays as it is', async () => {
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
    const listed = expectSuccess<Discount[]>(await app.api.get(`${path()}?limit=100`, { key }));
    expect(listed.map(({ id }) => id)).not.toContain(foreign.id);
  });

  it('400 for a malformed id', async () => {
    for (const [method, route, body] of routes(shop.shopId, 'nothex').slice(2)) {
      expectError(await app.api.call(method, route, { key, body }), 400, /^An identifier in the path/);
    }
  });
});
