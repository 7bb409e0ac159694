import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aDiscount, aKey, anOrder, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const CHANGED_SINCE = 'Somebody has changed the record since you read it; read it again';

let app: TestApp;
let shop: TestShop;

beforeAll(async () => {
  app = await startTestApp();
  shop = await aShop(app.api);
});
afterAll(() => app.close());

const etagOf = ({ headers }: Response): string => String(headers['etag']);
/** The part of an `ETag` that `If-Match` compares. */
const versionOf = (response: Response): string => etagOf(response).slice(1).split('.')[0]?.replace(/"$/, '') ?? '';
const get = (path: string, headers = {}): Promise<Response> => app.api.get(path, { token: shop.owner.token, headers });
const change = (path: string, body: object, ifMatch?: string): Promise<Response> =>
  app.api.patch(path, body, { token: shop.owner.token, headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch } });
const remove = (path: string, ifMatch: string): Promise<Response> =>
  app.api.delete(path, { token: shop.owner.token, headers: { 'If-Match': ifMatch } });

interface Kind {
  /** Creates one. Returns the response and the path of the record. */
  readonly create: () => Promise<readonly [Response, string]>;
  readonly change: (name: string) => object;
}

const KINDS: Readonly<Record<string, Kind>> = {
  shop: {
    create: async () => {
      const body = { displayName: 'A', uniqueName: `v-${unique()}`, currency: 'EUR', timezone: 'UTC' };
      const response = await app.api.post('/shops', { ...body, nicknameRule: { preset: 'any' } }, shop.owner);
      return [response, `/shops/${expectSuccess<{ _id: string }>(response)._id}`];
    },
    change: (name) => ({ hero: { title: name } }),
  },
  product: {
    create: async () => {
      const path = `/products/${shop.shopId}`;
      const response = await app.api.post(
        path,
        { name: 'A', price: 5, metadata: [{ name: 'a', value: 'b' }] },
        shop.owner,
      );
      return [response, `${path}/${expectSuccess<{ id: string }>(response).id}`];
    },
    change: (name) => ({ commands: [`say ${name}`] }),
  },
  discount: {
    create: async () => {
      const path = `/discounts/${shop.shopId}`;
      const response = await app.api.post(path, { code: `v-${unique()}`, type: 'percent', value: 5 }, shop.owner);
      return [response, `${path}/${expectSuccess<{ id: string }>(response).id}`];
    },
    change: (name) => ({ code: `${name}-${unique()}` }),
  },
};

describe.each(Object.entries(KINDS))('The version of a %s', (_name, kind) => {
  it('is the same in the responses of POST, GET and PATCH until the record changes', async () => {
    const [created, path] = await kind.create();
    const read = await get(path);
    expect(etagOf(read)).toMatch(/^"[\w-]{22}\.[\w-]{22}"$/);
    expect(versionOf(read)).toBe(versionOf(created));
    const changed = await change(path, kind.change('one'), etagOf(read));
    expectSuccess(changed);
    expect(versionOf(changed)).not.toBe(versionOf(read));
    expect(versionOf(await get(path))).toBe(versionOf(changed));
    expect((await get(path, { 'If-None-Match': etagOf(await get(path)) })).status).toBe(304);
  });

  it('rejects a PATCH and a DELETE of an older version with 412 and the current version, and changes nothing', async () => {
    const [created, path] = await kind.create();
    expectSuccess(await change(path, kind.change('one')));
    const current = await get(path);
    for (const rejected of [
      await change(path, kind.change('two'), etagOf(created)),
      await remove(path, etagOf(created)),
    ]) {
      expectError(rejected, 412, CHANGED_SINCE);
      expect(rejected.headers).toMatchObject({ 'x-error-code': 'version_mismatch', etag: `"${versionOf(current)}"` });
    }
    const after = await get(path);
    expect([after.body, etagOf(after)]).toEqual([current.body, etagOf(current)]);
    expectSuccess(await change(path, kind.change('two'), `"${versionOf(current)}"`));
    expectSuccess(await change(path, kind.change('three'), '*'));
    expectSuccess(await remove(path, `W/"unknown", W/${etagOf(await get(path))}`));
  });

  it('lets one of several editors with the same version save', async () => {
    const [created, path] = await kind.create();
    const saved = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        change(path, kind.change(`editor ${index}`.replace(' ', '-')), etagOf(created)),
      ),
    );
    expect(saved.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
  });

  it('rejects an If-Match that is no ETag', async () => {
    const [, path] = await kind.create();
    const rejected = await change(path, kind.change('one'), 'not-quoted');
    expectError(rejected, 400, 'If-Match must be the ETag of the record in its quotes, or *');
  });
});

describe('The version of a shop', () => {
  it('is another one after each change of its settings', async () => {
    const own = await aShop(app.api);
    const path = `/shops/${own.shopId}`;
    const versions = [versionOf(await app.api.get(path, { token: own.owner.token }))];
    for (const body of [
      { legal: { sellerName: 'Sky Realm GmbH' } },
      { legal: { pages: { terms: { text: 'First', url: null } } } },
      { legal: { pages: { terms: { text: 'Second', url: null } } } },
      { legal: { requiredConsents: ['terms'] } },
      { origins: ['https://preview.sky-realm.example'] },
    ]) {
      const changed = await app.api.patch(path, body, { token: own.owner.token });
      expectSuccess(changed);
      versions.push(versionOf(changed));
    }
    expect(new Set(versions).size).toBe(6);
  });
});

describe('What orders change', () => {
  it('is no new version, and no reason for a 304', async () => {
    const productId = await aProduct(app.api, shop, { stock: 5 });
    const { id, code } = await aDiscount(app.api, shop, { maxUses: 5 });
    const serverId = await aServer(app.api, shop);
    const paths = [`/products/${shop.shopId}/${productId}`, `/discounts/${shop.shopId}/${id}`];
    const before = await Promise.all(paths.map((path) => get(path)));
    await anOrder(app.api, shop.shopId, { productId, serverId, discountCode: code });
    for (const [index, path] of paths.entries()) {
      const old = before[index] as Response;
      const after = await get(path, { 'If-None-Match': etagOf(old) });
      expect(after.status).toBe(200);
      expect(after.body).not.toEqual(old.body);
      expect(versionOf(after)).toBe(versionOf(old));
      expectSuccess(await change(path, { isActive: false }, etagOf(old)));
    }
  });
});

describe('A storefront key', () => {
  it('gets no version, because it cannot change anything', async () => {
    const productId = await aProduct(app.api, shop);
    const { key } = await aKey(app.api, shop, 'storefront');
    for (const path of [`/shops/${shop.shopId}`, `/products/${shop.shopId}/${productId}`]) {
      const response = await app.api.get(path, { key });
      expectSuccess(response);
      expect(response.headers).not.toHaveProperty('etag');
    }
  });
});
