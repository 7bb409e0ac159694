import { beforeEach, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { type Call, recording } from '../../../test/support/fakes.js';
import { shopWith } from '../../../test/support/shops.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { PublicShopsService } from './public-shops.service.js';
import { type WholeShop } from './shop.types.js';
import { type ShopsRepository } from './shops.repository.js';

let calls: Call[];
let found: WholeShop | null;
let failure: Error | null;
let service: PublicShopsService;

beforeEach(() => {
  calls = [];
  found = shopWith();
  failure = null;
  service = new PublicShopsService(
    recording<ShopsRepository>(calls, {
      findByUniqueName: () => Promise.resolve(found),
      findByVerifiedHostname: () => (failure === null ? Promise.resolve(found) : Promise.reject(failure)),
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

describe('the front end of a shop', () => {
  const CUSTOM = 'https://store.example.com';
  const READ = ['findByVerifiedHostname', 'store.example.com'];

  it('accepts every address below the platform as a front end, without a read', async () => {
    expect(await service.isFrontEnd('https://sky-realm.shops.example.net')).toBe(true);
    expect(calls).toEqual([]);
  });

  it('accepts a verified domain as a front end, with one read for the requests of a page', async () => {
    expect([await service.isFrontEnd(CUSTOM), await service.isFrontEnd(CUSTOM)]).toEqual([true, true]);
    expect(calls).toEqual([READ]);
  });

  it.each([
    ['an unknown domain', null],
    ['the domain of a closed shop', shopWith({ isActive: false })],
  ])('rejects %s as a front end, and remembers it too', async (_, shop) => {
    found = shop;
    expect([await service.isFrontEnd(CUSTOM), await service.isFrontEnd(CUSTOM)]).toEqual([false, false]);
    expect(calls).toEqual([READ]);
  });

  it.each([
    ...['', 'null', 'http://sky-realm.shops.example.net', 'https://sky-realm.shops.example.net:8443', `${CUSTOM}/`],
    ...[`x${CUSTOM}`, `null ${CUSTOM}`],
    ...['https://shops.example.net', 'https://a.b.shops.example.net', 'https://Sky-Realm.shops.example.net'],
    ...['https://STORE.example.com', 'https://store.example.com.', 'https://127.0.0.1', 'https://localhost'],
  ])('rejects %j as a front end, without a read', async (origin) => {
    expect(await service.isFrontEnd(origin)).toBe(false);
    expect(calls).toEqual([]);
  });

  it('rejects a custom domain while the database is not available, and reads it again later', async () => {
    failure = new mongoose.Error.MongooseServerSelectionError('down');
    expect(await service.isFrontEnd(CUSTOM)).toBe(false);
    failure = null;
    expect(await service.isFrontEnd(CUSTOM)).toBe(true);
    failure = new Error('a fault of ours');
    await expect(service.isFrontEnd('https://other.example.com')).rejects.toBe(failure);
  });
});
