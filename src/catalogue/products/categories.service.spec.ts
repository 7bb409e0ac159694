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
import { Page } from '../../lib/paging/page.js';
import { type TransactionOptions } from '../../infrastructure/database/transactions.js';
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
  position: 2,
  createdAt: new Date('2026-11-21T12:00:00.000Z'),
  createdBy: 'user:655f1c2ab1e4a9d3f0c81299',
};

let calls: Call[];
let audit: FakeAudit;
let quotas: FakeQuotas;
/** The `oneAtATime` names of the transactions so far. */
let queues: TransactionOptions['oneAtATime'][];
let service: CategoriesService;

beforeEach(() => {
  [calls, queues] = [[], []];
  audit = new FakeAudit();
  quotas = new FakeQuotas();
  const found = (shopId: string, id: string): Category | null =>
    shopId === SHOP && id === CATEGORY.id ? CATEGORY : null;
  service = new CategoriesService(
    recording<CategoriesRepository>(calls, {
      countAll: () => Promise.resolve(4),
      insert: (shopId, values) => Promise.resolve({ ...values, id: CATEGORY.id, shopId }),
      list: () => Promise.resolve(new Page([CATEGORY], null)),
      find: (shopId, id) => Promise.resolve(found(shopId, id)),
      update: (shopId, id, values) => Promise.resolve(found(shopId, id) && { ...CATEGORY, ...values }),
      delete: (shopId, id) => Promise.resolve(found(shopId, id)),
    }),
    recording<ProductsRepository>(calls, { clearCategory: () => Promise.resolve(3) }),
    quotas.asService,
    fakeCatalogueWrites(audit, transactionsInTurns(queues)),
  );
});

const rejected = (work: Promise<unknown>, code: string): Promise<void> => expect(work).rejects.toMatchObject({ code });

describe('create', () => {
  it('stores the fields, the defaults and who created it, with the audit entry, in one transaction', async () => {
    const createdAt = expect.any(Date) as unknown as Date;
    const values = { name: 'Ranks', slug: null, position: 0, createdAt, createdBy: CONTEXT.principal };
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

describe('delete', () => {
  it('takes the products out of a deleted category, with one audit entry, in one transaction', async () => {
    expect(await service.delete(CONTEXT, CATEGORY.id)).toEqual(CATEGORY);
    const changes = [
      { field: 'name', before: 'Ranks', after: null },
      { field: 'slug', before: 'ranks', after: null },
      { field: 'position', before: '2', after: null },
      { field: 'products', before: '3', after: null },
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
