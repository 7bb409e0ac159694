import { beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP, shopContext } from '../../test/support/contexts.js';
import {
  type Call,
  directTransactions,
  FakeAudit,
  FakeQuotas,
  recording,
  TRANSACTION,
} from '../../test/support/fakes.js';
import { productWith } from '../../test/support/products.js';
import { type CommandStages } from '../commands/command-list.types.js';
import { type CommandsService } from '../commands/commands.service.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { type ServersService } from '../servers/servers.service.js';
import { type Shop } from '../shops/shop.types.js';
import { type ShopsService } from '../shops/shops.service.js';
import { type Product, type ProductValues } from './product.types.js';
import { type ProductsRepository } from './products.repository.js';
import { ProductsService } from './products.service.js';

const CONTEXT = shopContext();
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const PRODUCT = productWith();
const NO_COMMANDS = { commands: [], takeBackCommands: [], expiryCommands: [] };
const stagesOf = (listId: string): CommandStages => ({ ...NO_COMMANDS, commands: [`say ${listId}`] });
const STAGES = stagesOf(PRODUCT.commandListId);
const FOREIGN = { ...CONTEXT, shopId: OTHER_SHOP };

let calls: Call[];
let audit: FakeAudit;
let quotas: FakeQuotas;
let currency: string;
/** The products of `SHOP`. */
let stored: Product[];
let service: ProductsService;

beforeEach(() => {
  calls = [];
  audit = new FakeAudit();
  quotas = new FakeQuotas();
  currency = 'EUR';
  stored = [PRODUCT];
  const found = (shopId: string, ids: readonly string[]): Product[] =>
    stored.filter((product) => product.shopId === shopId && ids.includes(product.id));
  const changed = (shopId: string, id: string, change: Partial<Product>): Product | null =>
    found(shopId, [id]).map((product) => ({ ...product, ...change }))[0] ?? null;
  service = new ProductsService(
    recording<ProductsRepository>(calls, {
      countAll: () => Promise.resolve(4),
      insert: (shopId, values) => Promise.resolve({ ...values, id: PRODUCT.id, shopId }),
      list: () => Promise.resolve(new Page(stored, null)),
      count: (shopId, ids) => Promise.resolve(found(shopId, ids).length),
      findByIds: (shopId, ids) => Promise.resolve(found(shopId, ids)),
      find: (shopId, id) => Promise.resolve(found(shopId, [id])[0] ?? null),
      exists: (shopId, id) => Promise.resolve(found(shopId, [id]).length === 1),
      update: (shopId, id, values) => Promise.resolve(changed(shopId, id, values)),
      archive: (shopId, id) => Promise.resolve(changed(shopId, id, {})),
    }),
    recording<ShopsService>([], { settingsOf: (shopId) => Promise.resolve({ id: shopId, currency } as Shop) }),
    recording<ServersService>([], {
      requireAll: (shopId, ids) =>
        ids.every((id) => shopId === SHOP && id === SERVER)
          ? Promise.resolve()
          : Promise.reject(new AppError('server_not_found')),
    }),
    recording<CommandsService>(calls, {
      store: () => Promise.resolve(PRODUCT.commandListId),
      ofLists: () => Promise.resolve(stagesOf),
    }),
    quotas.asService,
    audit.asService,
    directTransactions,
  );
});

const rejected = (work: Promise<unknown>, code: string): Promise<void> => expect(work).rejects.toMatchObject({ code });

