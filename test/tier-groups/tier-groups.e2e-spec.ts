import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PublicProductDto } from '../../src/catalogue/products/dto/public-product.dto.js';
import { type TierGroupDto } from '../../src/catalogue/tier-groups/dto/tier-group.dto.js';
import { aProduct, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const TIMED = { durationDays: 30, expiryCommands: ['end {nickname}'] };

describe('A group of tiers', () => {
  let app: TestApp;
  let shop: TestShop;
  let path: string;
  let products: string[];

  const call = () => ({ token: shop.owner.token });
  const make = (productIds: readonly string[], name = 'Ranks') => app.api.post(path, { name, productIds }, call());
  const made = async (productIds: readonly string[]): Promise<TierGroupDto> =>
    expectSuccess<TierGroupDto>(await make(productIds));
  const listed = async (): Promise<TierGroupDto[]> => expectSuccess<TierGroupDto[]>(await app.api.get(path, call()));
  const change = (productId: string, body: object) =>
    app.api.patch(`/products/${shop.shopId}/${productId}`, body, call());
  const tierOf = async (productId: string) => {
    const path = `/products/public/${shop.shopId}/${productId}`;
    return expectSuccess<PublicProductDto>(await app.api.get(path)).tier;
  };

  beforeAll(async () => {
    app = await startTestApp();
  });
  beforeEach(async () => {
    shop = await aShop(app.api);
    path = `/tier-groups/${shop.shopId}`;
    products = [];
    for (const price of [10, 25, 50]) products.push(await aProduct(app.api, shop, { price }));
  });
  afterAll(() => app.close());

  it('gives its products a tier that everybody sees, also those that count as them, until it is deleted', async () => {
    const [vip = '', mvp = ''] = products;
    const long = await aProduct(app.api, shop, { price: 20, ...TIMED, countsAs: mvp });
    const group = await made([vip, mvp]);
    expect(group).toEqual({
      ...{ id: expect.any(String), name: 'Ranks', productIds: [vip, mvp] },
      createdAt: expect.any(String),
    });
    const tier = { groupId: group.id, group: 'Ranks' };
    expect([await tierOf(vip), await tierOf(mvp), await tierOf(long)]).toEqual([
      { ...tier, rank: 1 },
      { ...tier, rank: 2 },
      { ...tier, rank: 2 },
    ]);
    expect(await tierOf(products[2] ?? '')).toBeNull();

    const changed = await app.api.patch(`${path}/${group.id}`, { name: 'Tiers', productIds: [mvp, vip] }, call());
    expect(expectSuccess(changed)).toMatchObject({ name: 'Tiers', productIds: [mvp, vip] });
    expect(await tierOf(vip)).toEqual({ groupId: group.id, group: 'Tiers', rank: 2 });

    expectSuccess(await app.api.delete(`${path}/${group.id}`, call()));
    expect(await tierOf(vip)).toBeNull();
    expectError(await app.api.delete(`${path}/${group.id}`, call()), 404, 'There is no such group of tiers');
  });

  it('rejects tiers that are not alike, of another group, twice, too few or unknown', async () => {
    const [vip = '', mvp = '', legend = ''] = products;
    const timed = await aProduct(app.api, shop, TIMED);
    const other = await aProduct(app.api, shop, { countsAs: vip });
    const group = await made([vip, mvp]);
    for (const productIds of [
      [legend, timed],
      [legend, other],
    ]) {
      expectError(await make(productIds), 400, /must have the durationDays of|counts as another product/);
    }
    expectError(await make([mvp, legend]), 409, 'A product is a tier of another group already');
    expectError(await make([legend, '655f1c2ab1e4a9d3f0c81270']), 404, 'There is no such product');
    for (const productIds of [[legend], [legend, legend]]) {
      expectError(await make(productIds), 400, /^productIds must/);
    }
    expectError(await change(vip, TIMED), 400, /is a tier of Ranks/);
    expectError(await change(mvp, { countsAs: legend }), 400, /is a tier of Ranks/);
    expectSuccess(await change(mvp, { price: 26 }));
    expectSuccess(await app.api.delete(`${path}/${group.id}`, call()));
  });

  it('loses a product that is deleted, and goes with the last but one', async () => {
    const group = await made(products);
    const [vip = '', mvp = '', legend = ''] = products;
    expectSuccess(await app.api.delete(`/products/${shop.shopId}/${mvp}`, call()));
    expect(await listed()).toMatchObject([{ id: group.id, productIds: [vip, legend] }]);
    expectSuccess(await app.api.delete(`/products/${shop.shopId}/${vip}`, call()));
    expect(await listed()).toEqual([]);
    expect(await tierOf(legend)).toBeNull();
  });
});
