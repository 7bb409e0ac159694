import { beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP, shopContext } from '../../../test/support/contexts.js';
import { type Call, type FakeAudit, TRANSACTION } from '../../../test/support/fakes.js';
import { CATEGORY, PRODUCT, ProductsServiceSetup, SERVER, stagesIn } from '../../../test/support/products-service.js';
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

describe('update', () => {
  /** Everything but the stock, which orders change at the same time. */
  const values = (): object => {
    const { id: _i, shopId: _s, currency: _c, archivedAt: _a, createdAt: _at, createdBy: _by, ...written } = PRODUCT;
    return { ...written, stock: undefined };
  };

  it('writes what was sent and keeps the rest, with the audit entry of what differs, in one transaction', async () => {
    const change = { price: 5, serverIds: [SERVER], name: 'VIP', isActive: undefined };
    const after = { ...PRODUCT, priceMinor: 500, serverIds: [SERVER], ...STAGES };
    expect(await service.update(CONTEXT, PRODUCT.id, change)).toEqual(after);
    const written = { ...values(), priceMinor: 500, serverIds: [SERVER] };
    expect(calls.at(-1)).toEqual(['update', SHOP, PRODUCT.id, written, TRANSACTION]);
    const changes = [
      { field: 'price', before: '9.99', after: '5' },
      { field: 'serverIds', before: null, after: SERVER },
    ];
    expect(audit.entries).toEqual([{ author: CONTEXT, action: 'product.updated', subjectId: PRODUCT.id, changes }]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('sets the stock when the change names it', async () => {
    expect(await service.update(CONTEXT, PRODUCT.id, { stock: 5 })).toMatchObject({ stock: 5 });
  });

  it('stores new commands as a list of their own, and keeps the list of the same commands', async () => {
    setup.stored = [{ ...PRODUCT, commandListId: 'old' }];
    const commands = ['give {nickname} diamond 1'];
    const after = { commandListId: PRODUCT.commandListId, commands };
    expect(await service.update(CONTEXT, PRODUCT.id, { commands })).toMatchObject(after);
    expect(calls).toContainEqual(['store', SHOP, { ...NO_COMMANDS, commands }, TRANSACTION]);
    calls.length = 0;
    expect(await service.update(CONTEXT, PRODUCT.id, { name: 'New', commands })).toMatchObject({
      ...after,
      name: 'New',
    });
    const takeBackCommands = ['clear {nickname}'];
    expect(await service.update(CONTEXT, PRODUCT.id, { takeBackCommands })).toMatchObject({ commands: ['say old'] });
    expect(calls).toContainEqual(['store', SHOP, { ...stagesIn('old'), takeBackCommands }, TRANSACTION]);
    calls.length = 0;
    const same = { commandListId: 'old', commands: ['say old'], name: 'New' };
    expect(await service.update(CONTEXT, PRODUCT.id, { commands: ['say old'], name: 'New' })).toMatchObject(same);
    expect(calls.map(([name]) => name)).toEqual(['find', 'ofLists', 'update']);
  });

  it('holds a category in the transaction that puts the product into it, and no other', async () => {
    expect(await service.update(CONTEXT, PRODUCT.id, { categoryId: CATEGORY })).toMatchObject({ categoryId: CATEGORY });
    expect(setup.referred).toContainEqual(['lockCategory', SHOP, CATEGORY, TRANSACTION]);
    setup.referred.length = 0;
    setup.stored = [{ ...PRODUCT, categoryId: 'its category' }];
    await service.update(CONTEXT, PRODUCT.id, { name: 'New' });
    expect(await service.update(CONTEXT, PRODUCT.id, { categoryId: null })).toMatchObject({ categoryId: null });
    const holds = setup.referred.filter(([name]) => name === 'lockCategory');
    expect(holds).toEqual(Array(2).fill(['lockCategory', SHOP, null, TRANSACTION]));
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
    ['a category that the shop does not have', { categoryId: '0'.repeat(24) }, 'category_not_found'],
  ])('rejects %s, and stores nothing', async (_, change, code) => {
    await rejected(service.update(CONTEXT, PRODUCT.id, change), code);
    expect(calls.map(([name]) => name).filter((name) => name !== 'find' && name !== 'ofLists')).toEqual([]);
    expect(audit.entries).toEqual([]);
  });
});

it.each([
  ['update', () => service.update(FOREIGN, PRODUCT.id, { name: 'New' })],
  ['delete', () => service.delete(FOREIGN, PRODUCT.id)],
])('rejects, in %s, a product that the shop does not have', async (_, work) => {
  await rejected(work(), 'product_not_found');
  expect(audit.entries).toEqual([]);
});

describe('delete', () => {
  it('archives the product, with the audit entry of what it was, in one transaction', async () => {
    const deleted = await service.delete(CONTEXT, PRODUCT.id);
    expect(deleted).toEqual({ ...PRODUCT, ...STAGES });
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'product.deleted',
        subjectId: PRODUCT.id,
        changes: [
          { field: 'name', before: 'VIP', after: null },
          { field: 'featured', before: 'false', after: null },
          { field: 'price', before: '9.99', after: null },
          { field: 'position', before: '0', after: null },
          { field: 'commands', before: STAGES.commands[0], after: null },
          { field: 'ownedEverywhere', before: 'false', after: null },
          { field: 'requiresOnline', before: 'false', after: null },
          { field: 'restockOnRefund', before: 'false', after: null },
          { field: 'isActive', before: 'true', after: null },
          { field: 'showBefore', before: 'false', after: null },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });
});