describe('create', () => {
  it('stores the price in minor units, the currency of the shop, the defaults and who created it', async () => {
    const created = await service.create(CONTEXT, { name: 'VIP', price: 9.99 });
    const createdAt = expect.any(Date) as unknown as Date;
    expect(created).toEqual({ ...productWith({ createdAt }), ...NO_COMMANDS });
    const { id: _id, shopId: _shopId, ...values } = productWith({ createdAt });
    expect(calls).toEqual([
      ['countAll', SHOP, 5, TRANSACTION],
      ['store', SHOP, NO_COMMANDS, TRANSACTION],
      ['insert', SHOP, values, TRANSACTION],
    ]);
  });

  it('counts against the quota of the shop, and stores nothing when it is reached', async () => {
    quotas.isFull = true;
    await rejected(service.create(CONTEXT, { name: 'VIP', price: 9.99 }), 'quota_reached');
    expect(quotas.asked).toEqual([['productsPerShop', SHOP, 4, TRANSACTION]]);
    expect([calls, audit.entries]).toEqual([[['countAll', SHOP, 5, TRANSACTION]], []]);
  });

  it('stores every field that was sent, the commands as a list of their own', async () => {
    const fields = {
      name: 'Rank',
      slug: 'rank',
      description: 'A golden name.',
      imageUrls: ['https://cdn.example.com/rank.png'],
      position: 3,
      stock: 0,
      maxPerOrder: 1,
      maxPerBuyer: 2,
      serverIds: [SERVER],
      durationDays: 30,
      requiresOnline: true,
      isActive: false,
    };
    const stages = { commands: ['give {nickname} gem'], takeBackCommands: ['say b'], expiryCommands: ['say c'] };
    const input = { ...fields, ...stages, price: 5, compareAtPrice: 7.5 };
    const stored = { ...fields, priceMinor: 500, compareAtPriceMinor: 750 };
    expect(await service.create(CONTEXT, input)).toMatchObject({ ...stored, ...stages });
    expect(calls[1]).toEqual(['store', SHOP, stages, TRANSACTION]);
    const { shopId: _shopId, id: _id, ...rest } = PRODUCT;
    const createdAt = expect.any(Date) as unknown as Date;
    expect(calls[2]?.[2]).toEqual({ ...rest, ...stored, createdAt });
  });

  it('records every field with a value in the audit log, in the transaction of the write', async () => {
    await service.create(CONTEXT, { name: 'VIP', price: 9.99, serverIds: [SERVER], commands: ['say a', 'say b'] });
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'product.created',
        subjectId: PRODUCT.id,
        changes: [
          { field: 'name', before: null, after: 'VIP' },
          { field: 'price', before: null, after: '9.99' },
          { field: 'position', before: null, after: '0' },
          { field: 'serverIds', before: null, after: SERVER },
          { field: 'commands', before: null, after: 'say a, say b' },
          { field: 'requiresOnline', before: null, after: 'false' },
          { field: 'isActive', before: null, after: 'true' },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it.each([
    ['an unsafe command', { price: 1, commands: ['say hi', 'op x{nickname}'] }, 'validation_failed'],
    ['a server that the shop does not have', { price: 1, serverIds: ['0'.repeat(24)] }, 'server_not_found'],
  ])('rejects %s, and stores nothing', async (_, fields, code) => {
    await rejected(service.create(CONTEXT, { name: 'VIP', ...fields }), code);
    expect([calls, audit.entries]).toEqual([[], []]);
  });

  it('checks the price in the currency of the shop', async () => {
    currency = 'JPY';
    await expect(service.create(CONTEXT, { name: 'VIP', price: 1.5 })).rejects.toThrow(
      'price has more decimals than JPY allows',
    );
    expect(await service.create(CONTEXT, { name: 'VIP', price: 150 })).toMatchObject({ priceMinor: 150, currency });
  });
});

describe('list', () => {
  it('reads the page of the shop, and limits a key to the products of its servers', async () => {
    const page = { after: null, limit: 50 };
    const serverIds = new Set([SERVER]);
    expect((await service.list(CONTEXT, page)).items).toEqual([{ ...PRODUCT, ...STAGES }]);
    await service.list(shopContext('owner', { serverIds }), page);
    expect(calls).toEqual([
      ['list', SHOP, null, page],
      ['ofLists', SHOP, [PRODUCT.commandListId]],
      ['list', SHOP, serverIds, page],
      ['ofLists', SHOP, [PRODUCT.commandListId]],
    ]);
  });
});

describe('get', () => {
  it('returns a product of the shop with its commands, and rejects any other', async () => {
    expect(await service.get(CONTEXT, PRODUCT.id)).toEqual({ ...PRODUCT, ...STAGES });
    await rejected(service.get(FOREIGN, PRODUCT.id), 'product_not_found');
  });
});

describe('update', () => {
  const values = (): ProductValues => {
    const { id: _i, shopId: _s, currency: _c, archivedAt: _a, createdAt: _at, createdBy: _by, ...written } = PRODUCT;
    return written;
  };

  it('writes what was sent and keeps the rest, with the audit entry of what differs, in one transaction', async () => {
    const change = { price: 5, serverIds: [SERVER], name: 'VIP', isActive: undefined };
    const after = { ...PRODUCT, priceMinor: 500, serverIds: [SERVER], ...STAGES };
    expect(await service.update(CONTEXT, PRODUCT.id, change)).toEqual(after);
    expect(calls).toEqual([
      ['find', SHOP, PRODUCT.id, TRANSACTION],
      ['ofLists', SHOP, [PRODUCT.commandListId]],
      ['update', SHOP, PRODUCT.id, { ...values(), priceMinor: 500, serverIds: [SERVER] }, TRANSACTION],
    ]);
    const changes = [
      { field: 'price', before: '9.99', after: '5' },
      { field: 'serverIds', before: null, after: SERVER },
    ];
    expect(audit.entries).toEqual([{ author: CONTEXT, action: 'product.updated', subjectId: PRODUCT.id, changes }]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('stores new commands as a list of their own, and keeps the list of the same commands', async () => {
    stored = [{ ...PRODUCT, commandListId: 'old' }];
    const commands = ['give {nickname} diamond 1'];
    const after = { commandListId: PRODUCT.commandListId, commands };
    expect(await service.update(CONTEXT, PRODUCT.id, { commands })).toMatchObject(after);
    expect(calls).toContainEqual(['store', SHOP, { ...NO_COMMANDS, commands }, TRANSACTION]);
    const takeBackCommands = ['clear {nickname}'];
    expect(await service.update(CONTEXT, PRODUCT.id, { takeBackCommands })).toMatchObject({ commands: ['say old'] });
    expect(calls).toContainEqual(['store', SHOP, { ...stagesOf('old'), takeBackCommands }, TRANSACTION]);
    calls.length = 0;
    const same = { commandListId: 'old', commands: ['say old'], name: 'New' };
    expect(await service.update(CONTEXT, PRODUCT.id, { commands: ['say old'], name: 'New' })).toMatchObject(same);
    expect(calls.map(([name]) => name)).toEqual(['find', 'ofLists', 'update']);
  });

  it('writes nothing when nothing changes', async () => {
    expect(await service.update(CONTEXT, PRODUCT.id, { price: 9.99 })).toEqual({ ...PRODUCT, ...STAGES });
    expect([calls.map(([name]) => name), audit.entries]).toEqual([['find', 'ofLists'], []]);
  });

  it.each([
    ['a change without a field', { name: undefined }, 'validation_failed'],
    ['a price with more decimals than the currency has', { price: 1.001 }, 'validation_failed'],
    ['an unsafe command', { commands: ['op x{nickname}'] }, 'validation_failed'],
    ['a server that the shop does not have', { serverIds: ['0'.repeat(24)] }, 'server_not_found'],
  ])('rejects %s, and stores nothing', async (_, change, code) => {
    await rejected(service.update(CONTEXT, PRODUCT.id, change), code);
    expect(calls.map(([name]) => name).filter((name) => name !== 'find' && name !== 'ofLists')).toEqual([]);
    expect(audit.entries).toEqual([]);
  });
});

it.each([
  ['update', () => service.update(FOREIGN, PRODUCT.id, { name: 'New' })],
  ['delete', () => service.delete(FOREIGN, PRODUCT.id)],
])('%s rejects a product that the shop does not have', async (_, work) => {
  await rejected(work(), 'product_not_found');
  expect(audit.entries).toEqual([]);
});

describe('delete', () => {
  it('archives the product, with the audit entry of what it was, in one transaction', async () => {
    const deleted = await service.delete(CONTEXT, PRODUCT.id);
    const archivedAt = expect.any(Date) as unknown as Date;
    expect(deleted).toEqual({ ...PRODUCT, ...STAGES });
    expect(calls[0]).toEqual(['archive', SHOP, PRODUCT.id, archivedAt, TRANSACTION]);
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'product.deleted',
        subjectId: PRODUCT.id,
        changes: [
          { field: 'name', before: 'VIP', after: null },
          { field: 'price', before: '9.99', after: null },
          { field: 'position', before: '0', after: null },
          { field: 'commands', before: STAGES.commands[0], after: null },
          { field: 'requiresOnline', before: 'false', after: null },
          { field: 'isActive', before: 'true', after: null },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });
});

it('knows for statistics what the shop has or had, and rejects any other product', async () => {
  await service.requireKnown(SHOP, PRODUCT.id);
  await rejected(service.requireKnown(OTHER_SHOP, PRODUCT.id), 'product_not_found');
});

describe('requireAll', () => {
  it('accepts products of the shop, also one that is named twice, and reads nothing for an empty list', async () => {
    await service.requireAll(SHOP, []);
    expect(calls).toEqual([]);
    await service.requireAll(SHOP, [PRODUCT.id, PRODUCT.id]);
    expect(calls).toEqual([['count', SHOP, [PRODUCT.id, PRODUCT.id]]]);
  });

  it.each([
    ['an unknown product', SHOP, ['0'.repeat(24)]],
    ['one unknown product of two', SHOP, [PRODUCT.id, '0'.repeat(24)]],
    ['a product of another shop', OTHER_SHOP, [PRODUCT.id]],
  ])('rejects %s', async (_, shopId, ids) => {
    await rejected(service.requireAll(shopId, ids), 'product_not_found');
  });
});

describe('byIds', () => {
  it('returns the products of the shop by id, without those that it does not have', async () => {
    expect(await service.byIds(SHOP, [PRODUCT.id, '0'.repeat(24)])).toEqual(new Map([[PRODUCT.id, PRODUCT]]));
    expect(await service.byIds(OTHER_SHOP, [PRODUCT.id])).toEqual(new Map());
  });
});
