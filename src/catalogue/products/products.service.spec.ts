import { beforeEach, describe, expect, it } from '@jest/globals';
import { lockOn } from '../../domain/limits/lock-names.js';
import { OTHER_SHOP, SHOP, shopContext } from '../../../test/support/contexts.js';
import { type Call, type FakeAudit, TRANSACTION } from '../../../test/support/fakes.js';
import { PRODUCT, ProductsServiceSetup, SERVER, stagesIn } from '../../../test/support/products-service.js';
import { productWith } from '../../../test/support/products.js';
import { soldWith } from '../../../test/support/snapshots.js';
import { type ProductQuantity } from './product.types.js';
import { type ProductsService } from './products.service.js';
import { NO_COMMANDS } from '../../../test/support/commands.js';

const CONTEXT = shopContext();
const STAGES = stagesIn(PRODUCT.commandListId);
const FOREIGN = { ...CONTEXT, shopId: OTHER_SHOP };

let setup: ProductsServiceSetup;
let service: ProductsService;
let calls: Call[];
let audit: FakeAudit;

beforeEach(() => {
  setup = new ProductsServiceSetup();
  ({ service, calls, audit } = setup);
});

const rejected = (work: Promise<unknown>, code: string): Promise<void> => expect(work).rejects.toMatchObject({ code });

describe('create', () => {
  it('stores the price in minor units, the currency of the shop, the defaults and who created it', async () => {
    const created = await service.create(CONTEXT, { name: 'VIP', price: 9.99 });
    const createdAt = expect.any(Date) as unknown as Date;
    expect(created).toEqual({ ...productWith({ createdAt }), ...NO_COMMANDS });
  });

  it('counts against the quota of the shop, and stores nothing when it is reached', async () => {
    setup.quotas.isFull = true;
    await rejected(service.create(CONTEXT, { name: 'VIP', price: 9.99 }), 'quota_reached');
    expect(setup.quotas.checked).toEqual([['productsPerShop', SHOP, 4, TRANSACTION]]);
    expect(setup.queues).toEqual([lockOn('catalogue', SHOP)]);
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
      restockOnRefund: true,
      isActive: false,
    };
    const stages = {
      commands: ['give {nickname} gem'],
      takeBackCommands: ['say b'],
      expiryCommands: ['say c'],
      extendCommands: ['say d'],
      upgradeCommands: ['say e'],
    };
    const input = { ...fields, ...stages, price: 5, compareAtPrice: 7.5 };
    const stored = { ...fields, priceMinor: 500, compareAtPriceMinor: 750 };
    expect(await service.create(CONTEXT, input)).toMatchObject({ ...stored, ...stages });
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
          { field: 'featured', before: null, after: 'false' },
          { field: 'price', before: null, after: '9.99' },
          { field: 'position', before: null, after: '0' },
          { field: 'serverIds', before: null, after: SERVER },
          { field: 'commands', before: null, after: 'say a, say b' },
          { field: 'ownedEverywhere', before: null, after: 'false' },
          { field: 'requiresOnline', before: null, after: 'false' },
          { field: 'restockOnRefund', before: null, after: 'false' },
          { field: 'isActive', before: null, after: 'true' },
          { field: 'showBefore', before: null, after: 'false' },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it.each([
    ['an unsafe command', { price: 1, commands: ['say hi', 'op x{nickname}'] }, 'validation_failed'],
    ['a category that the shop does not have', { price: 1, categoryId: '0'.repeat(24) }, 'category_not_found'],
    ['a server that the shop does not have', { price: 1, serverIds: ['0'.repeat(24)] }, 'server_not_found'],
  ])('rejects %s, and stores nothing', async (_, fields, code) => {
    await rejected(service.create(CONTEXT, { name: 'VIP', ...fields }), code);
    expect([calls.filter(([name]) => name !== 'countAll'), audit.entries]).toEqual([[], []]);
  });

  it('checks the price in the currency of the shop', async () => {
    setup.currency = 'JPY';
    await expect(service.create(CONTEXT, { name: 'VIP', price: 1.5 })).rejects.toThrow(
      'price has more decimals than JPY allows',
    );
    expect(await service.create(CONTEXT, { name: 'VIP', price: 150 })).toMatchObject({
      priceMinor: 150,
      currency: 'JPY',
    });
  });
});

describe('list', () => {
  it('lists the products of the shop with their commands', async () => {
    const { items } = await service.list(CONTEXT, {}, { after: null, limit: 50 });
    expect(items).toEqual([{ ...PRODUCT, ...STAGES }]);
  });
});

describe('get', () => {
  it('returns a product of the shop with its commands, and rejects any other', async () => {
    expect(await service.get(CONTEXT, PRODUCT.id)).toEqual({ ...PRODUCT, ...STAGES });
    await rejected(service.get(FOREIGN, PRODUCT.id), 'product_not_found');
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
  });

  it.each([
    ['an unknown product', SHOP, ['0'.repeat(24)]],
    ['one unknown product of two', SHOP, [PRODUCT.id, '0'.repeat(24)]],
    ['a product of another shop', OTHER_SHOP, [PRODUCT.id]],
  ])('rejects products of an order: %s', async (_, shopId, ids) => {
    await rejected(service.requireAll(shopId, ids), 'product_not_found');
  });
});

describe('sold', () => {
  it('returns what is sold with its commands, for a snapshot of the catalogue', async () => {
    expect(await service.sold(SHOP, TRANSACTION)).toEqual([soldWith({ stages: stagesIn(PRODUCT.commandListId) })]);
  });
});

describe('the stock', () => {
  const units = (quantity: number): ProductQuantity => ({ productId: PRODUCT.id, quantity });

  it('returns the stock of the products', async () => {
    expect(await service.stockOf(SHOP, [PRODUCT.id], TRANSACTION)).toEqual(new Map([[PRODUCT.id, 3]]));
  });

  it('takes stock for an order, and says when too little is left', async () => {
    expect(await service.takeStock(SHOP, units(3), 'order', TRANSACTION)).toBe(true);
    expect(await service.takeStock(SHOP, units(4), 'order', TRANSACTION)).toBe(false);
  });

  it('takes stock without a check for an order that was paid late, and releases it', async () => {
    await service.takeStockLate(SHOP, units(4), TRANSACTION);
    await service.releaseStock(SHOP, units(2), TRANSACTION);
    expect(calls).toEqual([
      ['takeStockAnyway', SHOP, units(4), TRANSACTION],
      ['releaseStock', SHOP, units(2), TRANSACTION],
    ]);
  });
});
