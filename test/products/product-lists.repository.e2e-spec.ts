import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeCursor } from '../../src/lib/paging/page.js';
import { type Product, type ProductFilter } from '../../src/catalogue/products/product.types.js';
import { type ProductsRepository } from '../../src/catalogue/products/products.repository.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { soldWith } from '../support/snapshots.js';
import { type TestStore } from '../support/store.js';
import { openProducts, valuesWith } from './stored-products.js';

const [SERVER, OTHER_SERVER] = ['655f1c2ab1e4a9d3f0c81260', '655f1c2ab1e4a9d3f0c81261'] as const;
const CATEGORY = '655f1c2ab1e4a9d3f0c81290';
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

describe('list', () => {
  it('returns the products of the shop page by page, newest first', async () => {
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.unshift((await insert({ name })).id);
    await insert({}, OTHER_SHOP);
    const first = await products.list(SHOP, null, {}, { after: null, limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await products.list(SHOP, null, {}, { after: decodeCursor(first.nextCursor ?? ''), limit: 2 });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(second.nextCursor).toBeNull();
  });

  it('returns for servers only the products that are sold for one of them or for all, page by page', async () => {
    await insert({ name: 'all' });
    await insert({ name: 'other', serverIds: [OTHER_SERVER] });
    await insert({ name: 'both', serverIds: [OTHER_SERVER, SERVER] });
    await insert({ name: 'elsewhere', serverIds: [SERVER] }, OTHER_SHOP);
    const first = await products.list(SHOP, new Set([SERVER]), {}, { after: null, limit: 1 });
    const after = decodeCursor(first.nextCursor ?? '');
    const second = await products.list(SHOP, new Set([SERVER]), {}, { after, limit: 1 });
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['both', 'all']);
    expect(second.nextCursor).toBeNull();
    expect((await products.list(SHOP, new Set(), {}, PAGE)).items.map(({ name }) => name)).toEqual(['all']);
  });
});

describe('a search', () => {
  const found = async (filter: ProductFilter, page = PAGE): Promise<string[]> => {
    const { items, total } = await products.list(SHOP, null, filter, page);
    expect(total).toBe(items.length);
    return items.map(({ name }) => name);
  };

  it('finds products by words of the name and the slug, and by each filter', async () => {
    await insert({ name: 'VIP rank', slug: 'gold', serverIds: [SERVER], categoryId: CATEGORY });
    const { id } = await insert({ name: 'Old', slug: null, isActive: false, serverIds: [OTHER_SERVER] });
    await insert({ name: 'VIP', slug: null }, OTHER_SHOP);
    const renamed = { ...valuesWith(), name: '\u00C9p\u00E9e', slug: null, isActive: false, serverIds: [OTHER_SERVER] };
    await store.commit((transaction) => products.update(SHOP, id, renamed, transaction));
    await insert({ name: 'Crate', slug: null, serverIds: [] });
    const rows: [ProductFilter, string[]][] = [
      [{ q: 'RANK vi' }, ['VIP rank']],
      [{ q: 'gol' }, ['VIP rank']],
      [{ q: 'epee' }, ['\u00C9p\u00E9e']],
      ...['old', 'ank', '.*', '!'].map((q): [ProductFilter, string[]] => [{ q }, []]),
      [{ isActive: false }, ['\u00C9p\u00E9e']],
      [{ categoryId: CATEGORY, isActive: true }, ['VIP rank']],
      [{ serverId: SERVER }, ['Crate', 'VIP rank']],
    ];
    for (const [filter, names] of rows) expect([filter, await found(filter)]).toEqual([filter, names]);
    const oldest = { ...PAGE, oldestFirst: true };
    expect(await found({}, oldest)).toEqual(['VIP rank', '\u00C9p\u00E9e', 'Crate']);
  });
});

describe('listSold', () => {
  it('returns what the shop has not deleted, with the fields of a snapshot', async () => {
    const fields = { name: 'VIP', stock: 3, serverIds: [SERVER], isActive: false };
    const [{ id }, deleted] = [await insert(fields), await insert()];
    await insert({}, OTHER_SHOP);
    await store.commit((transaction) => products.archive(SHOP, deleted.id, new Date(), transaction));
    const { stages: _stages, ...sold } = soldWith({ ...fields, id });
    expect(await store.commit((transaction) => products.listSold(SHOP, transaction))).toEqual([sold]);
  });
});
