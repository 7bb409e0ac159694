import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PublicPriceDto } from '../../src/catalogue/pricing/dto/public-price.dto.js';
import { type PublicProductDto } from '../../src/catalogue/products/dto/public-product.dto.js';
import { aCategory, aProduct, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const anInstant = expect.stringMatching(/Z$/) as unknown as string;

describe('The prices of a product', () => {
  let app: TestApp;
  let shop: TestShop;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api, { priceRule: 'none' });
  });
  afterAll(() => app.close());

  const read = (productId: string) =>
    app.api.get(`/products/${shop.shopId}/${productId}/prices`, { token: shop.owner.token });
  const pricesOf = async (productId: string): Promise<PublicPriceDto[]> =>
    expectSuccess<PublicPriceDto[]>(await read(productId), 'Prices retrieved');
  const change = async (productId: string, body: object): Promise<unknown> =>
    expectSuccess(await app.api.patch(`/products/${shop.shopId}/${productId}`, body, { token: shop.owner.token }));

  it('have each change and each sale, one after the other without a gap, and no change of something else', async () => {
    const ranks = await aCategory(app.api, shop);
    const vip = await aProduct(app.api, shop, { price: 9.99 });
    await change(vip, { price: 12, name: 'VIP' });
    await change(vip, { name: 'VIP rank' });
    await change(vip, { categoryId: ranks });
    const token = shop.owner.token;
    const planned = { name: 'Sale', type: 'percent', value: 50, startsAt: new Date().toISOString() };
    const scope = { scope: 'categories', categoryIds: [ranks] };
    const sale = expectSuccess<{ id: string }>(
      await app.api.post(`/sales/${shop.shopId}`, { ...planned, ...scope }, { token }),
    );
    const during = await pricesOf(vip);
    expect(during).toEqual([
      { from: anInstant, until: anInstant, price: 9.99, saleId: null },
      { from: anInstant, until: anInstant, price: 12, saleId: null },
      { from: anInstant, until: null, price: 6, saleId: sale.id },
    ]);
    expectSuccess(await app.api.delete(`/categories/${shop.shopId}/${ranks}`, { token }));
    const prices = await pricesOf(vip);
    expect(prices.map(({ price, saleId }) => [price, saleId])).toEqual([
      [9.99, null],
      [12, null],
      [6, sale.id],
      [12, null],
    ]);
    expect(prices.slice(1).map(({ from }) => from)).toEqual(prices.slice(0, -1).map(({ until }) => until));
  });

  it('include the lowest one before a reduction, which the public sees while it runs', async () => {
    const token = shop.owner.token;
    const vip = await aProduct(app.api, shop, { price: 8 });
    await change(vip, { price: 12 });
    const shown = async (): Promise<PublicProductDto> =>
      expectSuccess<PublicProductDto>(await app.api.get(`/products/public/${shop.shopId}/${vip}`));
    expect(await shown()).toMatchObject({ price: 12, priorPrice: null });
    const planned = { name: 'Sale', type: 'percent', value: 50, startsAt: new Date().toISOString() };
    const scope = { scope: 'products', productIds: [vip] };
    const sale = await app.api.post(`/sales/${shop.shopId}`, { ...planned, ...scope }, { token });
    expect(await shown()).toMatchObject({ price: 6, regularPrice: 12, priorPrice: 8 });
    const { id } = expectSuccess<{ id: string }>(sale);
    const end = { endsAt: new Date().toISOString() };
    expectSuccess(await app.api.patch(`/sales/${shop.shopId}/${id}`, end, { token }));
    expect(await shown()).toMatchObject({ price: 12, priorPrice: null });
    await change(vip, { price: 7, compareAtPrice: 12 });
    expect(await shown()).toMatchObject({ price: 7, compareAtPrice: 12, priorPrice: 6 });
  });

  it('name none that nobody has paid, while the price rule of the shop is that of the EU', async () => {
    const own = await aShop(app.api);
    const call = { token: own.owner.token };
    const setRule = (priceRule: string) => app.api.patch(`/shops/${own.shopId}`, { priceRule }, call);
    const named = { name: 'VIP', price: 7, compareAtPrice: 12 };
    const not = 'priceRule eu of the shop allows no compareAtPrice: send null, and plan a sale';
    expectError(await app.api.post(`/products/${own.shopId}`, named, call), 400, not);
    const vip = await aProduct(app.api, own, { price: 7 });
    const price = (body: object) => app.api.patch(`/products/${own.shopId}/${vip}`, body, call);
    const refused = await price({ compareAtPrice: 12 });
    expectError(refused, 400, not);
    expect(refused.headers['x-error-code']).toBe('compare_at_not_allowed');

    expectSuccess(await setRule('none'));
    const seen = expectSuccess(await app.api.get(`/shops/public/${own.uniqueName}`));
    expect(seen).toMatchObject({ priceRule: 'none' });
    expectSuccess(await price({ name: 'VIP', compareAtPrice: 12 }));
    expectError(await setRule('eu'), 400, 'priceRule eu allows no compareAtPrice: remove that of VIP');
    expectSuccess(await price({ compareAtPrice: null }));
    expectSuccess(await setRule('eu'));
    // Both write the record of the shop, so only one of them can hold.
    expectSuccess(await setRule('none'));
    const [rule, compared] = await Promise.all([setRule('eu'), price({ compareAtPrice: 12 })]);
    expect([rule.status, compared.status].toSorted()).toEqual([200, 400]);
  });

  it('are those of a product that the shop has', async () => {
    const gone = await aProduct(app.api, shop);
    expectSuccess(await app.api.delete(`/products/${shop.shopId}/${gone}`, { token: shop.owner.token }));
    const foreign = await aProduct(app.api, await aShop(app.api));
    for (const id of [gone, foreign]) expectError(await read(id), 404, 'There is no such product');
  });
});
