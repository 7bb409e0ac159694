import { beforeEach, describe, expect, it } from '@jest/globals';
import { lockOn } from '../../domain/limits/lock-names.js';
import { OTHER_SHOP, SHOP, shopContext } from '../../../test/support/contexts.js';
import {
  type Call,
  FakeAudit,
  fakeCatalogueWrites,
  FakeQuotas,
  recording,
  TRANSACTION,
  transactionsInTurns,
} from '../../../test/support/fakes.js';
import { type ImagesService } from '../../shops/images/images.service.js';
import { Page } from '../../lib/paging/page.js';
import { type TransactionOptions } from '../../infrastructure/database/transactions.js';
import { type PriceHistoryService } from '../pricing/price-history.service.js';
import { type CategoriesRepository } from './categories.repository.js';
import { CategoriesService } from './categories.service.js';
import { type Category } from './category.types.js';
import { type ProductsRepository } from './products.repository.js';

const CONTEXT = shopContext();
const FOREIGN = { ...CONTEXT, shopId: OTHER_SHOP };
const CATEGORY: Category = {
  id: '655f1c2ab1e4a9d3f0c81290',
  shopId: SHOP,
  name: 'Ranks',
  slug: 'ranks',
  description: 'For 30 days',
  parentId: null,
  imageId: null,
  position: 2,
  createdAt: new Date('2026-11-21T12:00:00.000Z'),
  createdBy: 'user:655f1c2ab1e4a9d3f0c81299',
};

let calls: Call[];
let audit: FakeAudit;
let quotas: FakeQuotas;
/** The `oneAtATime` names of the transactions so far. */
let queues: TransactionOptions['oneAtATime'][];
/** What the shop has besides `CATEGORY`. */
let others: Category[];
/** Whether each category has parts. */
let hasParts: boolean;
let service: CategoriesService;

beforeEach(() => {
  [calls, queues] = [[], []];
  audit = new FakeAudit();
  quotas = new FakeQuotas();
  [others, hasParts] = [[], false];
  const found = (shopId: string, id: string): Category | null =>
    shopId === SHOP ? ([CATEGORY, ...others].find((category) => category.id === id) ?? null) : null;
  service = new CategoriesService(
    recording<CategoriesRepository>(calls, {
      countAll: () => Promise.resolve(4),
      insert: (shopId, values) => Promise.resolve({ ...values, id: CATEGORY.id, shopId }),
      list: () => Promise.resolve(new Page([CATEGORY], null)),
      find: (shopId, id) => Promise.resolve(found(shopId, id)),
      update: (shopId, id, values) => Promise.resolve(found(shopId, id) && { ...CATEGORY, ...values }),
      delete: (shopId, id) => Promise.resolve(found(shopId, id)),
      hasParts: () => Promise.resolve(hasParts),
      clearParent: () => Promise.resolve(2),
    }),
    recording<ProductsRepository>(calls, { clearCategory: () => Promise.resolve(3) }),
    recording<PriceHistoryService>(calls, { leaveCategory: () => Promise.resolve() }),
    quotas.asService,
    fakeCatalogueWrites(audit, transactionsInTurns(queues)),
    recording<ImagesService>([], { use: () => Promise.resolve() }),
  );
});

const rejected = (work: Promise<unknown>, code: string): Promise<void> => expect(work).rejects.toMatchObject({ code });

