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
import { type CommandsService } from '../commands/commands.service.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { type ServersService } from '../servers/servers.service.js';
import { type Shop } from '../shops/shop.types.js';
import { type ShopsService } from '../shops/shops.service.js';
import { type Product } from './product.types.js';
import { type ProductsRepository } from './products.repository.js';
import { ProductsService } from './products.service.js';

const CONTEXT = shopContext();
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const PRODUCT = productWith();

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
  service = new ProductsService(
    recording<ProductsRepository>(calls, {
      countAll: () => Promise.resolve(4),
      insert: (shopId, values) => Promise.resolve({ ...values, id: PRODUCT.id, shopId }),
      list: () => Promise.resolve(new Page(stored, null)),
      count: (shopId, ids) => Promise.resolve(found(shopId, ids).length),
      findByIds: (shopId, ids) => Promise.resolve(found(shopId, ids)),
    }),
    recording<ShopsService>([], { settingsOf: (shopId) => Promise.resolve({ id: shopId, currency } as Shop) }),
    recording<ServersService>([], {
      requireAll: (shopId, ids) =>
        shopId === SHOP && ids.every((id) => id === SERVER)
          ? Promise.resolve()
          : Promise.reject(new AppError('server_not_found')),
    }),
    recording<CommandsService>(calls, {
      store: () => Promise.resolve(PRODUCT.commandListId),
      ofLists: () => Promise.resolve((id) => [`say ${id}`]),
    }),
    quotas.asService,
    audit.asService,
    directTransactions,
  );
});

describe('create', () => {
  it('stores the price in minor units, the currency of the shop, the defaults and who created it', async () => {
    const created = await service.create(CONTEXT, { name: 'VIP', price: 9.99 });
    const createdAt = expect.any(Date) as unknown as Date;
    expect(created).toEqual({ ...productWith({ createdAt }), commands: [] });
    const { id: _id, shopId: _shopId, ...values } = productWith({ createdAt });
    expect(calls).toEqual([
      ['countAll', SHOP, 5, TRANSACTION],
      ['store', SHOP, [], TRANSACTION],
      ['insert', SHOP, values, TRANSACTION],
    ]);
  });

  it('counts against the quota of the shop, and stores nothing when it is reached', async () => {
    quotas.isFull = true;
    await expect(service.create(CONTEXT, { name: 'VIP', price: 9.99 })).rejects.toMatchObject({
      code: 'quota_reached',
    });
    expect(quotas.asked).toEqual([['productsPerShop', SHOP, 4, TRANSACTION]]);
    expect([calls, audit.entries]).toEqual([[['countAll', SHOP, 5, TRANSACTION]], []]);
  });

  it('stores every field that was sent, the commands as a list of their own', async () => {
    const fields = {
      name: 'Rank',
      description: 'A golden name.',
      imageUrl: 'https://cdn.example.com/rank.png',
      serverIds: [SERVER],
      commands: ['give {nickname} diamond 1'],
      isActive: false,
    };
    expect(await service.create(CONTEXT, { ...fields, price: 5 })).toMatchObject({ ...fields, priceMinor: 500 });
    expect(calls[1]).toEqual(['store', SHOP, fields.commands, TRANSACTION]);
    expect(calls[2]?.[2]).not.toHaveProperty('commands');
  });

  it('records every field with a value in the audit log, in the transaction of the write', async () => {
    await service.create(CONTEXT, { name: 'VIP', price: 9.99, serverIds: [SERVER], commands: ['say a', 'say b'] });
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'product.created',
        subjectId: PRODUCT.id,
        changes: [
          { field: 'serverIds', before: null, after: SERVER },
          { field: 'isActive', before: null, after: 'true' },
          { field: 'name', before: null, after: 'VIP' },
          { field: 'commands', before: null, after: 'say a, say b' },
          { field: 'price', before: null, after: '9.99' },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it.each([
    ['a price with more decimals than the currency has', { price: 1.001 }, 'validation_failed'],
    ['an unsafe command', { price: 1, commands: ['say hi', 'op x{nickname}'] }, 'validation_failed'],
    ['a server that the shop does not have', { price: 1, serverIds: ['0'.repeat(24)] }, 'server_not_found'],
  ])('rejects %s, and stores nothing', async (_, fields, code) => {
    await expect(service.create(CONTEXT, { name: 'VIP', ...fields })).rejects.toMatchObject({ code });
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
    const commands = [`say ${PRODUCT.commandListId}`];
    expect((await service.list(CONTEXT, page)).items).toEqual([{ ...PRODUCT, commands }]);
    await service.list(shopContext('owner', { serverIds }), page);
    expect(calls).toEqual([
      ['list', SHOP, null, page],
      ['ofLists', SHOP, [PRODUCT.commandListId]],
      ['list', SHOP, serverIds, page],
      ['ofLists', SHOP, [PRODUCT.commandListId]],
    ]);
  });
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
    await expect(service.requireAll(shopId, ids)).rejects.toMatchObject({ code: 'product_not_found' });
  });
});

describe('byIds', () => {
  it('returns the products of the shop by id, without those that it does not have', async () => {
    expect(await service.byIds(SHOP, [PRODUCT.id, '0'.repeat(24)])).toEqual(new Map([[PRODUCT.id, PRODUCT]]));
    expect(await service.byIds(OTHER_SHOP, [PRODUCT.id])).toEqual(new Map());
  });
});
