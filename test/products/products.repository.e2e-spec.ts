import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { NO_TERMS } from '../../src/catalogue/products/selling-terms.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { type Product, type ProductValues } from '../../src/catalogue/products/product.types.js';
import { type ProductsRepository } from '../../src/catalogue/products/products.repository.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { type TestStore } from '../support/store.js';
import { openProducts, valuesWith } from './stored-products.js';

const [SERVER, OTHER_SERVER] = ['655f1c2ab1e4a9d3f0c81260', '655f1c2ab1e4a9d3f0c81261'] as const;
const PAGE = { after: null, limit: 50 };

let store: TestStore;
let products: ProductsRepository;

beforeAll(async () => {
  ({ store, products } = await openProducts());
});
beforeEach(() => store.connection.collection('products').deleteMany({}));
afterAll(() => store.close());

const insert = (fields: Partial<Product> = {}, shopId = SHOP): Promise<Product> =>
  store.commit((transaction) => products.insert(shopId, valuesWith(fields), transaction));

describe('insert', () => {
  it('stores ids as ObjectIds and returns the stored product, also an empty description', async () => {
    const fields = { serverIds: [SERVER], commandListId: SERVER, imageUrls: ['https://cdn.example.com/vip.png'] };
    const created = await insert(fields);
    expect(created).toEqual({ id: created.id, shopId: SHOP, ...valuesWith(fields) });
    const record = await store.connection.collection('products').findOne({ _id: new Types.ObjectId(created.id) });
    const server = new Types.ObjectId(SERVER);
    expect(record).toMatchObject({ shopId: new Types.ObjectId(SHOP), serverIds: [server], commandListId: server });
    expect(await products.find(SHOP, created.id, null)).toEqual(created);
  });

  it('inserts nothing when the transaction is rolled back', async () => {
    await store.rollBack((transaction) => products.insert(SHOP, valuesWith(), transaction));
    expect((await products.list(SHOP, null, {}, PAGE)).items).toEqual([]);
  });
});

const CHANGE: ProductValues = {
  name: 'New',
  slug: 'new',
  summary: 'Short',
  description: 'Changed',
  label: 'Popular',
  metadata: [{ name: 'Homes', value: '5' }],
  featured: true,
  priceMinor: 1,
  compareAtPriceMinor: 2,
  imageUrls: ['https://cdn.example.com/new.png'],
  imageIds: ['ab'.repeat(32)],
  categoryId: OTHER_SERVER,
  position: 3,
  stock: 4,
  maxPerOrder: 5,
  maxPerBuyer: 6,
  serverIds: [OTHER_SERVER],
  commandListId: SERVER,
  durationDays: 7,
  repeat: 'extend',
  countsAs: OTHER_SERVER,
  ownedEverywhere: true,
  requiresOnline: true,
  restockOnRefund: true,
  isActive: false,
  availableFrom: new Date('2026-12-01T00:00:00.000Z'),
  availableUntil: new Date('2026-12-24T00:00:00.000Z'),
  showBefore: true,
  limits: [
    { of: 'buyer', max: 3, window: { days: 7 } },
    { of: 'player', max: 1, window: null },
  ],
  requires: { mode: 'any', productIds: [SERVER, OTHER_SERVER] },
  excludedBy: [OTHER_SERVER],
};

describe('find', () => {
  it('finds a product that was stored before products had terms, images and restockOnRefund with none of them', async () => {
    const own = await insert();
    const absent = Object.fromEntries(
      [...Object.keys(NO_TERMS), 'imageIds', 'restockOnRefund'].map((field) => [field, '']),
    );
    const collection = store.connection.collection('products');
    await collection.updateOne({ _id: new Types.ObjectId(own.id) }, { $unset: absent });
    expect(await products.find(SHOP, own.id, null)).toEqual(own);
    const [sold] = await store.commit((transaction) => products.listSold(SHOP, transaction));
    expect(sold).toMatchObject(NO_TERMS);
  });

  it('finds a product of the shop only', async () => {
    const own = await insert();
    expect(await products.find(SHOP, own.id, null)).toEqual(own);
    expect(await products.find(OTHER_SHOP, own.id, null)).toBeNull();
  });
});

