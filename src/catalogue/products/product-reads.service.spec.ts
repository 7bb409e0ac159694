import { beforeEach, expect, it } from '@jest/globals';
import { shopContext } from '../../../test/support/contexts.js';
import { type Call, recording } from '../../../test/support/fakes.js';
import { PRODUCT, stagesIn } from '../../../test/support/products-service.js';
import { Page } from '../../lib/paging/page.js';
import { ProductReadsService } from './product-reads.service.js';
import { type ProductsService } from './products.service.js';
import { type PublicCatalogueService } from './public-catalogue.service.js';

const PAGE = { after: null, limit: 50 };
const LISTED = { ...PRODUCT, reduction: null, priorPriceMinor: null, availability: 'available', tier: null } as const;
const FULL = { ...PRODUCT, ...stagesIn(PRODUCT.commandListId) };

let all: Call[];
let open: Call[];
let service: ProductReadsService;

beforeEach(() => {
  [all, open] = [[], []];
  service = new ProductReadsService(
    recording<ProductsService>(all, {
      list: () => Promise.resolve(new Page([FULL], null)),
      get: () => Promise.resolve(FULL),
    }),
    recording<PublicCatalogueService>(open, {
      listFor: () => Promise.resolve(new Page([LISTED], null)),
      get: () => Promise.resolve(LISTED),
    }),
  );
});

it('returns products with their commands to members and keys', async () => {
  const context = shopContext();
  expect((await service.list(context, {}, PAGE)).items).toEqual([FULL]);
  expect(await service.get(context, PRODUCT.id)).toEqual(FULL);
  expect(all).toEqual([
    ['list', context, {}, PAGE],
    ['get', context, PRODUCT.id],
  ]);
  expect(open).toEqual([]);
});

it('returns what everybody may see, without commands, to a caller who gets the public view', async () => {
  const context = shopContext('owner', { publicView: true });
  expect((await service.list(context, {}, PAGE)).items).toEqual([LISTED]);
  expect(await service.get(context, PRODUCT.id)).toEqual(LISTED);
  expect(open).toEqual([
    ['listFor', context, {}, PAGE],
    ['get', context, PRODUCT.id],
  ]);
  expect(all).toEqual([]);
});
