import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  aDiscount,
  aKey,
  aMember,
  anOrder,
  aProduct,
  aServer,
  aShop,
  type TestOrder,
  type TestShop,
} from '../support/actors.js';
import { type Call } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Hits {
  readonly orders: readonly { readonly id: string }[] | null;
  readonly players: readonly { readonly key: string }[] | null;
  readonly products: readonly { readonly id: string }[] | null;
  readonly discounts: readonly { readonly id: string }[] | null;
}

describe('GET /search/{shopId}', () => {
  let app: TestApp;
  let shop: TestShop;
  let order: TestOrder;
  let productId: string;
  let discount: { id: string; code: string };

  beforeAll(async () => {
    app = await startTestApp({ config: { sweepIntervalMs: 20 } });
    shop = await aShop(app.api);
    const serverId = await aServer(app.api, shop);
    productId = await aProduct(app.api, shop, { name: 'Steve_42 statue', slug: 'statue' });
    discount = await aDiscount(app.api, shop, { code: 'STEVE_42OFF' });
    order = await anOrder(app.api, shop.shopId, { productId, serverId });
    const other = await aShop(app.api);
    await anOrder(app.api, other.shopId, {
      productId: await aProduct(app.api, other, { name: 'Steve_42 cape' }),
      serverId: await aServer(app.api, other),
    });
  });
  afterAll(() => app.close());

  const search = async (q: string, credential: Call = { token: shop.owner.token }): Promise<Hits> =>
    expectSuccess<Hits>(
      await app.api.get(`/search/${shop.shopId}?q=${encodeURIComponent(q)}`, credential),
      'Shop searched',
    );

  it('finds orders, players, products and discounts of the shop at once', async () => {
    await eventually(async () => (await search('steve_42')).players?.length === 1);
    expect(await search('steve_42')).toEqual({
      orders: [
        {
          ...{ id: order.id, number: order.number, nickname: 'Steve_42', status: 'open' },
          ...{ paymentStatus: 'pending', deliveryStatus: 'none', total: order.total, currency: 'EUR' },
          createdAt: expect.any(String),
        },
      ],
      players: [
        {
          ...{ key: expect.stringMatching(/^[0-9a-f]{24}$/), nickname: 'Steve_42', paidOrders: 0 },
          ...{ lastOrderAt: expect.any(String), isBanned: false },
        },
      ],
      products: [{ id: productId, name: 'Steve_42 statue', slug: 'statue', isActive: true }],
      discounts: [{ id: discount.id, code: 'STEVE_42OFF', type: 'percent', value: 10, isActive: true }],
    });
  });

  it.each(['number', 'id', 'email'] as const)('finds an order by its %s', async (field) => {
    const { orders } = await search(field === 'number' ? `#${order.number}` : order[field]);
    expect(orders?.map(({ id }) => id)).toEqual([order.id]);
  });

  it('returns null for what a member cannot read', async () => {
    const analyst = await aMember(app, shop, 'analyst');
    const found = await search('steve_42', { token: analyst.token });
    expect([found.orders?.length, found.players?.length, found.products?.length, found.discounts]).toEqual([
      1,
      1,
      1,
      null,
    ]);
    const developer = await aMember(app, shop, 'developer');
    expect((await search('steve_42', { token: developer.token })).discounts).toBeNull();
  });

  it('finds nothing by an address for a plugin key', async () => {
    const { key } = await aKey(app.api, shop, 'plugin', ['orders:read']);
    expect(await search(order.email, { key })).toEqual({ orders: [], players: [], products: null, discounts: null });
  });

  it('takes the characters of patterns as they are', async () => {
    for (const q of ['.*', '$ne', 'st.*ve', '\\']) {
      expect(await search(q)).toEqual({ orders: [], players: [], products: [], discounts: [] });
    }
  });

  it('rejects a search without a text, and one of another shop', async () => {
    const { token } = shop.owner;
    expectError(await app.api.get(`/search/${shop.shopId}`, { token }), 400, /^q is required/);
    expectError(await app.api.get(`/search/${shop.shopId}?q=`, { token }), 400, /^q must have/);
    const { shopId } = await aShop(app.api);
    expectError(await app.api.get(`/search/${shopId}?q=steve`, { token }), 403, /./);
  });
});
