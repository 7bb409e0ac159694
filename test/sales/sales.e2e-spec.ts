import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PublicProductDto } from '../../src/catalogue/products/dto/public-product.dto.js';
import { type SaleDto } from '../../src/catalogue/sales/dto/sale.dto.js';
import { aCategory, aDiscount, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const HOUR_MS = 3_600_000;
const from = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('A sale', () => {
  let app: TestApp;
  let shop: TestShop;
  let serverId: string;
  let vip: string;
  let key: string;
  let ranks: string;

  const plan = (sale: object) => {
    const planned = { name: 'Summer', type: 'percent', value: 25, startsAt: from(HOUR_MS), ...sale };
    return app.api.post(`/sales/${shop.shopId}`, planned, { token: shop.owner.token });
  };
  const made = async (sale: object): Promise<SaleDto> => expectSuccess<SaleDto>(await plan(sale));
  const change = (id: string, body: object) =>
    app.api.patch(`/sales/${shop.shopId}/${id}`, body, { token: shop.owner.token });
  const end = async (id: string): Promise<SaleDto> =>
    expectSuccess<SaleDto>(await change(id, { endsAt: new Date().toISOString() }));
  const quote = async (body: object = {}): Promise<object> => {
    const items = [{ productId: vip, quantity: 3 }];
    return expectSuccess(await app.api.post(`/checkout/${shop.shopId}/quote`, { items, ...body }));
  };
  const shown = async (productId: string): Promise<PublicProductDto> =>
    expectSuccess<PublicProductDto>(await app.api.get(`/products/public/${shop.shopId}/${productId}`));

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api, { priceRule: 'none' });
    ranks = await aCategory(app.api, shop);
    serverId = await aServer(app.api, shop);
    vip = await aProduct(app.api, shop, { price: 9.99, compareAtPrice: 12, categoryId: ranks });
    key = await aProduct(app.api, shop, { price: 2 });
  });
  afterAll(() => app.close());

  it('reduces what the catalogue shows, a quote and an order by the same amount, and ends at once', async () => {
    expect(await shown(vip)).toMatchObject({ price: 9.99, regularPrice: 9.99, compareAtPrice: 12, sale: null });
    const endsAt = from(HOUR_MS);
    const sale = await made({
      name: 'Black Friday',
      startsAt: from(-HOUR_MS),
      endsAt,
      scope: 'categories',
      categoryIds: [ranks],
    });
    expect(sale).toMatchObject({ state: 'running', name: 'Black Friday', value: 25, currency: 'EUR', productIds: [] });
    expect(Date.parse(sale.startsAt as unknown as string)).toBeGreaterThan(Date.now() - HOUR_MS / 2);

    const reduced = { price: 7.49, regularPrice: 9.99, compareAtPrice: null, sale: { name: 'Black Friday', endsAt } };
    expect(await shown(vip)).toMatchObject(reduced);
    expect(await shown(key)).toMatchObject({ price: 2, regularPrice: 2, sale: null });
    expect(await quote()).toMatchObject({ items: [{ unitPrice: 7.49, total: 22.47 }], subtotal: 22.47, total: 22.47 });

    const { code } = await aDiscount(app.api, shop, { value: 10 });
    expect(await quote({ discountCode: code })).toMatchObject({ subtotal: 22.47, discountAmount: 2.25, total: 20.22 });
    const buyer = { serverId, nickname: 'Steve_42', email: 'steve@example.com', discountCode: code };
    const order = { items: [{ productId: vip, quantity: 3 }], ...buyer };
    const path = `/checkout/${shop.shopId}/orders`;
    expect(expectSuccess(await app.api.post(path, { ...order, expectedTotal: 20.22 }))).toMatchObject({ total: 20.22 });

    const full = await aDiscount(app.api, shop, { value: 10, excludesReduced: true });
    expect(await quote({ discountCode: full.code })).toMatchObject({ problems: [{ code: 'product_not_eligible' }] });
    const both = [vip, key].map((productId) => ({ productId, quantity: 1 }));
    expect(await quote({ items: both, discountCode: full.code })).toMatchObject({ discountAmount: 0.2, total: 9.29 });
    const validation = { code: full.code, orderValue: 10 };
    for (const [productId, valid] of [[vip, false] as const, [key, true] as const]) {
      const call = { token: shop.owner.token };
      const checked = await app.api.post(`/discounts/${shop.shopId}/validate`, { ...validation, productId }, call);
      expect(expectSuccess(checked)).toMatchObject({ valid });
    }

    expect(await end(sale.id)).toMatchObject({ state: 'ended' });
    expect(await shown(vip)).toMatchObject({ price: 9.99, compareAtPrice: 12, sale: null });
    expectError(
      await app.api.post(path, { ...order, expectedTotal: 20.22 }),
      409,
      /^The order costs.*: a sale has ended$/,
    );
    const problem = { code: 'price_changed', cause: 'sale_ended' };
    expect(await quote({ expectedTotal: 22.47 })).toMatchObject({ problems: [problem] });
    expectError(await change(sale.id, { name: 'Too late' }), 409, /^The sale has/);
  });

  it('is the best one of several, and never two of them', async () => {
    const sales = [await made({ startsAt: from(0) }), await made({ startsAt: from(0), type: 'fixed', value: 4 })];
    expect(await shown(vip)).toMatchObject({ price: 5.99, regularPrice: 9.99 });
    expect(await shown(key)).toMatchObject({ price: 0, regularPrice: 2 });
    for (const { id } of sales) await end(id);
  });

  it('can change while it is planned, and only end once it runs', async () => {
    const { id } = await made({});
    expect(expectSuccess(await change(id, { value: 30, startsAt: from(2 * HOUR_MS) }))).toMatchObject({
      state: 'planned',
    });
    expect(expectSuccess(await change(id, { startsAt: from(-HOUR_MS) }))).toMatchObject({
      state: 'running',
      value: 30,
    });
    for (const late of [{ value: 40 }, { startsAt: from(HOUR_MS) }, { excludedProductIds: [vip] }, { type: 'fixed' }]) {
      expectError(await change(id, late), 409, /^The sale has/);
    }
    expectError(await app.api.delete(`/sales/${shop.shopId}/${id}`, { token: shop.owner.token }), 409, /^The sale has/);
    expectSuccess(await change(id, { name: 'Last days', endsAt: from(HOUR_MS) }));
    expectError(await change(id, { endsAt: from(2 * HOUR_MS) }), 409, /^The sale has/);
    expectError(await change(id, { endsAt: null }), 409, /^The sale has/);
    expect(await end(id)).toMatchObject({ state: 'ended', name: 'Last days' });
    const planned = await made({});
    expectSuccess(await app.api.delete(`/sales/${shop.shopId}/${planned.id}`, { token: shop.owner.token }));
    expectError(await change(planned.id, { value: 1 }), 404, 'There is no such sale');
  });

  it.each<[string, object, string]>([
    ['more than 100 percent', { value: 101 }, 'value must be at most 100 percent'],
    ['too many decimals', { type: 'fixed', value: 1.234 }, 'value has more decimals'],
    ['an end before the beginning', { endsAt: from(1_000) }, 'endsAt must be after startsAt'],
    ['a scope without its products', { scope: 'products' }, 'productIds must name at least one'],
    [
      'products without their scope',
      { productIds: ['655f1c2ab1e4a9d3f0c81270'] },
      'productIds needs the scope products',
    ],
    ['no beginning', { startsAt: undefined }, 'startsAt is required'],
  ])('is rejected with %s', async (_, fields, message) => {
    expectError(await plan(fields), 400, new RegExp(message));
  });

  it('is rejected for products and categories of another shop', async () => {
    const other = await aShop(app.api);
    const [product, category] = [await aProduct(app.api, other), await aCategory(app.api, other)];
    expectError(await plan({ scope: 'products', productIds: [product] }), 404, 'There is no such product');
    expectError(await plan({ excludedProductIds: [product] }), 404, 'There is no such product');
    expectError(await plan({ scope: 'categories', categoryIds: [category] }), 404, 'There is no such category');
  });

  it('limits how long the catalogue may be kept to when it begins, and changes the version of the catalogue there', async () => {
    const head = async () => {
      const { headers } = await app.api.get(`/products/public/${shop.shopId}`);
      return { age: Number(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1]), etag: headers['etag'] };
    };
    expect((await head()).age).toBe(15);
    const { id } = await made({ startsAt: from(3_000) });
    const before = await head();
    expect(before.age).toBeLessThanOrEqual(3);
    await new Promise((done) => setTimeout(done, 3_100));
    expect((await shown(vip)).price).toBe(7.49);
    expect((await head()).etag).not.toBe(before.etag);
    await end(id);
  });

  it('is listed by its state, newest first', async () => {
    const planned = await made({});
    const list = async (state: string): Promise<string[]> =>
      expectSuccess<SaleDto[]>(await app.api.get(`/sales/${shop.shopId}${state}`, { token: shop.owner.token })).map(
        ({ id }) => id,
      );
    expect(await list('?state=planned')).toEqual([planned.id]);
    expect(await list('?state=running')).toEqual([]);
    expect((await list(''))[0]).toBe(planned.id);
    expect(await list('?state=ended')).not.toContain(planned.id);
  });
});