describe('update', () => {
  it('changes one product of the shop only', async () => {
    const [own, other] = [await insert(), await insert()];
    const update = (shopId: string): Promise<Product | null> =>
      store.commit((transaction) => products.update(shopId, own.id, CHANGE, transaction));
    expect(await update(OTHER_SHOP)).toBeNull();
    expect(await products.find(SHOP, own.id, null)).toEqual(own);
    expect(await update(SHOP)).toEqual({ ...own, ...CHANGE });
    expect(await products.find(SHOP, own.id, null)).toEqual({ ...own, ...CHANGE });
    expect(await products.find(SHOP, other.id, null)).toEqual(other);
  });

  it('updates nothing when the transaction is rolled back', async () => {
    const own = await insert();
    await store.rollBack((transaction) => products.update(SHOP, own.id, CHANGE, transaction));
    expect(await products.find(SHOP, own.id, null)).toEqual(own);
  });
});

describe('archive', () => {
  const AT = new Date('2026-11-21T13:00:00.000Z');

  it('hides a deleted product of the shop from every method but `exists`', async () => {
    const [own, other] = [await insert(), await insert()];
    const archive = (shopId: string): Promise<Product | null> =>
      store.commit((transaction) => products.archive(shopId, own.id, AT, transaction));
    expect(await archive(OTHER_SHOP)).toBeNull();
    expect(await archive(SHOP)).toEqual(own);
    expect(await archive(SHOP)).toBeNull();
    expect((await products.list(SHOP, null, {}, PAGE)).items).toEqual([other]);
    expect((await products.list(SHOP, new Set([SERVER]), {}, PAGE)).items).toEqual([other]);
    expect(await products.find(SHOP, own.id, null)).toBeNull();
    expect(await products.countKnown(SHOP, [own.id], null)).toBe(0);
    expect(await products.countKnown(SHOP, [own.id, other.id], null)).toBe(1);
    const [counted, updated] = await store.commit(async (transaction) => [
      await products.countAll(SHOP, 5, transaction),
      await products.update(SHOP, own.id, CHANGE, transaction),
    ]);
    expect([counted, updated]).toEqual([1, null]);
    expect(await products.exists(SHOP, own.id)).toBe(true);
    expect(await products.exists(OTHER_SHOP, own.id)).toBe(false);
    expect(await products.exists(SHOP, '0'.repeat(24))).toBe(false);
  });

  it('archives nothing when the transaction is rolled back', async () => {
    const own = await insert();
    await store.rollBack((transaction) => products.archive(SHOP, own.id, AT, transaction));
    expect(await products.find(SHOP, own.id, null)).toEqual(own);
  });
});

describe('slug', () => {
  const SLUG = { slug: 'vip' };
  const TAKEN = { code: 'product_slug_taken' };

  it('keeps a slug unique in the shop; any number of products has none', async () => {
    const own = await insert(SLUG);
    await insert(SLUG, OTHER_SHOP);
    await expect(insert(SLUG)).rejects.toMatchObject(TAKEN);
    await Promise.all([insert(), insert()]);
    const other = await insert({ slug: 'vip-2' });
    const update = (id: string): Promise<Product | null> =>
      store.commit((transaction) => products.update(SHOP, id, { ...CHANGE, ...SLUG }, transaction));
    await expect(update(other.id)).rejects.toMatchObject(TAKEN);
    expect(await update(own.id)).toMatchObject(SLUG);
  });

  it('frees the slug of a deleted product, which is returned with it', async () => {
    const own = await insert(SLUG);
    expect(await store.commit((transaction) => products.archive(SHOP, own.id, new Date(), transaction))).toEqual(own);
    expect(await insert(SLUG)).toMatchObject(SLUG);
  });
});

describe('clearCategory', () => {
  const CATEGORY = { categoryId: SERVER };

  it('takes the products of the category of this shop out of it', async () => {
    const [own, other, foreign] = [
      await insert(CATEGORY),
      await insert({ categoryId: OTHER_SERVER }),
      await insert(CATEGORY, OTHER_SHOP),
    ];
    const clear = (transaction: Transaction): Promise<number> => products.clearCategory(SHOP, SERVER, transaction);
    await store.rollBack(clear);
    expect(await products.find(SHOP, own.id, null)).toEqual(own);
    expect(await store.commit(clear)).toBe(1);
    expect(await products.find(SHOP, own.id, null)).toEqual({ ...own, categoryId: null });
    expect(await products.find(SHOP, other.id, null)).toEqual(other);
    expect(await products.find(OTHER_SHOP, foreign.id, null)).toEqual(foreign);
  });
});

