import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anOrder, aProduct, aServer, aShop, unique } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
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

describe('PATCH /discounts/{shopId}/{discountId}', () => {
  it('changes what is sent, clears what is null, keeps what is absent, and writes an audit entry', async () => {
    const before = await shop.aCode({
      maxUses: 5,
      maxDiscount: 20,
      endsAt: '2999-01-01T00:00:00Z',
      productIds: [shop.productId],
    });
    const change = { value: 25, maxUses: null, productIds: null, serverIds: [shop.serverId], isActive: false };
    const after = expectSuccess(await shop.update(before.id, change), 'Discount updated');
    expect(after).toEqual({ ...before, ...change });
    expect(expectSuccess(await shop.read(before.id))).toEqual(after);
    expect(await shop.lastAudit()).toEqual({
      id: anId,
      at: anInstant,
      actor: { type: 'api_key', id: anId, name: 'secret key' },
      action: 'discount.updated',
      summary: 'A discount code was changed',
      subjectId: before.id,
      changes: [
        { field: 'value', before: '10', after: '25' },
        { field: 'productIds', before: shop.productId, after: null },
        { field: 'serverIds', before: null, after: shop.serverId },
        { field: 'maxUses', before: '5', after: null },
        { field: 'isActive', before: 'true', after: 'false' },
      ],
    });
  });

  it('renames a code; the old name is free and the new one applies', async () => {
    const { id, code } = await shop.aCode();
    const renamed = `new-${unique()}`;
    expect(expectSuccess(await shop.update(id, { code: renamed }))).toMatchObject({ code: renamed.toUpperCase() });
    expectSuccess(await shop.create({ code, type: 'percent', value: 5 }));
    const checked = await app.api.post(`${shop.path()}/validate`, { code: renamed, orderValue: 10 }, { key: shop.key });
    expect(expectSuccess(checked)).toMatchObject({ valid: true, discountId: id });
  });

  it('writes no audit entry when nothing changes', async () => {
    const { id, code, ...terms } = await shop.aCode();
    const before = await shop.lastAudit();
    expect(expectSuccess(await shop.update(id, { code: code.toLowerCase(), value: 10 }))).toEqual({
      id,
      code,
      ...terms,
    });
    expect(await shop.lastAudit()).toEqual(before);
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
  ])('returns 400 for the change %j, and the discount stays as it is', async (change, error) => {
    const before = await shop.aCode({ endsAt: '2998-01-01T00:00:00Z' });
    expectError(await shop.update(before.id, change), 400, error, `/api/v2${shop.path(before.id)}`);
    expect(expectSuccess(await shop.read(before.id))).toEqual(before);
  });

  it('returns 400 for a fixed amount that would become a percentage above 100', async () => {
    const { id } = await shop.aCode({ type: 'fixed', value: 250 });
    expectError(await shop.update(id, { type: 'percent' }), 400, 'value must be at most 100 percent');
    expect(expectSuccess(await shop.update(id, { type: 'percent', value: 50 }))).toMatchObject({
      type: 'percent',
      value: 50,
    });
  });

  it('returns 404 for a product or a server of another shop', async () => {
    const { id } = await shop.aCode();
    const otherShop = await aShop(app.api);
    const foreignProduct = await aProduct(app.api, otherShop);
    expectError(await shop.update(id, { productIds: [foreignProduct] }), 404, 'There is no such product');
    const foreignServer = await aServer(app.api, otherShop);
    expectError(await shop.update(id, { serverIds: [foreignServer] }), 404, 'There is no such server');
  });

  it('returns 409 for a code that another discount of the shop has', async () => {
    const [taken, before] = [await shop.aCode(), await shop.aCode()];
    expectError(
      await shop.update(before.id, { code: taken.code }),
      409,
      'The shop already has a discount with this code',
    );
    expect(expectSuccess(await shop.read(before.id))).toEqual(before);
  });

  it('lowers maxUses below used: the code takes no more orders and the record says overused', async () => {
    const { productId, serverId } = shop;
    const { id, code } = await shop.aCode({ maxUses: 5 });
    for (let count = 0; count < 2; count++) {
      await anOrder(app.api, shop.shopId, { productId, serverId, discountCode: code });
    }
    expect(expectSuccess(await shop.update(id, { maxUses: 1 }))).toMatchObject({ maxUses: 1, used: 2, overused: true });
    const checked = await app.api.post(`${shop.path()}/validate`, { code, orderValue: 10 }, { key: shop.key });
    expect(expectSuccess(checked)).toMatchObject({ valid: false, reasons: [{ code: 'usage_limit_reached' }] });
  });
});
