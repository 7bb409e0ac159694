import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Call, recording } from '../../test/support/fakes.js';
import { shopWith } from '../../test/support/shops.js';
import { type AppConfig } from '../config/app-config.js';
import { PublicShopsService } from './public-shops.service.js';
import { type Shop } from './shop.types.js';
import { type ShopsRepository } from './shops.repository.js';

let calls: Call[];
let found: Shop | null;
let service: PublicShopsService;

beforeEach(() => {
  calls = [];
  found = shopWith();
  service = new PublicShopsService(
    recording<ShopsRepository>(calls, {
      findByUniqueName: () => Promise.resolve(found),
      findByVerifiedHostname: () => Promise.resolve(found),
    }),
    { platformDomain: 'shops.example.net' } as AppConfig,
  );
});

describe('byName', () => {
  it('finds a shop by its name in any case', async () => {
    expect(await service.byName('Sky-Realm')).toEqual(shopWith());
    expect(calls).toEqual([['findByUniqueName', 'sky-realm']]);
  });

  it('reads nothing for a name that no shop can have', async () => {
    await expect(service.byName('$ne')).rejects.toMatchObject({ code: 'shop_not_found' });
    expect(calls).toEqual([]);
  });
});

describe('byHost', () => {
  it.each([
    ['its address on the platform', 'Sky-Realm.shops.example.net:443', ['findByUniqueName', 'sky-realm']],
    ['its verified domain', 'Store.Example.com.', ['findByVerifiedHostname', 'store.example.com']],
  ])('finds a shop by %s', async (_, host, call) => {
    expect(await service.byHost(host)).toEqual(shopWith());
    expect(calls).toEqual([call]);
  });

  it.each(['shops.example.net', 'a.b.shops.example.net', '127.0.0.1', ''])(
    'reads nothing for %j, which no shop can have',
    async (host) => {
      await expect(service.byHost(host)).rejects.toMatchObject({ code: 'shop_not_found' });
      expect(calls).toEqual([]);
    },
  );
});

it.each([
  ['an unknown shop', null],
  ['a closed shop', shopWith({ isActive: false })],
])('finds nothing for %s', async (_, shop) => {
  found = shop;
  await expect(service.byName('sky-realm')).rejects.toMatchObject({ code: 'shop_not_found' });
  await expect(service.byHost('sky-realm.shops.example.net')).rejects.toMatchObject({ code: 'shop_not_found' });
  await expect(service.byHost('store.example.com')).rejects.toMatchObject({ code: 'shop_not_found' });
});
