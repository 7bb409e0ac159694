import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import {
  aCategory,
  aDiscount,
  aKey,
  anOrder,
  aProduct,
  aServer,
  aShop,
  type TestShop,
  unique,
} from '../support/actors.js';
import { type Method } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Each is in a record of the shop that the public must not see. */
const SECRETS = {
  command: 'secretcommand',
  takeBack: 'secrettakeback',
  expiry: 'secretexpiry',
  address: 'secret-address.example.com',
  hiddenServer: 'Secret staff server',
  inactive: 'Secret inactive product',
  archived: 'Secret deleted product',
  onlyHidden: 'Secret product of the staff server',
  code: `SECRET${unique().toUpperCase()}`,
  buyer: `secret-buyer-${unique()}@example.com`,
  domain: `secret-${unique()}.example.com`,
};

describe('A storefront key, which everybody can read in a browser', () => {
  let app: TestApp;
  let shop: TestShop;
  let key: string;
  let operations: (readonly [Method, string])[];
  let ids: Record<string, string>;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    const { shopId, owner } = shop;
    const { token } = owner;
    key = (await aKey(app.api, shop, 'storefront')).key;
    const open = await aServer(app.api, shop, { address: 'play.example.com' });
    const staffOnly = { name: SECRETS.hiddenServer, address: SECRETS.address, isHidden: true };
    const hidden = await aServer(app.api, shop, staffOnly);
    const commands = {
      commands: [`${SECRETS.command} {nickname}`],
      takeBackCommands: [`${SECRETS.takeBack} {nickname}`],
      expiryCommands: [`${SECRETS.expiry} {nickname}`],
      durationDays: 30,
    };
    const categoryId = await aCategory(app.api, shop);
    const productId = await aProduct(app.api, shop, { ...commands, categoryId, serverIds: [open, hidden] });
    const inactiveId = await aProduct(app.api, shop, { ...commands, name: SECRETS.inactive, isActive: false });
    const staffProductId = await aProduct(app.api, shop, { name: SECRETS.onlyHidden, serverIds: [hidden] });
    const archivedId = await aProduct(app.api, shop, { name: SECRETS.archived });
    expectSuccess(await app.api.delete(`/products/${shopId}/${archivedId}`, { token }));
    const discount = await aDiscount(app.api, shop, { code: SECRETS.code });
    const order = await anOrder(app.api, shopId, { productId, serverId: open, email: SECRETS.buyer });
    expectSuccess(await app.api.put(`/shops/${shopId}/domain`, { hostname: SECRETS.domain }, { token }));
    ids = {
      ...{ shopId, productId, categoryId, serverId: open, discountId: discount.id, orderId: order.id },
      ...{ hidden, inactiveId, archivedId, staffProductId },
    };
    const { paths } = (await app.api.get('/openapi.json')).body as { paths: Record<string, Record<string, object>> };
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method as Method, path.replace('/api/v2', '')] as const),
    );
  });
  afterAll(() => app.close());

  const call = (method: Method, path: string): Promise<Response> => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '0'.repeat(24));
    const body = path.endsWith('/validate') ? { code: 'UNKNOWN', orderValue: 10 } : {};
    return app.api.call(method, filled, { key, ...(method === 'get' ? {} : { body }) });
  };
  /** The names of the secrets in a response: in its body and its headers. */
  const secretsIn = ({ text, headers }: Response): string[] => {
    const sent = text + JSON.stringify(headers);
    const secrets = { ...SECRETS, owner: shop.owner.email, hidden: ids['hidden'] ?? '' };
    return Object.entries(secrets)
      .filter(([, secret]) => sent.includes(secret))
      .map(([name]) => name);
  };

  it('gets no secret of the shop from any operation', async () => {
    const found: unknown[] = [];
    const allowed: string[] = [];
    for (const [method, path] of operations) {
      const response = await call(method, path);
      const secrets = secretsIn(response);
      if (secrets.length > 0) found.push([method, path, secrets]);
      if (response.status === 200 && !/public|health|auth/.test(path)) allowed.push(`${method} ${path}`);
    }
    expect(found).toEqual([]);
    // These responses really contain records.
    expect(allowed.sort()).toEqual([
      'get /categories/{shopId}',
      'get /meta',
      'get /products/{shopId}',
      'get /products/{shopId}/{productId}',
      'get /servers/{shopId}',
      'get /servers/{shopId}/{serverId}',
      'get /shops/{shopId}',
      'get /shops/{shopId}/team/me',
      'post /discounts/{shopId}/validate',
    ]);
  });

  it('shows a storefront key less than the owner, to whom the same lists show the secrets', async () => {
    const { token } = shop.owner;
    const texts = await Promise.all(
      ['products', 'servers', 'discounts', 'shops'].map(async (kind) => {
        return (await app.api.get(`/${kind}/${shop.shopId}`, { token })).text;
      }),
    );
    const { archived: _archived, buyer: _buyer, ...listed } = SECRETS;
    for (const secret of Object.values(listed)) expect(texts.join()).toContain(secret);
  });

  it('reads the public view: the product without its commands and hidden servers, the server without its address', async () => {
    const { shopId, productId, serverId, categoryId } = ids;
    const product = {
      id: productId,
      name: 'VIP rank',
      slug: null,
      summary: null,
      description: '',
      descriptionHtml: '',
      label: null,
      metadata: [],
      featured: false,
      price: 9.99,
      regularPrice: 9.99,
      priorPrice: null,
      sale: null,
      compareAtPrice: null,
      currency: 'EUR',
      imageUrls: [],
      imageIds: [],
      categoryId,
      position: 0,
      stock: null,
      maxPerOrder: null,
      maxPerBuyer: null,
      serverIds: [serverId],
      durationDays: 30,
      requiresOnline: false,
      availability: 'available',
      availableFrom: null,
      availableUntil: null,
      tier: null,
      requires: null,
      excludedBy: [],
      limits: [],
    };
    const server = { id: serverId, name: 'Survival', game: 'minecraft' };
    expect(expectSuccess(await call('get', '/products/{shopId}'))).toEqual([product]);
    expect(expectSuccess(await call('get', '/products/{shopId}/{productId}'))).toEqual(product);
    expect(expectSuccess(await call('get', '/servers/{shopId}'))).toEqual([server]);
    expect(expectSuccess(await call('get', '/servers/{shopId}/{serverId}'))).toEqual(server);
    const shown = expectSuccess(await call('get', '/shops/{shopId}'));
    expect(shown).toMatchObject({ _id: shopId, uniqueName: shop.uniqueName, isActive: true });
    expect(shown).not.toHaveProperty('domain');
  });

  it.each([
    ['an inactive product', '/products/{shopId}/{inactiveId}', 'There is no such product'],
    ['a deleted product', '/products/{shopId}/{archivedId}', 'There is no such product'],
    ['a product of hidden servers', '/products/{shopId}/{staffProductId}', 'There is no such product'],
    ['a hidden server', '/servers/{shopId}/{hidden}', 'There is no such server'],
  ])('gets 404 for %s', async (_, path, error) => {
    expectError(await call('get', path), 404, error);
  });

  it('lets a storefront key validate a code, and neither list nor read discounts', async () => {
    const body = { code: SECRETS.code, orderValue: 10 };
    const response = await app.api.post(`/discounts/${shop.shopId}/validate`, body, { key });
    expect(expectSuccess(response)).toMatchObject({ valid: true, finalValue: 9 });
    for (const path of ['/discounts/{shopId}', '/discounts/{shopId}/{discountId}']) {
      expectError(await call('get', path), 403, 'The credential lacks the permission discounts:read');
    }
  });

  it('gets 404 for everything of a closed shop', async () => {
    const own = await aShop(app.api);
    const published = await aKey(app.api, own, 'storefront');
    await aProduct(app.api, own);
    expectSuccess(await app.api.delete(`/shops/${own.shopId}`, { token: own.owner.token }));
    for (const kind of ['shops', 'products', 'servers', 'categories']) {
      expectError(await app.api.get(`/${kind}/${own.shopId}`, { key: published.key }), 404, 'There is no such shop');
    }
  });
});
