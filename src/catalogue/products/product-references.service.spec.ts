import { beforeEach, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { productWith } from '../../../test/support/products.js';
import { type ServersService } from '../servers/servers.service.js';
import { type CategoriesRepository } from './categories.repository.js';
import { type Product } from './product.types.js';
import { type ImagesService } from '../../shops/images/images.service.js';
import { type TierGroupsService } from '../tier-groups/tier-groups.service.js';
import { ComparedProducts } from '../../shops/shops/compared-products.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { ProductReferencesService } from './product-references.service.js';
import { type ProductsRepository } from './products.repository.js';

let calls: Call[];
let stored: Product[];
let service: ProductReferencesService;

beforeEach(() => {
  [calls, stored] = [[], [productWith({ id: 'vip' }), productWith({ id: 'vip90', name: 'VIP 90', countsAs: 'vip' })]];
  service = new ProductReferencesService(
    recording<ServersService>(calls, { requireAll: () => Promise.resolve() }),
    recording<CategoriesRepository>(calls, { lock: (_, id) => Promise.resolve(id === 'known') }),
    recording<ProductsRepository>(calls, {
      find: (_, id) => Promise.resolve(stored.find((product) => product.id === id) ?? null),
      countKnown: (_, ids) => Promise.resolve(stored.filter(({ id }) => ids.includes(id)).length),
      isHead: (_, id) => Promise.resolve(stored.some(({ countsAs }) => countsAs === id)),
    }),
    recording<ImagesService>(calls, { use: () => Promise.resolve() }),
    recording<TierGroupsService>(calls, {}),
    recording<ShopsService>([], {}),
    new ComparedProducts(),
  );
});

it('keeps the images of a product in its transaction', async () => {
  await service.useImages(SHOP, ['image'], TRANSACTION);
  expect(calls).toEqual([['use', SHOP, ['image'], TRANSACTION]]);
});

it('requires the servers of the shop', async () => {
  await service.requireServers(SHOP, ['server']);
  expect(calls).toEqual([['requireAll', SHOP, ['server']]]);
});

it('holds a category of the shop in the transaction, rejects any other, and holds nothing for none', async () => {
  await service.lockCategory(SHOP, null, TRANSACTION);
  await service.lockCategory(SHOP, 'known', TRANSACTION);
  expect(calls).toEqual([['lock', SHOP, 'known', TRANSACTION]]);
  await expect(service.lockCategory(SHOP, 'other', TRANSACTION)).rejects.toMatchObject({ code: 'category_not_found' });
});

it.each<[string | null, string | null, string | null]>([
  [null, 'vip', null],
  ['vip', null, null],
  ['vip', 'vip90', null],
  ['vip', 'vip', 'countsAs must be another product: send null for the product itself'],
  ['vip90', 'new', 'countsAs must be a product that counts as itself: VIP 90 does not'],
  ['vip2', 'new', 'There is no such product'],
])('checks as which product %j the product %j counts: %j', async (countsAs, productId, problem) => {
  const check = service.requireHead(SHOP, countsAs, productId, TRANSACTION);
  if (problem === null) await check;
  else await expect(check).rejects.toThrow(problem);
});

it('rejects a head that counts as another product', async () => {
  stored = [...stored, productWith({ id: 'mvp' })];
  const check = service.requireHead(SHOP, 'mvp', 'vip', TRANSACTION);
  await expect(check).rejects.toThrow('countsAs must be null, because other products count as this one');
});

it.each<[readonly string[], string | null, string | null]>([
  [[], 'vip', null],
  [['vip', 'vip90'], 'pet', null],
  [['vip'], null, null],
  [['vip', 'gone'], 'pet', 'There is no such product'],
  [['vip90', 'vip'], 'vip', 'requires and excludedBy must name other products'],
])('checks that a rule can name %j of the product %j: %j', async (named, productId, problem) => {
  const check = service.requireOthers(SHOP, named, productId, TRANSACTION);
  if (problem === null) await check;
  else await expect(check).rejects.toThrow(problem);
});
