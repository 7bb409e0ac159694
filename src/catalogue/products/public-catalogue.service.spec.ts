import { beforeEach, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { recording } from '../../../test/support/fakes.js';
import { shopWith } from '../../../test/support/shops.js';
import { snapshotsOf, snapshotWith, soldServerWith, soldWith } from '../../../test/support/snapshots.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type SoldProduct } from '../snapshot/catalogue-snapshot.js';
import { type ProductsRepository } from './products.repository.js';
import { PublicCatalogueService } from './public-catalogue.service.js';

const PAGE = { after: null, limit: 50 };
const OPEN = soldServerWith().id;
const CATEGORY = {
  id: '655f1c2ab1e4a9d3f0c81290',
  name: 'Ranks',
  slug: null,
  description: '',
  parentId: null,
  imageId: null,
  position: 0,
};

let isOpen: boolean;
let left: number;
let revision: string;
let commit: string | null;
let product: SoldProduct;
let service: PublicCatalogueService;

beforeEach(() => {
  [isOpen, left, revision, commit] = [true, 3, 'r1', null];
  product = soldWith({ stock: 9, serverIds: ['hidden', OPEN] });
  const snapshot = () => {
    const servers = [soldServerWith(), soldServerWith({ id: 'hidden', isHidden: true })];
    return snapshotWith({ products: [product], categories: [CATEGORY], servers }, revision);
  };
  service = new PublicCatalogueService(
    recording<ProductsRepository>([], { stockOf: (_, ids) => Promise.resolve(new Map(ids.map((id) => [id, left]))) }),
    recording<ShopsService>([], {
      publicSettingsOf: () => (isOpen ? Promise.resolve(shopWith()) : Promise.reject(new AppError('shop_not_found'))),
    }),
    snapshotsOf(snapshot),
    {
      version: '2.0.0',
      get commit() {
        return commit;
      },
    },
  );
});

/** What the public sees of `product`. */
const shown = () => {
  const { hasStock: _hasStock, stages: _stages, ...fields } = product;
  const price = { reduction: null, priorPriceMinor: null };
  return { ...fields, serverIds: [OPEN], stock: left, ...price, availability: 'available', tier: null };
};

it('lists what is for sale on visible servers with the units that are left, and neither commands nor other servers', async () => {
  const page = (await service.listProducts(SHOP, {}, PAGE)).build();
  expect([page.items, page.nextCursor]).toEqual([[shown()], null]);
});

it('finds what is for sale by its id and by its slug, and nothing else', async () => {
  product = { ...product, slug: 'vip-rank' };
  for (const name of [product.id, product.id.toUpperCase(), 'vip-rank']) {
    expect((await service.productOf(SHOP, name)).build()).toEqual({ ...shown(), slug: 'vip-rank' });
  }
  await expect(service.productOf(SHOP, 'VIP-RANK')).rejects.toMatchObject({ code: 'product_not_found' });
  product = { ...product, isActive: false };
  await expect(service.productOf(SHOP, 'vip-rank')).rejects.toMatchObject({ code: 'product_not_found' });
});

it('has those of some products that are for sale, by id', async () => {
  const unknown = '655f1c2ab1e4a9d3f0c8ffff';
  expect(await service.productsOf(SHOP, [unknown, product.id])).toEqual(new Map([[product.id, shown()]]));
  product = { ...product, isActive: false };
  expect(await service.productsOf(SHOP, [product.id])).toEqual(new Map());
});

it('does not read a shop again that the request has read, and hides it too when it is closed', async () => {
  isOpen = false;
  expect((await service.listProducts(shopWith(), {}, PAGE)).build().items).toEqual([shown()]);
  const closed = service.listProducts(shopWith({ isActive: false }), {}, PAGE);
  await expect(closed).rejects.toMatchObject({ code: 'shop_not_found' });
});

it('lists the categories', async () => {
  expect((await service.listCategories(SHOP, PAGE)).build().items).toEqual([CATEGORY]);
});

it('gives a response another version when the catalogue, the units that are left or the service change', async () => {
  const versions: unknown[] = [];
  const read = async (): Promise<void> => void versions.push((await service.listProducts(SHOP, {}, PAGE)).version);
  await read();
  await read();
  expect(versions[1]).toEqual(versions[0]);
  left = 2;
  await read();
  revision = 'r2';
  await read();
  commit = 'abc';
  await read();
  expect(new Set(versions.map((version) => JSON.stringify(version))).size).toBe(4);
});

it('hides a closed shop', async () => {
  isOpen = false;
  const context = shopContext('owner', { publicView: true });
  for (const read of [
    service.listProducts(SHOP, {}, PAGE),
    service.listCategories(SHOP, PAGE),
    service.listFor(context, {}, PAGE),
    service.get(context, product.id),
    service.productOf(SHOP, product.id),
  ]) {
    await expect(read).rejects.toMatchObject({ code: 'shop_not_found' });
  }
});

it('lists and shows a storefront key the same products, of the servers of the key', async () => {
  const context = shopContext('owner', { publicView: true });
  expect((await service.listFor(context, {}, PAGE)).items).toEqual([shown()]);
  expect(await service.get(context, product.id)).toEqual(shown());
  const elsewhere = { ...context, serverIds: new Set(['hidden']) };
  expect((await service.listFor(elsewhere, {}, PAGE)).items).toEqual([]);
  await expect(service.get(elsewhere, product.id)).rejects.toMatchObject({ code: 'product_not_found' });
});

it('throws product_not_found for an unknown product', async () => {
  await expect(service.get(shopContext(), '0'.repeat(24))).rejects.toMatchObject({ code: 'product_not_found' });
});
