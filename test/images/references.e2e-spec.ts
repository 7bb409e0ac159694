import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aCategory, aProduct, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { anImage } from '../support/images.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Schema {
  readonly $ref?: string;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Document {
  readonly paths: Readonly<
    Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const IMAGE_ID = '^[0-9a-f]{64}$';
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

let app: TestApp;
let records: Records;
let shop: TestShop;

/** A record that can refer to images, and how it begins and ends to. */
interface User {
  readonly name: string;
  readonly path: string;
  readonly use: (id: string) => object;
  readonly stop: object;
}

/** By the operation that changes it and the field, as the walk over the API names them. */
let users: Readonly<Record<string, User>>;

beforeAll(async () => {
  app = await startTestApp({ config: { sweepIntervalMs: 100 } });
  records = await recordsOf(app);
  shop = await aShop(app.api);
  const [atShop, product, category] = [
    { name: 'shop', path: `/shops/${shop.shopId}` },
    { name: 'product', path: `/products/${shop.shopId}/${await aProduct(app.api, shop)}` },
    { name: 'category', path: `/categories/${shop.shopId}/${await aCategory(app.api, shop)}` },
  ];
  users = {
    'patch /shops/{shopId} logoId': { ...atShop, use: (logoId) => ({ logoId }), stop: { logoId: null } },
    'patch /shops/{shopId} hero.imageId': {
      ...atShop,
      use: (imageId) => ({ hero: { imageId } }),
      stop: { hero: { imageId: null } },
    },
    'patch /products/{shopId}/{productId} imageIds': {
      ...product,
      use: (id) => ({ imageIds: [id] }),
      stop: { imageIds: [] },
    },
    'patch /categories/{shopId}/{categoryId} imageId': {
      ...category,
      use: (imageId) => ({ imageId }),
      stop: { imageId: null },
    },
  };
});
afterAll(async () => {
  await records.close();
  await app.close();
});

const change = (path: string, body: object) => app.api.patch(path, body, { token: shop.owner.token });
const remove = (id: string) => app.api.delete(`/images/${shop.shopId}/${id}`, { token: shop.owner.token });

/** Every field of a body of a PATCH that takes the id of an image. */
async function fieldsWithImages(): Promise<string[]> {
  const { paths, components } = (await app.api.get('/openapi.json')).body as Document;
  const inSchema = ({ $ref, pattern, items, properties = {}, anyOf = [], allOf = [] }: Schema): string[] => {
    if (pattern === IMAGE_ID) return [''];
    const referred = $ref === undefined ? undefined : components.schemas[$ref.split('/').at(-1) ?? ''];
    const inside = [referred, items, ...anyOf, ...allOf].flatMap((schema) =>
      schema === undefined ? [] : inSchema(schema),
    );
    const named = Object.entries(properties).flatMap(([name, schema]) =>
      inSchema(schema).map((field) => (field === '' ? name : `${name}.${field}`)),
    );
    return [...inside, ...named];
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    inSchema(operations['patch']?.requestBody?.content['application/json']?.schema ?? {}).map(
      (field) => `patch ${path.replace('/api/v2', '')} ${field}`,
    ),
  );
}

describe('Every field of the API that takes the id of an image', () => {
  it('is in the list of this spec, so that none is forgotten', async () => {
    expect((await fieldsWithImages()).sort()).toEqual(Object.keys(users).sort());
  });

  it('keeps the image from removal while a record refers to it, and lets it go afterwards', async () => {
    for (const [field, { name, path, use, stop }] of Object.entries(users)) {
      const id = await anImage(app.api, shop);
      expectSuccess(await change(path, use(id)));
      expectError(await remove(id), 409, `The image is used by a ${name}`);
      expect(await app.api.get(`/images/public/${shop.shopId}/${id}`)).toMatchObject({ status: 200 });
      expectSuccess(await change(path, stop));
      expect({ field, status: (await remove(id)).status }).toEqual({ field, status: 200 });
    }
  });

  it('keeps the image from the job, also after more than a week', async () => {
    const ids: string[] = [];
    for (const { path, use } of Object.values(users)) {
      const id = await anImage(app.api, shop);
      expectSuccess(await change(path, use(id)));
      ids.push(id);
    }
    const unused = await anImage(app.api, shop);
    const due = { $set: { checkAt: LONG_AGO, unusedSince: LONG_AGO } };
    await records.db.collection('images').updateMany({ hash: { $in: [...ids, unused] } }, due);
    await eventually(async () => (await records.db.collection('images').findOne({ hash: unused })) === null);
    await eventually(
      async () =>
        (await records.db.collection('images').countDocuments({ hash: { $in: ids }, unusedSince: null })) ===
        ids.length,
    );
  });

  it('rejects an image that the shop does not have', async () => {
    const foreign = await anImage(app.api, await aShop(app.api));
    for (const { path, use } of Object.values(users)) {
      for (const id of [foreign, 'ab'.repeat(32)]) {
        expectError(await change(path, use(id)), 404, 'There is no such image');
      }
      expectError(await change(path, use('https://example.com/a.png')), 400, /64 hexadecimal digits/);
    }
  });

  it('lets either the removal of an image win or the change that begins to use it', async () => {
    const { path, use, stop } = users['patch /products/{shopId}/{productId} imageIds'] as User;
    for (let round = 0; round < 5; round++) {
      const id = await anImage(app.api, shop);
      const [changed, removed] = await Promise.all([change(path, use(id)), remove(id)]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([changed.status, removed.status]);
      expectSuccess(await change(path, stop));
    }
  });
});

describe('Records from before there were images', () => {
  it('have none', async () => {
    const productId = await aProduct(app.api, shop);
    const categoryId = await aCategory(app.api, shop);
    const { db } = records;
    await db.collection('products').updateOne({ _id: idOf(productId) }, { $unset: { imageIds: 1 } });
    await db.collection('categories').updateOne({ _id: idOf(categoryId) }, { $unset: { imageId: 1 } });
    await db.collection('shops').updateOne({ _id: idOf(shop.shopId) }, { $unset: { logoId: 1, 'hero.imageId': 1 } });
    const token = shop.owner.token;
    const path = `/products/${shop.shopId}/${productId}`;
    expect(expectSuccess(await app.api.get(path, { token }))).toMatchObject({ imageIds: [] });
    expect(expectSuccess(await change(path, { name: 'Renamed' }))).toMatchObject({ imageIds: [] });
    const listed = expectSuccess<object[]>(await app.api.get(`/categories/${shop.shopId}`, { token }));
    expect(listed).toContainEqual(expect.objectContaining({ id: categoryId, imageId: null }));
    const seen = expectSuccess(await app.api.get(`/shops/${shop.shopId}`, { token }));
    expect(seen).toMatchObject({ logoId: null, hero: { imageId: null } });
    const sold = expectSuccess<object[]>(await app.api.get(`/categories/public/${shop.shopId}`));
    expect(sold).toContainEqual(expect.objectContaining({ id: categoryId, imageId: null }));
  });
});
