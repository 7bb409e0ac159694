import { beforeEach, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { recording } from '../../../test/support/fakes.js';
import { productWith } from '../../../test/support/products.js';
import { Page } from '../../lib/paging/page.js';
import { type ServersService } from '../servers/servers.service.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type CategoriesRepository } from './categories.repository.js';
import { type Product } from './product.types.js';
import { type ProductsRepository } from './products.repository.js';
import { PublicCatalogueService } from './public-catalogue.service.js';

const PAGE = { after: null, limit: 50 };
const VISIBLE = new Set(['open']);
const PRODUCT = productWith({ serverIds: ['hidden', 'open'] });

let isOpen: boolean;
let found: Product | null;
let service: PublicCatalogueService;

beforeEach(() => {
  isOpen = true;
  found = PRODUCT;
  service = new PublicCatalogueService(
    recording<ProductsRepository>([], {
      listForSale: () => Promise.resolve(new Page([PRODUCT], 'next')),
      listActive: () => Promise.resolve(new Page([PRODUCT], 'next')),
      find: () => Promise.resolve(found),
    }),
    recording<CategoriesRepository>([], { listInOrder: () => Promise.resolve(new Page([], null)) }),
    recording<ServersService>([], {
      visibleIds: ({ shopId, serverIds }) =>
        Promise.resolve(new Set([...VISIBLE].filter((id) => shopId === SHOP && serverIds?.has(id) !== false))),
    }),
    recording<ShopsService>([], { isOpen: () => Promise.resolve(isOpen) }),
  );
});

it('lists what is for sale on visible servers, and names no other server', async () => {
  const page = await service.listProducts(SHOP, PAGE);
  expect([page.items, page.nextCursor]).toEqual([[{ ...PRODUCT, serverIds: ['open'] }], 'next']);
});

it('lists the categories in their order', async () => {
  expect((await service.listCategories(SHOP, PAGE)).items).toEqual([]);
});

it('hides a closed shop', async () => {
  isOpen = false;
  for (const list of [service.listProducts(SHOP, PAGE), service.listCategories(SHOP, PAGE)]) {
    await expect(list).rejects.toMatchObject({ code: 'shop_not_found' });
  }
});

it('lists for a storefront key the same products, newest first, of the servers of the key', async () => {
  const context = shopContext('owner', { publicView: true });
  expect((await service.listFor(context, PAGE)).items).toEqual([{ ...PRODUCT, serverIds: ['open'] }]);
  const elsewhere = { ...context, serverIds: new Set(['other']) };
  expect((await service.listFor(elsewhere, PAGE)).items).toEqual([{ ...PRODUCT, serverIds: [] }]);
});

it.each([
  ['a product for all servers', { serverIds: [] }, []],
  ['a product for visible and hidden servers', { serverIds: ['hidden', 'open'] }, ['open']],
])('shows a storefront key %s', async (_, fields, serverIds) => {
  found = productWith(fields);
  expect(await service.get(shopContext(), found.id)).toEqual({ ...found, serverIds });
});

it.each([
  ['an inactive product', productWith({ isActive: false })],
  ['a product for hidden servers only', productWith({ serverIds: ['hidden'] })],
  ['an unknown product', null],
])('throws product_not_found for %s', async (_, product) => {
  found = product;
  await expect(service.get(shopContext(), 'id')).rejects.toMatchObject({ code: 'product_not_found' });
});
