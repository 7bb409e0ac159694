import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aCategory, aMember, aProduct, aShop, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const UNKNOWN = '0'.repeat(24);

describe('Categories', () => {
  let app: TestApp;
  let shop: TestShop;
  let token: string;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    ({ token } = shop.owner);
  });
  afterAll(() => app.close());

  const path = (id = ''): string => `/categories/${shop.shopId}${id && `/${id}`}`;
  const create = (body: object): Promise<Response> => app.api.post(path(), body, { token });
  const categoryOf = async (productId: string): Promise<unknown> =>
    expectSuccess<{ categoryId: unknown }>(await app.api.get(`/products/${shop.shopId}/${productId}`, { token }))
      .categoryId;
  const put = (productId: string, categoryId: string | null): Promise<Response> =>
    app.api.patch(`/products/${shop.shopId}/${productId}`, { categoryId }, { token });

  it('creates, changes, deletes and lists categories, newest first, page by page', async () => {
    const own = await aShop(app.api);
    const call = { token: own.owner.token };
    const all = `/categories/${own.shopId}`;
    const first = expectSuccess<{ id: string }>(await app.api.post(all, { name: 'Ranks' }, call), 'Category created');
    const empty = { slug: null, description: '', descriptionHtml: '', parentId: null, imageId: null, position: 0 };
    expect(first).toEqual({ id: anId, name: 'Ranks', ...empty, createdAt: anInstant });
    const fields = { name: 'Keys', slug: 'keys', position: 3 };
    const second = expectSuccess<{ id: string }>(await app.api.post(all, fields, call));
    expect(second).toMatchObject(fields);
    const change = { slug: 'ranks', position: 1 };
    const changed = { ...first, ...change };
    const updated = await app.api.patch(`${all}/${first.id}`, change, call);
    expect(expectSuccess(updated, 'Category updated')).toEqual(changed);
    const page = await app.api.get(`${all}?limit=1`, call);
    expect(expectSuccess(page, 'Categories retrieved')).toEqual([second]);
    const next = /^<\/api\/v2(.+)>; rel="next"$/.exec(String(page.headers['link']))?.[1] ?? '';
    expect(expectSuccess(await app.api.get(next, call))).toEqual([changed]);
    expect(expectSuccess(await app.api.delete(`${all}/${first.id}`, call), 'Category deleted')).toEqual(changed);
    expect(expectSuccess(await app.api.get(all, call))).toEqual([second]);
  });

  it.each([
    [{}, 'name is required, for example "Ranks"'],
    [{ name: '' }, 'name must have 1 to 80 characters'],
    [{ name: 'A', slug: 'A b' }, /^slug must be lower-case letters and digits, with single hyphens between them/],
    [{ name: 'A', slug: 'prices' }, /neither 24 hexadecimal digits nor "prices"$/],
    [{ name: 'A', slug: 'abcdefabcdef012345678901' }, /neither 24 hexadecimal digits nor "prices"$/],
    [{ name: 'A', position: -1 }, 'position must be between 0 and 1000000'],
    [{ name: 'A', position: null }, 'position must be a whole number'],
    [{ name: 'A', products: [] }, 'products is not a known field'],
  ])('returns 400 for the category %j', async (body, error) => {
    expectError(await create(body), 400, error);
  });

  it('returns 400 for a change without a field, 404 for an unknown category and one of another shop', async () => {
    const id = await aCategory(app.api, shop);
    expectError(await app.api.patch(path(id), {}, { token }), 400, 'Send at least one field to change');
    for (const other of [UNKNOWN, await aCategory(app.api, await aShop(app.api))]) {
      expectError(await app.api.patch(path(other), { name: 'New' }, { token }), 404, 'There is no such category');
      expectError(await app.api.delete(path(other), { token }), 404, 'There is no such category');
      expectError(await put(await aProduct(app.api, shop), other), 404, 'There is no such category');
      const product = { name: 'A', price: 1, categoryId: other };
      const created = await app.api.post(`/products/${shop.shopId}`, product, { token });
      expectError(created, 404, 'There is no such category');
    }
  });

  it('returns 403 for a caller who may only read', async () => {
    const support = await aMember(app, shop, 'support');
    expectSuccess(await app.api.get(path(), { token: support.token }));
    const response = await app.api.post(path(), { name: 'A' }, { token: support.token });
    expectError(response, 403, 'The credential lacks the permission products:write');
  });

  it('keeps a slug unique in the shop, also for parallel requests, and free again after the deletion', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'A', slug: 'rush' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    const taken = 'The shop already has a category with this slug';
    expectError(await create({ name: 'A', slug: 'rush' }), 409, taken);
    const other = await aCategory(app.api, shop);
    expectError(await app.api.patch(path(other), { slug: 'rush' }, { token }), 409, taken);
    await aCategory(app.api, await aShop(app.api), { slug: 'rush' });
    const winner = responses.find(({ status }) => status === 200) as Response;
    expectSuccess(await app.api.delete(path(expectSuccess<{ id: string }>(winner).id), { token }));
    expectSuccess(await app.api.patch(path(other), { slug: 'rush' }, { token }));
  });

  it('leaves the products of a deleted category, and only those, without a category', async () => {
    const [gone, kept] = [await aCategory(app.api, shop), await aCategory(app.api, shop)];
    const inGone = await Promise.all([1, 2].map(() => aProduct(app.api, shop, { categoryId: gone })));
    const inKept = await aProduct(app.api, shop, { categoryId: kept });
    expectSuccess(await app.api.delete(path(gone), { token }));
    expect(await Promise.all([...inGone, inKept].map(categoryOf))).toEqual([null, null, kept]);
    expectSuccess(await put(inKept, null));
    expect(await categoryOf(inKept)).toBeNull();
  });

  it('has two levels: a part of a part is rejected, also when two categories are moved at the same time', async () => {
    const [top, one, other] = [
      await aCategory(app.api, shop),
      await aCategory(app.api, shop),
      await aCategory(app.api, shop),
    ];
    const move = (id: string, parentId: string): Promise<Response> => app.api.patch(path(id), { parentId }, { token });
    expectSuccess(await move(one, top));
    expectError(await move(other, one), 400, 'parentId must be another category that is no part itself');
    expectError(await move(top, other), 400, 'parentId must be null for a category that has parts');
    expectError(await move(other, UNKNOWN), 404, 'There is no such category');
    const both = await Promise.all([move(other, top), move(top, other)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expectSuccess(await app.api.delete(path(top), { token }));
    const rest = expectSuccess<{ id: string; parentId: string | null }[]>(await app.api.get(path(), { token }));
    expect(rest.filter(({ id }) => [one, other].includes(id)).map(({ parentId }) => parentId)).toEqual([null, null]);
  });

  it('leaves no product in a category that is deleted at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const categoryId = await aCategory(app.api, shop);
      const ids = await Promise.all(Array.from({ length: 6 }, () => aProduct(app.api, shop)));
      const [deleted, ...moved] = await Promise.all([
        app.api.delete(path(categoryId), { token }),
        ...ids.map((id) => put(id, categoryId)),
      ]);
      expectSuccess(deleted);
      for (const { status } of moved) expect([200, 404]).toContain(status);
      expect(await Promise.all(ids.map(categoryOf))).toEqual(ids.map(() => null));
    }
  });
});
