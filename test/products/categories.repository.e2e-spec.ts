import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeCursor, type Page, type PageRequest } from '../../src/lib/paging/page.js';
import { CategoriesRepository } from '../../src/catalogue/products/categories.repository.js';
import { CATEGORY_MODEL, type CategoryRecord, categorySchema } from '../../src/catalogue/products/category.schema.js';
import { type Category } from '../../src/catalogue/products/category.types.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const VALUES = {
  name: 'Ranks',
  slug: null,
  description: '',
  parentId: null,
  imageId: null,
  position: 1,
  createdAt: new Date('2026-11-21T12:00:00.000Z'),
  createdBy: 'user:655f1c2ab1e4a9d3f0c81299',
};
const PAGE = { after: null, limit: 50 };
const CHANGE = { name: 'New', slug: 'new', description: 'Changed', parentId: null, imageId: null, position: 9 };

let store: TestStore;
let categories: CategoriesRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<CategoryRecord>(store.connection, CATEGORY_MODEL, categorySchema);
  categories = new CategoriesRepository(model);
});
beforeEach(() => store.connection.collection('categories').deleteMany({}));
afterAll(() => store.close());

const insert = (fields: Partial<Category> = {}, shopId = SHOP): Promise<Category> =>
  store.commit((transaction) => categories.insert(shopId, { ...VALUES, ...fields }, transaction));
const all = async (shopId = SHOP): Promise<readonly Category[]> => (await categories.list(shopId, PAGE)).items;

/** The names on each page of two. */
async function pagesOf(read: (page: PageRequest) => Promise<Page<Category>>): Promise<string[][]> {
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const page: Page<Category> = await read({ after, limit: 2 });
    pages.push(page.items.map(({ name }) => name));
    after = page.nextCursor === null ? null : decodeCursor(page.nextCursor);
  } while (after !== null);
  return pages;
}

describe('The lists', () => {
  beforeEach(async () => {
    for (const [name, position] of Object.entries({ A: 2, B: 1, C: 1, D: 3, E: 0 })) await insert({ name, position });
    await insert({ name: 'foreign' }, OTHER_SHOP);
  });

  it('lists the categories of the shop page by page, newest first', async () => {
    expect(await pagesOf((page) => categories.list(SHOP, page))).toEqual([['E', 'D'], ['C', 'B'], ['A']]);
  });

  it('lists all of them with the fields of a snapshot', async () => {
    const sold = await store.commit((transaction) => categories.listSold(SHOP, transaction));
    const expected = (await all()).map(({ shopId: _shop, createdAt: _at, createdBy: _by, ...shown }) => shown);
    expect(sold).toHaveLength(5);
    expect(sold).toEqual(expect.arrayContaining(expected));
  });
});

describe('Each write', () => {
  it('changes one category of the shop only', async () => {
    const [own, other] = [await insert(), await insert()];
    expect(own).toEqual({ id: own.id, shopId: SHOP, ...VALUES });
    await store.commit(async (transaction) => {
      expect(await categories.update(OTHER_SHOP, own.id, CHANGE, transaction)).toBeNull();
      expect(await categories.delete(OTHER_SHOP, own.id, transaction)).toBeNull();
      expect(await categories.lock(OTHER_SHOP, own.id, transaction)).toBe(false);
      expect(await categories.find(OTHER_SHOP, own.id, transaction)).toBeNull();
      expect(await categories.countAll(OTHER_SHOP, 5, transaction)).toBe(0);
      expect(await categories.countAll(SHOP, 5, transaction)).toBe(2);
      expect(await categories.countAll(SHOP, 1, transaction)).toBe(1);
      expect(await categories.find(SHOP, own.id, transaction)).toEqual(own);
    });
    expect(await all()).toEqual([other, own]);
    expect(await all(OTHER_SHOP)).toEqual([]);
    await store.commit(async (transaction) => {
      expect(await categories.lock(SHOP, own.id, transaction)).toBe(true);
      expect(await categories.update(SHOP, own.id, CHANGE, transaction)).toEqual({ ...own, ...CHANGE });
    });
    expect(await all()).toEqual([other, { ...own, ...CHANGE }]);
    await store.commit(async (transaction) => {
      expect(await categories.delete(SHOP, own.id, transaction)).toEqual({ ...own, ...CHANGE });
      expect(await categories.lock(SHOP, own.id, transaction)).toBe(false);
    });
    expect(await all()).toEqual([other]);
  });

  it('changes nothing when the transaction is rolled back', async () => {
    const own = await insert();
    await store.rollBack((transaction) => categories.insert(SHOP, VALUES, transaction));
    await store.rollBack((transaction) => categories.update(SHOP, own.id, CHANGE, transaction));
    await store.rollBack((transaction) => categories.delete(SHOP, own.id, transaction));
    expect(await all()).toEqual([own]);
  });

  it('finds the parts of a category of the shop, and makes them stand alone', async () => {
    const parent = await insert();
    const part = await insert({ parentId: parent.id });
    await insert({ parentId: parent.id }, OTHER_SHOP);
    await store.commit(async (transaction) => {
      expect(await categories.hasParts(SHOP, parent.id, transaction)).toBe(true);
      expect(await categories.hasParts(SHOP, part.id, transaction)).toBe(false);
      expect(await categories.clearParent(SHOP, parent.id, transaction)).toBe(1);
      expect(await categories.hasParts(SHOP, parent.id, transaction)).toBe(false);
      expect(await categories.hasParts(OTHER_SHOP, parent.id, transaction)).toBe(true);
    });
  });

  it('rejects a slug that another category of the shop has', async () => {
    const [own] = [await insert({ slug: 'new' }), await insert({ slug: 'new' }, OTHER_SHOP), await insert()];
    const other = await insert({ slug: 'other' });
    const taken = { code: 'category_slug_taken' };
    await expect(insert({ slug: 'new' })).rejects.toMatchObject(taken);
    const update = (id: string): Promise<Category | null> =>
      store.commit((transaction) => categories.update(SHOP, id, CHANGE, transaction));
    await expect(update(other.id)).rejects.toMatchObject(taken);
    expect(await update(own.id)).toMatchObject(CHANGE);
  });
});
