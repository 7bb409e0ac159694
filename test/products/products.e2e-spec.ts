import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aCategory, aKey, aMember, anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { type Call } from '../support/client.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('Products', () => {
  let app: TestApp;
  let shop: TestShop;
  let key: string;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api, { priceRule: 'none' });
    key = (await aKey(app.api, shop)).key;
  });
  afterAll(() => app.close());

  describe('POST /products/{shopId}', () => {
    const create = (body: unknown): Promise<Response> => app.api.post(`/products/${shop.shopId}`, body, { key });

    it('creates a product with every field that was sent', async () => {
      const serverId = await aServer(app.api, shop);
      const product = {
        name: 'VIP rank',
        slug: 'vip-rank',
        summary: 'A golden name',
        label: 'Popular',
        metadata: [
          { name: 'Homes', value: '5' },
          { name: 'Flight', value: 'yes' },
        ],
        featured: true,
        description: 'A **golden** name\nfor [30 days](https://example.com) <b>',
        price: 49.99,
        compareAtPrice: 59.99,
        imageUrls: ['https://cdn.example.com/vip.png', 'https://cdn.example.com/vip-2.png'],
        imageIds: [],
        categoryId: await aCategory(app.api, shop),
        position: 2,
        stock: 0,
        maxPerOrder: 5,
        maxPerBuyer: 10,
        serverIds: [serverId],
        commands: [
          'lp user {nickname} parent add vip',
          'broadcast {nickname} bought {quantity} in {orderId} as {uuid}',
        ],
        extendCommands: ['say {nickname} stays VIP'],
        upgradeCommands: ['say {nickname} rises'],
        takeBackCommands: ['lp user {nickname} parent remove vip'],
        expiryCommands: ['lp user {nickname} parent remove vip', 'say {nickname} is no VIP any more'],
        durationDays: 30,
        repeat: 'extend',
        countsAs: await aProduct(app.api, shop),
        ownedEverywhere: true,
        requiresOnline: true,
        restockOnRefund: true,
        isActive: false,
        availableFrom: '2026-12-01T00:00:00.000Z',
        availableUntil: '2026-12-24T00:00:00.000Z',
        showBefore: true,
        limits: [
          { of: 'player', max: 3, window: { calendar: 'week' } },
          { of: 'buyer', max: 9, window: { days: 30 } },
          { of: 'buyer', max: 90, window: null },
        ],
        requires: { mode: 'any', productIds: [await aProduct(app.api, shop)] },
        excludedBy: [await aProduct(app.api, shop)],
      };
      expect(expectSuccess(await create(product), 'Product created')).toEqual({
        id: anId,
        ...product,
        descriptionHtml:
          '<p>A <strong>golden</strong> name<br>\n' +
          'for <a href="https://example.com" rel="nofollow noopener">30 days</a> &lt;b&gt;</p>',
        currency: 'EUR',
        createdAt: anInstant,
        warnings: [],
      });
    });

    it('requires only a name and a price', async () => {
      expect(expectSuccess(await create({ name: 'Thanks', price: 0 }))).toEqual({
        id: anId,
        name: 'Thanks',
        slug: null,
        summary: null,
        description: '',
        descriptionHtml: '',
        label: null,
        metadata: [],
        featured: false,
        price: 0,
        compareAtPrice: null,
        currency: 'EUR',
        imageUrls: [],
        imageIds: [],
        categoryId: null,
        position: 0,
        stock: null,
        maxPerOrder: null,
        maxPerBuyer: null,
        serverIds: [],
        commands: [],
        extendCommands: [],
        upgradeCommands: [],
        takeBackCommands: [],
        expiryCommands: [],
        durationDays: null,
        repeat: null,
        countsAs: null,
        ownedEverywhere: false,
        requiresOnline: false,
        restockOnRefund: false,
        isActive: true,
        availableFrom: null,
        availableUntil: null,
        showBefore: false,
        limits: [],
        requires: null,
        excludedBy: [],
        createdAt: anInstant,
        warnings: [expect.objectContaining({ code: 'no_commands', field: 'commands' })],
      });
    });

    it('warns of commands as they are typed in the chat, of placeholders of other systems and of a product without commands, also after a change', async () => {
      const slash = (field: string): unknown => expect.objectContaining({ code: 'leading_slash', field });
      const created = expectSuccess<{ id: string }>(
        await create({ name: 'A', price: 1, commands: ['/give {nickname} a'] }),
      );
      expect(created).toMatchObject({ warnings: [slash('commands.0')] });
      const change = (body: object): Promise<Response> =>
        app.api.patch(`/products/${shop.shopId}/${created.id}`, body, { key });
      const twice = { commands: ['say hi', '/give {nickname} a'], takeBackCommands: ['/clear {nickname}'] };
      expect(expectSuccess(await change(twice))).toMatchObject({
        warnings: [slash('commands.1'), slash('takeBackCommands.0')],
      });
      const none = expectSuccess(await change({ commands: [], takeBackCommands: [] }));
      expect(none).toMatchObject({ warnings: [expect.objectContaining({ code: 'no_commands' })] });
      expect(expectSuccess(await change({ commands: ['say hi'] }))).toMatchObject({ warnings: [] });
      const foreign = expect.objectContaining({ code: 'unknown_placeholder', field: 'commands.0' }) as unknown;
      expect(expectSuccess(await change({ commands: ['give %player% {player.name}'] }))).toMatchObject({
        warnings: [foreign],
      });
    });

    it.each([
      [{}, 'name is required, for example "VIP rank"; price is required, for example 9.99'],
      [{ name: 'A', price: -0.01 }, 'price must be at least 0'],
      [{ name: 'A', price: 1.005 }, 'price has more decimals than EUR allows'],
      [{ name: 'A', price: 1e-7 }, 'price has more decimals than EUR allows'],
      [{ name: 'A', price: 1e10 }, 'price must be at most 1000000000'],
      [{ name: 'A', price: '9.99' }, 'price must be a number'],
      [{ name: 'A', price: null }, 'price must be a number'],
      [{ name: 'A', price: 1, imageUrls: ['http://a.example/a.png'] }, 'imageUrls must contain only https URLs'],
      [{ name: 'A', price: 1, imageUrls: ['javascript:alert(1)'] }, 'imageUrls must contain only https URLs'],
      [
        { name: 'A', price: 1, imageUrls: Array(11).fill('https://a.example') },
        'imageUrls must have at most 10 entries',
      ],
      [{ name: 'A', price: 1, imageUrl: 'https://a.example/a.png' }, 'imageUrl is not a known field'],
      [{ name: 'A', price: 1, compareAtPrice: 1 }, 'compareAtPrice must be above price'],
      [{ name: 'A', price: 1, compareAtPrice: 1.005 }, 'compareAtPrice has more decimals than EUR allows'],
      [{ name: 'A', price: 1, stock: -1 }, 'stock must be between 0 and 1000000000'],
      [{ name: 'A', price: 1, stock: 1.5 }, 'stock must be a whole number'],
      [{ name: 'A', price: 1, maxPerOrder: 0 }, 'maxPerOrder must be between 1 and 1000000000'],
      [{ name: 'A', price: 1, maxPerBuyer: 0 }, 'maxPerBuyer must be between 1 and 1000000000'],
      [{ name: 'A', price: 1, position: null }, 'position must be a whole number'],
      ...['VIP', 'vip rank', '-vip', 'vip--rank', 'vip/rank', 'a'.repeat(81)].map(
        (slug) => [{ name: 'A', price: 1, slug }, /^slug must (be lower-case letters|have 1 to 80)/] as const,
      ),
      [{ name: 'A', price: 1, durationDays: 30 }, 'durationDays needs expiryCommands'],
      [{ name: 'A', price: 1, expiryCommands: ['say hi'] }, 'expiryCommands need durationDays'],
      [{ name: 'A', price: 1, expiryCommands: ['say hi'], durationDays: 0 }, 'durationDays must be between 1 and 3650'],
      [
        { name: 'A', price: 1, expiryCommands: ['op x{nickname}'], takeBackCommands: [''], durationDays: 1 },
        /^takeBackCommands.0: must not be empty; expiryCommands.0: \{nickname\} must be an argument of its own/,
      ],
      [{ name: 'A', price: 1, takeBackCommands: Array(21).fill('a') }, 'takeBackCommands must have at most 20 entries'],
      [{ name: 'A', price: 1, serverIds: ['x'] }, /^serverIds must contain ObjectIds/],
      [{ name: 'A', price: 1, serverIds: 'x' }, 'serverIds must be a list'],
      [{ name: 'A', price: 1, serverIds: [{ $ne: null }] }, 'serverIds must contain only strings'],
      [{ name: 'A', price: 1, commands: 'op me' }, 'commands must be a list'],
      [{ name: 'A', price: 1, commands: [['op me']] }, 'commands must contain only strings'],
      [{ name: 'A', price: 1, commands: ['say hi\nop me'] }, 'commands must not contain control characters'],
      [{ name: 'A', price: 1, commands: ['a'.repeat(501)] }, 'commands must contain strings of at most 500 characters'],
      [{ name: 'A', price: 1, commands: Array(21).fill('a') }, 'commands must have at most 20 entries'],
      [
        { name: 'A', price: 1.001, commands: ['say hi', 'lp user x{nickname} info', '{nickname} hi'] },
        'price has more decimals than EUR allows; commands.1: {nickname} must be an argument of its own: with a space, or ' +
          'a double quote, directly on both sides; commands.2: {nickname} must not be the command itself',
      ],
      [{ name: 'A', price: 1, shopId: '0'.repeat(24) }, 'shopId is not a known field'],
    ])('returns 400 for the product %j', async (body, error) => {
      expectError(await create(body), 400, error);
    });

    it('returns 404 for a server that is unknown or of another shop', async () => {
      const foreign = await aServer(app.api, await aShop(app.api));
      for (const id of ['0'.repeat(24), foreign]) {
        expectError(await create({ name: 'A', price: 1, serverIds: [id] }), 404, 'There is no such server');
      }
    });

    it('allows as many decimals as the currency of the shop has', async () => {
      for (const [currency, good, bad] of [
        ['JPY', 150, 1.5],
        ['KWD', 1.005, 1.0005],
      ] as const) {
        const own = await aShop(app.api, { currency });
        const put = (price: number): Promise<Response> =>
          app.api.post(`/products/${own.shopId}`, { name: 'A', price }, { token: own.owner.token });
        expect(expectSuccess(await put(good))).toMatchObject({ price: good, currency });
        expectError(await put(bad), 400, `price has more decimals than ${currency} allows`);
      }
    });

    it('returns 403 for a caller who may only read', async () => {
      const support = await aMember(app, shop, 'support');
      const response = await app.api.post(`/products/${shop.shopId}`, {}, { token: support.token });
      expectError(response, 403, 'The credential lacks the permission products:write');
    });
  });

  describe('GET /products/{shopId}', () => {
    it("lists the shop's own products, newest first, page by page", async () => {
      const own = await aShop(app.api);
      const ids: string[] = [];
      for (const name of ['A', 'B', 'C']) ids.unshift(await aProduct(app.api, own, { name }));
      const { token } = own.owner;
      const seen: string[] = [];
      let next: string | undefined = `/products/${own.shopId}?limit=1`;
      for (let pages = 0; next !== undefined; pages++) {
        expect(pages).toBeLessThan(3);
        const response: Response = await app.api.get(next, { token });
        seen.push(...expectSuccess<{ id: string }[]>(response, 'Products retrieved').map(({ id }) => id));
        next = /^<\/api\/v2(.+)>; rel="next"$/.exec(String(response.headers['link']))?.[1];
      }
      expect(seen).toEqual(ids);
    });

    it('finds products by words and filters, for a storefront key among what is for sale', async () => {
      const own = await aShop(app.api);
      const rank = await aProduct(app.api, own, { name: 'VIP rank', slug: 'gold' });
      const hidden = await aProduct(app.api, own, { name: 'VIP rank II', isActive: false });
      const crate = await aProduct(app.api, own, { name: 'Crate' });
      const { token } = own.owner;
      const storefront = (await aKey(app.api, own, 'storefront')).key;
      const found = async (query: string, call: Call): Promise<unknown[]> => {
        const response = await app.api.get(`/products/${own.shopId}?${query}`, call);
        const ids = expectSuccess<{ id: string }[]>(response).map(({ id }) => id);
        return [...ids, response.headers['x-total-count']];
      };
      expect(await found('q=rank%20vip', { token })).toEqual([hidden, rank, '2']);
      expect(await found('q=vip&isActive=true', { token })).toEqual([rank, '1']);
      expect(await found('sort=oldest', { token })).toEqual([rank, hidden, crate, '3']);
      expect(await found('q=rank%20vip', { key: storefront })).toEqual([rank, '1']);
      expect(await found('sort=oldest', { key: storefront })).toEqual([rank, crate, '2']);
      expect(await found('isActive=false', { key: storefront })).toEqual(['0']);
    });

    it('returns 403 for the products of another shop', async () => {
      const other = await aShop(app.api);
      expectError(await app.api.get(`/products/${other.shopId}`, { key }), 403, /no access to this shop$/);
    });
  });

  describe('GET, PATCH and DELETE /products/{shopId}/{productId}', () => {
    const path = (id: string): string => `/products/${shop.shopId}/${id}`;
    const read = async (id: string) => expectSuccess(await app.api.get(path(id), { key }), 'Product retrieved');

    it('changes what is sent, clears what is null and keeps what is absent', async () => {
      const serverId = await aServer(app.api, shop);
      const sent = { imageUrls: ['https://cdn.example.com/vip.png'], slug: 'to-clear', stock: 5, compareAtPrice: 30 };
      const id = await aProduct(app.api, shop, sent);
      const before = await read(id);
      const change = {
        price: 19.99,
        slug: null,
        stock: null,
        compareAtPrice: null,
        imageUrls: [],
        serverIds: [serverId],
        commands: ['say {nickname} is VIP'],
      };
      const after = { ...before, ...change };
      const changed = expectSuccess(await app.api.patch(path(id), change, { key }), 'Product updated');
      expect(changed).toEqual({ ...after, warnings: [] });
      expect(await read(id)).toEqual(after);
      const [entry] = expectSuccess<object[]>(
        await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { token: shop.owner.token }),
      );
      expect(entry).toMatchObject({
        action: 'product.updated',
        subjectId: id,
        changes: expect.arrayContaining([{ field: 'price', before: '9.99', after: '19.99' }]) as unknown,
      });
    });

    it('reorders and hides several products at once, all of them or none', async () => {
      const ids = [await aProduct(app.api, shop), await aProduct(app.api, shop), await aProduct(app.api, shop)];
      const [first, second, third] = ids;
      const arrange = (products: readonly object[]): Promise<Response> =>
        app.api.patch(`/products/${shop.shopId}`, { products }, { key });
      const places = async (): Promise<unknown[]> =>
        Promise.all(
          ids.map(async (id) => {
            const found = await app.api.get(`/products/${shop.shopId}/${id}`, { key });
            const { position, isActive } = expectSuccess<{ position: number; isActive: boolean }>(found);
            return [position, isActive];
          }),
        );
      const changes = [
        { productId: first, position: 30 },
        { productId: second, position: 20, isActive: false },
        { productId: third, isActive: true },
      ];
      expect(expectSuccess(await arrange(changes), 'Products arranged')).toEqual({ changed: 2 });
      const arranged = [
        [30, true],
        [20, false],
        [0, true],
      ];
      expect(await places()).toEqual(arranged);
      const elsewhere = await aProduct(app.api, await aShop(app.api));
      const missing = [
        { productId: first, position: 1 },
        { productId: elsewhere, position: 2 },
      ];
      expectError(await arrange(missing), 404, 'There is no such product');
      expectError(await arrange([{ productId: first }]), 400, /at least one/);
      expectError(await arrange([...changes, { productId: first, position: 1 }]), 400, /must not repeat/);
      expect(await places()).toEqual(arranged);
    });

    it('keeps the price and the commands of an existing order', async () => {
      const [serverId, id] = [await aServer(app.api, shop), await aProduct(app.api, shop)];
      const order = await anOrder(app.api, shop.shopId, { productId: id, serverId });
      expectSuccess(await app.api.patch(path(id), { name: 'New', price: 99 }, { key }));
      expectSuccess(await app.api.delete(path(id), { key }));
      const response = await app.api.get(`/orders/public/${order.id}`, {
        headers: { 'X-Order-Token': order.accessToken },
      });
      expect(expectSuccess(response)).toMatchObject({ total: 9.99, items: [{ name: 'VIP rank', unitPrice: 9.99 }] });
    });

    it.each([
      [{}, 'Send at least one field to change'],
      [{ name: null }, 'name must be a string'],
      [{ price: null }, 'price must be a number'],
      [{ price: 1.005 }, 'price has more decimals than EUR allows'],
      [{ price: 20, compareAtPrice: 15 }, 'compareAtPrice must be above price'],
      [{ durationDays: 30 }, 'durationDays needs expiryCommands'],
      [{ imageUrls: null }, 'imageUrls must be a list'],
      [{ commands: ['op x{nickname}'] }, /^commands.0: \{nickname\} must be an argument of its own/],
      [{ isActive: null }, 'isActive must be true or false'],
      [{ currency: 'USD' }, 'currency is not a known field'],
      [{ archivedAt: null }, 'archivedAt is not a known field'],
    ])('returns 400 for the change %j, and the product stays as it is', async (change, error) => {
      const id = await aProduct(app.api, shop);
      const before = await read(id);
      expectError(await app.api.patch(path(id), change, { key }), 400, error);
      expect(await read(id)).toEqual(before);
    });

    it('checks a change together with what stays', async () => {
      const fields = { compareAtPrice: 15, expiryCommands: ['say over'], durationDays: 30 };
      const id = await aProduct(app.api, shop, fields);
      expectError(await app.api.patch(path(id), { price: 15 }, { key }), 400, 'compareAtPrice must be above price');
      expectError(
        await app.api.patch(path(id), { expiryCommands: [], extendCommands: [] }, { key }),
        400,
        'durationDays needs expiryCommands',
      );
      const cleared = { expiryCommands: [], durationDays: null };
      expect(expectSuccess(await app.api.patch(path(id), cleared, { key }))).toMatchObject(cleared);
    });

    it('returns 404 for a server of another shop', async () => {
      const id = await aProduct(app.api, shop);
      const foreign = await aServer(app.api, await aShop(app.api));
      expectError(await app.api.patch(path(id), { serverIds: [foreign] }, { key }), 404, 'There is no such server');
    });

    it('stops the sale of a deleted product, which statistics still include', async () => {
      const [serverId, id] = [await aServer(app.api, shop), await aProduct(app.api, shop)];
      const before = await read(id);
      expect(expectSuccess(await app.api.delete(path(id), { key }), 'Product deleted')).toEqual(before);
      for (const response of [
        await app.api.get(path(id), { key }),
        await app.api.patch(path(id), { name: 'New' }, { key }),
        await app.api.delete(path(id), { key }),
        await app.api.post(
          `/discounts/${shop.shopId}`,
          { code: 'GONE', type: 'percent', value: 1, productIds: [id] },
          { key },
        ),
      ]) {
        expectError(response, 404, 'There is no such product');
      }
      const order = { items: [{ productId: id, quantity: 1 }], serverId, nickname: 'Steve_42', email: 'a@example.com' };
      const checkout = await app.api.post(`/checkout/${shop.shopId}/orders`, order);
      expectError(checkout, 400, `Product ${id} is not for sale here`);
      const list = expectSuccess<{ id: string }[]>(await app.api.get(`/products/${shop.shopId}`, { key }));
      expect(list.map((product) => product.id)).not.toContain(id);
      expectSuccess(await app.api.get(`/stats/${shop.shopId}/comparison?productId=${id}`, { key }));
    });
  });
});
