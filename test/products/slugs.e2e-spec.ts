import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aProduct, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const TAKEN = 'The shop already has a product with this slug';

describe('The slug of a product', () => {
  let app: TestApp;
  let shop: TestShop;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
  });
  afterAll(() => app.close());

  const create = (body: object, { shopId, owner }: TestShop = shop): Promise<Response> =>
    app.api.post(`/products/${shopId}`, { name: 'VIP', price: 1, ...body }, { token: owner.token });
  const change = (id: string, body: object): Promise<Response> =>
    app.api.patch(`/products/${shop.shopId}/${id}`, body, { token: shop.owner.token });

  it('keeps a slug unique in the shop; another shop can have the same', async () => {
    expectSuccess(await create({ slug: 'unique' }));
    expectSuccess(await create({ slug: 'unique' }, await aShop(app.api)));
    expectError(await create({ slug: 'unique' }), 409, TAKEN);
    const id = await aProduct(app.api, shop, { slug: 'unique-2' });
    expectError(await change(id, { slug: 'unique' }), 409, TAKEN);
    expectSuccess(await change(id, { slug: 'unique-2', name: 'New' }));
  });

  it('frees a slug after it was cleared, and after its product was deleted', async () => {
    const { token } = shop.owner;
    for (const end of [
      (id: string) => change(id, { slug: null }),
      (id: string) => app.api.delete(`/products/${shop.shopId}/${id}`, { token }),
    ]) {
      const { id } = expectSuccess<{ id: string }>(await create({ slug: 'again' }));
      expectSuccess(await end(id));
    }
    expectSuccess(await create({ slug: 'again' }));
  });

  it('gives a slug to exactly one of parallel requests, and 409 to the others', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => aProduct(app.api, shop)));
    const responses = await Promise.all([
      ...ids.map((id) => change(id, { slug: 'rush' })),
      ...ids.map(() => create({ slug: 'rush' })),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(409)]);
  });
});