describe('countAll', () => {
  it('counts the products of the shop, up to a number, with those of its transaction', async () => {
    await insert();
    await insert({}, OTHER_SHOP);
    await store.commit(async (transaction) => {
      await products.insert(SHOP, valuesWith(), transaction);
      expect(await products.countAll(SHOP, 5, transaction)).toBe(2);
      expect(await products.countAll(SHOP, 1, transaction)).toBe(1);
    });
  });
});

describe('countKnown', () => {
  it('counts only products of the shop, each once', async () => {
    const [own, foreign] = [await insert(), await insert({}, OTHER_SHOP)];
    const ids = [own.id, own.id, foreign.id, '0'.repeat(24)];
    expect(await products.countKnown(SHOP, ids, null)).toBe(1);
  });
});

describe('the stock', () => {
  const take = (productId: string, quantity: number, shopId = SHOP): Promise<boolean> =>
    store.commit((transaction) => products.takeStock(shopId, { productId, quantity }, newObjectId(), transaction));
  const takeAnyway = (productId: string, quantity: number, shopId = SHOP): Promise<void> =>
    store.commit((transaction) => products.takeStockAnyway(shopId, { productId, quantity }, transaction));
  const release = (productId: string, quantity: number, shopId = SHOP): Promise<void> =>
    store.commit((transaction) => products.releaseStock(shopId, { productId, quantity }, transaction));
  const stockOf = async (id: string): Promise<number | undefined> => (await products.stockOf(SHOP, [id], null)).get(id);
  const update = (id: string, change: Partial<ProductValues>): Promise<Product | null> =>
    store.commit((transaction) => {
      const { stock: _stock, ...rest } = CHANGE;
      return products.update(SHOP, id, { ...rest, ...change }, transaction);
    });

  it('takes stock when it is sufficient, and otherwise none at all', async () => {
    const { id } = await insert({ stock: 5 });
    expect([await take(id, 6), await take(id, 3), await take(id, 3), await take(id, 2)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(await stockOf(id)).toBe(0);
  });

  it('takes stock without a check, also below zero, and releases it', async () => {
    const { id } = await insert({ stock: 1 });
    await takeAnyway(id, 3);
    expect([await stockOf(id), await take(id, 1)]).toEqual([-2, false]);
    await release(id, 4);
    expect(await stockOf(id)).toBe(2);
  });

  it('keeps an unlimited stock unlimited', async () => {
    const { id } = await insert({ stock: null });
    expect([await take(id, 1), await stockOf(id)]).toEqual([false, undefined]);
    await release(id, 5);
    expect(await products.find(SHOP, id, null)).toMatchObject({ stock: null });
    expect(await update(id, { slug: 'vip' })).toMatchObject({ slug: 'vip', stock: null });
  });

  it('sets, clears and sets the stock again by a change, and keeps it when the change does not name it', async () => {
    const { id } = await insert({ stock: 5, slug: 'vip' });
    await take(id, 2);
    expect(await update(id, { slug: 'vip-2' })).toMatchObject({ stock: 3 });
    for (const stock of [7, null, null, 2, 9]) {
      expect(await update(id, { stock })).toMatchObject({ stock });
      expect(await stockOf(id)).toBe(stock ?? undefined);
    }
  });

  it('returns the stock in the list and of what is deleted', async () => {
    const { id } = await insert({ stock: 5 });
    await take(id, 2);
    const page = { after: null, limit: 1 };
    expect((await products.list(SHOP, null, {}, page)).items).toMatchObject([{ id, stock: 3 }]);
    const archive = (transaction: Transaction): Promise<Product | null> =>
      products.archive(SHOP, id, new Date(), transaction);
    expect(await store.commit(archive)).toMatchObject({ id, stock: 3 });
    expect(await stockOf(id)).toBeUndefined();
  });

  it('neither reads nor changes the stock of another shop', async () => {
    const { id } = await insert({ stock: 5 }, OTHER_SHOP);
    expect([await take(id, 1), await stockOf(id)]).toEqual([false, undefined]);
    await release(id, 5);
    await takeAnyway(id, 1);
    expect(await products.find(OTHER_SHOP, id, null)).toMatchObject({ stock: 5 });
  });

  it('changes the stock only together with its transaction', async () => {
    const { id } = await insert({ stock: 5 });
    await store.rollBack(async (transaction) => {
      await products.takeStock(SHOP, { productId: id, quantity: 1 }, newObjectId(), transaction);
      await products.releaseStock(SHOP, { productId: id, quantity: 3 }, transaction);
      expect((await products.stockOf(SHOP, [id], transaction)).get(id)).toBe(7);
    });
    expect(await stockOf(id)).toBe(5);
  });
});
