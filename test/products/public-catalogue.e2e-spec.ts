import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aCategory, aKey, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly serverIds: readonly string[];
}

describe('The public catalogue', () => {
  let app: TestApp;
  let shop: TestShop;
  let products: string;
  let categories: string;

  beforeAll(async () => {
    app = await startTestApp();
  });
  beforeEach(async () => {
    shop = await aShop(app.api, { priceRule: 'none' });
    products = `/products/public/${shop.shopId}`;
    categories = `/categories/public/${shop.shopId}`;
  });
  afterAll(() => app.close());

  const list = async (path = products): Promise<Listed[]> => expectSuccess<Listed[]>(await app.api.get(path));
  const names = async (path = products): Promise<string[]> => (await list(path)).map(({ name }) => name);
  const edit = (id: string, body: object): Promise<Response> =>
    app.api.patch(`/products/${shop.shopId}/${id}`, body, { token: shop.owner.token });

  it('shows of products what a storefront needs, and nothing else', async () => {
    const [serverId, categoryId] = [await aServer(app.api, shop), await aCategory(app.api, shop)];
    const shown = {
      name: 'VIP rank',
      slug: 'vip-rank',
      summary: 'A golden name',
      label: 'Popular',
      metadata: [{ name: 'Homes', value: '5' }],
      featured: true,
      description: 'A golden name for 30 days.',
      price: 9.99,
      compareAtPrice: 14.99,
      imageUrls: ['https://cdn.example.com/vip.png'],
      imageIds: [],
      categoryId,
      position: 2,
      stock: 7,
      maxPerOrder: 5,
      maxPerBuyer: 6,
      serverIds: [serverId],
      durationDays: 30,
      requiresOnline: true,
      availableFrom: '2026-01-01T00:00:00.000Z',
      availableUntil: null,
      limits: [{ of: 'player', max: 3, window: { days: 7 } }],
    };
    const hidden = {
      commands: ['say a'],
      takeBackCommands: ['say b'],
      expiryCommands: ['say c'],
      extendCommands: ['say d'],
      upgradeCommands: ['say e'],
    };
    const id = await aProduct(app.api, shop, { ...shown, ...hidden });
    const response = await app.api.get(products);
    const descriptionHtml = '<p>A golden name for 30 days.</p>';
    const unreduced = { regularPrice: 9.99, priorPrice: null, sale: null, availability: 'available', tier: null };
    const unowned = { requires: null, excludedBy: [] };
    const product = { id, currency: 'EUR', ...shown, ...unreduced, ...unowned, descriptionHtml };
    expect(expectSuccess(response, 'Products retrieved')).toEqual([product]);
    for (const name of [id, 'vip-rank']) {
      const one = await app.api.get(`${products}/${name}`);
      expect(expectSuccess(one, 'Product retrieved')).toEqual(product);
      const headers = { 'If-None-Match': String(one.headers['etag']) };
      expect((await app.api.get(`${products}/${name}`, { headers })).status).toBe(304);
    }
    for (const name of ['vip', '0'.repeat(24), '%00']) {
      expectError(await app.api.get(`${products}/${name}`), 404, 'There is no such product');
    }
  });

  it('lists categories in their order, with what a storefront shows', async () => {
    const last = await aCategory(app.api, shop, { name: 'Last', position: 9 });
    const about = { description: 'For **you**', descriptionHtml: '<p>For <strong>you</strong></p>' };
    const { description } = about;
    const fields = { name: 'First', slug: 'first', description, parentId: last, position: 1 };
    const first = await aCategory(app.api, shop, fields);
    expect(expectSuccess(await app.api.get(categories), 'Categories retrieved')).toEqual([
      { id: first, name: 'First', slug: 'first', ...about, parentId: last, imageId: null, position: 1 },
      {
        id: last,
        name: 'Last',
        slug: null,
        description: '',
        descriptionHtml: '',
        parentId: null,
        imageId: null,
        position: 9,
      },
    ]);
  });

  it('lists what words find, and what is in a category or in its parts', async () => {
    const ranks = await aCategory(app.api, shop, { name: 'Ranks' });
    const timed = await aCategory(app.api, shop, { name: 'Timed', parentId: ranks });
    await aProduct(app.api, shop, { name: 'Gold rank', categoryId: ranks, position: 1 });
    await aProduct(app.api, shop, { name: 'Gold month', categoryId: timed, position: 2 });
    await aProduct(app.api, shop, { name: 'Gold key', position: 3 });
    expect(await names(`${products}?categoryId=${ranks}`)).toEqual(['Gold rank', 'Gold month']);
    expect(await names(`${products}?categoryId=${timed}`)).toEqual(['Gold month']);
    expect(await names(`${products}?q=gold`)).toEqual(['Gold rank', 'Gold month', 'Gold key']);
    expect(await names(`${products}?q=gold%20mo&categoryId=${ranks}`)).toEqual(['Gold month']);
    expectError(await app.api.get(`${products}?categoryId=x`), 400, /^categoryId must be an ObjectId/);
    const page = await app.api.get(`${products}?q=gold&limit=2`);
    expect(page.headers['link']).toMatch(/q=gold.*rel="next"/);
  });

  it.each(['products', 'categories'] as const)(
    'lists %s by position, newest first where positions are equal, page by page, each once',
    async (kind) => {
      const add = kind === 'products' ? aProduct : aCategory;
      for (const [name, position] of [
        ['b old', 1],
        ['a', 0],
        ['c', 1_000_000],
        ['b new', 1],
      ] as const) {
        await add(app.api, shop, { name, position });
      }
      const seen: string[] = [];
      let next: string | undefined = `/${kind}/public/${shop.shopId}?limit=1`;
      for (let pages = 0; next !== undefined; pages++) {
        expect(pages).toBeLessThan(4);
        const response: Response = await app.api.get(next);
        seen.push(...expectSuccess<Listed[]>(response).map(({ name }) => name));
        next = /^<\/api\/v2(.+)>; rel="next"$/.exec(String(response.headers['link']))?.[1];
      }
      expect(seen).toEqual(['a', 'b new', 'b old', 'c']);
    },
  );

  it('hides a product that is inactive, deleted or of another shop', async () => {
    const [inactive, deleted] = [await aProduct(app.api, shop), await aProduct(app.api, shop)];
    await aProduct(app.api, shop, { name: 'For sale' });
    await aProduct(app.api, await aShop(app.api), { name: 'Foreign' });
    expectSuccess(await edit(inactive, { isActive: false }));
    expectSuccess(await app.api.delete(`/products/${shop.shopId}/${deleted}`, { token: shop.owner.token }));
    expect(await names()).toEqual(['For sale']);
    expectSuccess(await edit(inactive, { isActive: true, name: 'Active again' }));
    expect((await names()).sort()).toEqual(['Active again', 'For sale']);
  });

  it('names no hidden or deleted server, and has no product that is only for such servers', async () => {
    const [open, hidden, gone] = [
      await aServer(app.api, shop),
      await aServer(app.api, shop, { isHidden: true, address: 'secret.example.com' }),
      await aServer(app.api, shop),
    ];
    expectSuccess(await app.api.delete(`/servers/${shop.shopId}/${gone}`, { token: shop.owner.token }));
    await aProduct(app.api, shop, { name: 'all', position: 0 });
    await aProduct(app.api, shop, { name: 'both', position: 1, serverIds: [hidden, open] });
    await aProduct(app.api, shop, { name: 'hidden', serverIds: [hidden] });
    expect((await list()).map(({ name, serverIds }) => [name, serverIds])).toEqual([
      ['all', []],
      ['both', [open]],
    ]);
    const { token } = shop.owner;
    expectSuccess(await app.api.patch(`/servers/${shop.shopId}/${hidden}`, { isHidden: false }, { token }));
    expect((await names()).sort()).toEqual(['all', 'both', 'hidden']);
  });

  it('allows caching, and returns 304 for a matching If-None-Match until something changes', async () => {
    const [id] = [await aProduct(app.api, shop, { stock: 3 }), await aCategory(app.api, shop)];
    for (const path of [products, categories]) {
      const { headers } = await app.api.get(path);
      expect(headers['cache-control']).toBe('public, max-age=15');
      const again = await app.api.get(path, { headers: { 'If-None-Match': String(headers['etag']) } });
      expect([again.status, again.text]).toEqual([304, '']);
    }
    const { headers } = await app.api.get(products);
    expectSuccess(await edit(id, { stock: 2 }));
    const changed = await app.api.get(products, { headers: { 'If-None-Match': String(headers['etag']) } });
    expect(expectSuccess(changed)).toMatchObject([{ stock: 2 }]);
  });

  it('returns 404 for an unknown and for a closed shop, and 400 for a malformed id, limit or cursor', async () => {
    for (const kind of ['products', 'categories']) {
      const path = `/${kind}/public`;
      expectError(await app.api.get(`${path}/${'0'.repeat(24)}`), 404, 'There is no such shop');
      expectError(
        await app.api.get(`${path}/x`),
        400,
        'An identifier in the path is not an ObjectId of 24 hexadecimal digits',
      );
      expectError(await app.api.get(`${path}/${shop.shopId}?limit=101`), 400, 'limit must be between 1 and 100');
      const old = `${path}/${shop.shopId}?cursor=ZWtY0XvP4p0sYV5b`;
      expectError(await app.api.get(old), 400, 'cursor must come from the Link header of a list');
    }
    expectSuccess(await app.api.delete(`/shops/${shop.shopId}`, { token: shop.owner.token }));
    for (const path of [products, categories]) expectError(await app.api.get(path), 404, 'There is no such shop');
  });

  it('counts for a key of the shop that may read products, and otherwise for the address', async () => {
    const policy = async (call: object): Promise<string> =>
      String((await app.api.get(products, call)).headers['ratelimit-policy']);
    const { key } = await aKey(app.api, shop);
    const without = await aKey(app.api, shop, 'secret', ['shops:read']);
    const foreign = await aKey(app.api, await aShop(app.api));
    expect(await policy({ key })).toMatch(/"apiKey".*"shopKeys"/);
    expect(await policy({ key })).not.toContain('publicShop');
    for (const call of [{}, { key: without.key }, { key: foreign.key }, { key: 'shp_wrong' }]) {
      expect(await policy(call)).toMatch(/^"publicShop"/);
    }
  });
});