describe('create', () => {
  it('stores the fields, the defaults and who created it, with the audit entry, in one transaction', async () => {
    const createdAt = expect.any(Date) as unknown as Date;
    const fields = { name: 'Ranks', slug: null, description: '', parentId: null, imageId: null, position: 0 };
    const values = { ...fields, createdAt, createdBy: CONTEXT.principal };
    const created = { ...values, id: CATEGORY.id, shopId: SHOP };
    expect(await service.create(CONTEXT, { name: 'Ranks' })).toEqual(created);
    const changes = [
      { field: 'name', before: null, after: 'Ranks' },
      { field: 'position', before: null, after: '0' },
    ];
    expect(audit.entries).toEqual([{ author: CONTEXT, action: 'category.created', subjectId: CATEGORY.id, changes }]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('counts against the quota of the shop, and stores nothing when it is reached', async () => {
    quotas.isFull = true;
    await rejected(service.create(CONTEXT, { name: 'Ranks' }), 'quota_reached');
    expect(quotas.checked).toEqual([['categoriesPerShop', SHOP, 4, TRANSACTION]]);
    expect(queues).toEqual([lockOn('catalogue', SHOP)]);
    expect([calls.length, audit.entries]).toEqual([1, []]);
  });
});

it('lists the categories of the shop', async () => {
  const page = { after: null, limit: 50 };
  expect((await service.list(CONTEXT, page)).items).toEqual([CATEGORY]);
});

describe('update', () => {
  it('writes what was sent and keeps the rest, with the audit entry of what differs, in one transaction', async () => {
    const change = { slug: null, position: 5, name: undefined };
    const written = { name: 'Ranks', slug: null, position: 5 };
    expect(await service.update(CONTEXT, CATEGORY.id, change)).toEqual({ ...CATEGORY, ...written });
    const changes = [
      { field: 'slug', before: 'ranks', after: null },
      { field: 'position', before: '2', after: '5' },
    ];
    expect(audit.entries).toEqual([{ author: CONTEXT, action: 'category.updated', subjectId: CATEGORY.id, changes }]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('writes nothing when nothing changes, and rejects a change without a field', async () => {
    expect(await service.update(CONTEXT, CATEGORY.id, { name: 'Ranks' })).toEqual(CATEGORY);
    await rejected(service.update(CONTEXT, CATEGORY.id, {}), 'validation_failed');
    expect([calls.map(([name]) => name), audit.entries]).toEqual([['find'], []]);
  });
});

describe('the parent of a category', () => {
  const PARENT: Category = { ...CATEGORY, id: '655f1c2ab1e4a9d3f0c81291', slug: null };
  const move = (parentId: string): Promise<Category> => service.update(CONTEXT, CATEGORY.id, { parentId });
  beforeEach(() => {
    others = [PARENT, { ...PARENT, id: '655f1c2ab1e4a9d3f0c81292', parentId: PARENT.id }];
  });

  it('is another category, for a new one and for one that exists', async () => {
    expect(await move(PARENT.id)).toMatchObject({ parentId: PARENT.id });
    const created = await service.create(CONTEXT, { name: 'New', parentId: PARENT.id });
    expect(created.parentId).toBe(PARENT.id);
  });

  it('is neither the category itself, nor a part, nor unknown', async () => {
    const message = 'parentId must be another category that is no part itself';
    for (const id of [CATEGORY.id, '655f1c2ab1e4a9d3f0c81292'])
      await expect(move(id)).rejects.toMatchObject({ message });
    await rejected(move('0'.repeat(24)), 'category_not_found');
    await rejected(service.create(CONTEXT, { name: 'New', parentId: '0'.repeat(24) }), 'category_not_found');
    expect(audit.entries).toEqual([]);
  });

  it('stays null for a category that has parts', async () => {
    hasParts = true;
    const message = 'parentId must be null for a category that has parts';
    await expect(move(PARENT.id)).rejects.toMatchObject({ code: 'validation_failed', message });
    expect(await service.update(CONTEXT, CATEGORY.id, { position: 3 })).toMatchObject({ position: 3 });
  });
});

describe('delete', () => {
  it('takes the products out of a deleted category, and its parts, with one audit entry, in one transaction', async () => {
    expect(await service.delete(CONTEXT, CATEGORY.id)).toEqual(CATEGORY);
    const changes = [
      { field: 'name', before: 'Ranks', after: null },
      { field: 'slug', before: 'ranks', after: null },
      { field: 'description', before: 'For 30 days', after: null },
      { field: 'position', before: '2', after: null },
      { field: 'products', before: '3', after: null },
      { field: 'parts', before: '2', after: null },
    ];
    expect(audit.entries).toEqual([{ author: CONTEXT, action: 'category.deleted', subjectId: CATEGORY.id, changes }]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });
});

it.each([
  ['update', () => service.update(FOREIGN, CATEGORY.id, { name: 'New' })],
  ['delete', () => service.delete(FOREIGN, CATEGORY.id)],
])('rejects, in %s, a category that the shop does not have', async (_, work) => {
  await rejected(work(), 'category_not_found');
  expect([calls.length, audit.entries]).toEqual([1, []]);
});
