import { beforeEach, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type ServersService } from '../servers/servers.service.js';
import { type CategoriesRepository } from './categories.repository.js';
import { ProductReferencesService } from './product-references.service.js';

let calls: Call[];
let service: ProductReferencesService;

beforeEach(() => {
  calls = [];
  service = new ProductReferencesService(
    recording<ServersService>(calls, { requireAll: () => Promise.resolve() }),
    recording<CategoriesRepository>(calls, { lock: (_, id) => Promise.resolve(id === 'known') }),
  );
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
