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
  service = serviceIn('production');
});

function serviceIn(environment: AppConfig['environment']): PublicShopsService {
  return new PublicShopsService(
    recording<ShopsRepository>(calls, {
      findByUniqueName: () => Promise.resolve(found),
      findByVerifiedHostname: () => Promise.resolve(found),
      isOrigin: () => (failure === null ? Promise.resolve(found !== null) : Promise.reject(failure)),
    }),
    { platformDomain: 'shops.example.net', environment } as AppConfig,
  );
}

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

it('finds nothing for an unknown shop, and returns a closed one', async () => {
  found = null;
  await expect(service.byName('sky-realm')).rejects.toMatchObject({ code: 'shop_not_found' });
  await expect(service.byHost('sky-realm.shops.example.net')).rejects.toMatchObject({ code: 'shop_not_found' });
  await expect(service.byHost('store.example.com')).rejects.toMatchObject({ code: 'shop_not_found' });
  found = shopWith({ isActive: false });
  expect([await service.byName('sky-realm'), await service.byHost('store.example.com')]).toEqual([found, found]);
});

describe('the front end of a shop', () => {
  const CUSTOM = 'https://store.example.com';
  const READ = ['isOrigin', CUSTOM, 'store.example.com'];

  it('accepts every address below the platform as a front end, without a read', async () => {
    expect(await service.isFrontEnd('https://sky-realm.shops.example.net')).toBe(true);
    expect(calls).toEqual([]);
  });

  it('accepts an origin of a shop as a front end, with one read for the requests of a page', async () => {
    expect([await service.isFrontEnd(CUSTOM), await service.isFrontEnd(CUSTOM)]).toEqual([true, true]);
    expect(calls).toEqual([READ]);
  });

  it('rejects an origin of no shop as a front end, and remembers it too', async () => {
    found = null;
    expect([await service.isFrontEnd(CUSTOM), await service.isFrontEnd(CUSTOM)]).toEqual([false, false]);
    expect(calls).toEqual([READ]);
  });

  it('accepts each origin of the computer of a developer outside of production, without a read', async () => {
    const development = serviceIn('development');
    for (const origin of ['http://localhost:5173', 'https://127.0.0.1:8443', 'http://a.localhost']) {
      expect([await development.isFrontEnd(origin), await service.isFrontEnd(`${origin}/`)]).toEqual([true, false]);
    }
    expect(await service.isFrontEnd('http://localhost:5173')).toBe(false);
    expect(calls).toEqual([]);
  });

  it.each([
    ...['', 'null', 'http://sky-realm.shops.example.net', `${CUSTOM}/`],
    ...[`x${CUSTOM}`, `null ${CUSTOM}`],
    ...['https://STORE.example.com', 'https://Sky-Realm.shops.example.net'],
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
