import { describe, expect, it } from '@jest/globals';
import { type HostSettings, isOfAuth, pageRouteOf } from './page-routing.js';

const PRODUCTION: HostSettings = {
  platformDomain: 'shops.example.net',
  serviceHost: 'api.example.net',
  servicePath: '',
  isProduction: true,
};
const DEVELOPMENT: HostSettings = { ...PRODUCTION, serviceHost: null, isProduction: false };

/** Where a request is led, and what stands before the paths of its links; null: it is none for a page. */
function ledTo(host: string, path: string, settings = PRODUCTION): readonly [path: string, base: string] | null {
  const route = pageRouteOf(host, path, settings);
  return route && [route.path, route.visit.base];
}

describe('pageRouteOf', () => {
  it.each([
    ['sky-realm.shops.example.net', '/', '/@shop/', { uniqueName: 'sky-realm' }],
    ['SKY-realm.Shops.example.net:8443', '/p/vip', '/@shop/p/vip', { uniqueName: 'sky-realm' }],
    ['sky-realm.shops.example.net.', '/', '/@shop/', { uniqueName: 'sky-realm' }],
    ['store.sky-realm.example', '/c/ranks', '/@shop/c/ranks', { hostname: 'store.sky-realm.example' }],
    ['store.sky-realm.example', '/shops/other/', '/@shop/shops/other/', { hostname: 'store.sky-realm.example' }],
    ['evil-api.example.net', '/', '/@shop/', { hostname: 'evil-api.example.net' }],
    ['sky.shops.example.net.evil.example', '/', '/@shop/', { hostname: 'sky.shops.example.net.evil.example' }],
    ['store.sky-realm.example', '/@service/assets/a/b', '/@shop/@service/assets/a/b', expect.anything()],
  ])('leads %s%s to the pages of the shop of this host', (host, path, expected, shop) => {
    const route = pageRouteOf(host, path, PRODUCTION);
    expect(route).toMatchObject({ path: expected, visit: { shop, base: '', root: '' } });
  });

  it.each([
    ['a.b.shops.example.net'],
    ['shops.example.net'],
    ['com'],
    ['co.uk'],
    ['10.0.0.1'],
    ['[::1]'],
    ['localhost'],
    ['evil.example@api.example.net'],
    ['api.example.net evil.example'],
    ['-sky.shops.example.net'],
    [''],
    ['%00'],
  ])('leads the host %j nowhere in production', (host) => {
    expect(ledTo(host, '/')).toEqual(['/@nowhere/', '']);
  });

  it.each([
    ['api.example.net', PRODUCTION],
    ['API.example.net:443', PRODUCTION],
    ['localhost:3000', DEVELOPMENT],
    ['127.0.0.1:3000', DEVELOPMENT],
    ['[::1]:3000', DEVELOPMENT],
    ['192.168.1.7', DEVELOPMENT],
  ])("serves shops by their names at the service's own host %s", (host, settings) => {
    expect(ledTo(host, '/shops/sky-realm', settings)).toEqual(['/@shop/', '/shops/sky-realm']);
    expect(ledTo(host, '/shops/sky-realm/p/vip', settings)).toEqual(['/@shop/p/vip', '/shops/sky-realm']);
    expect(ledTo(host, '/assets/1/a.svg', settings)).toEqual(['/@service/assets/1/a.svg', '']);
    expect(ledTo(host, '/', settings)).toEqual(['/@service/', '']);
    expect(ledTo(host, '/console/sky-realm', settings)).toEqual(['/@service/console/sky-realm', '']);
    expect(ledTo(host, '/consoles', settings)).toBeNull();
    expect(ledTo(host, '/nothing', settings)).toBeNull();
    expect(ledTo(host, '/@shop/p/vip', settings)).toBeNull();
  });

  it('puts the path of PUBLIC_URL before its links', () => {
    const settings = { ...PRODUCTION, servicePath: '/platform' };
    const { visit } = pageRouteOf('api.example.net', '/shops/sky-realm/', settings) ?? {};
    expect(visit).toMatchObject({ base: '/platform/shops/sky-realm', root: '/platform' });
  });

  it('leaves the API alone at every host', () => {
    for (const host of ['api.example.net', 'store.sky-realm.example', 'evil.example']) {
      expect(ledTo(host, '/api/v2')).toBeNull();
      expect(ledTo(host, '/API/v2/meta')).toBeNull();
    }
  });

  it.each(['//evil.example/', '/\\evil.example/'])('has for the links of %s no address of another host', (path) => {
    expect(pageRouteOf('store.sky-realm.example', path, PRODUCTION)?.visit.path).toBe('/evil.example/');
  });

  it('leads a path that cannot be decoded to one at which nothing is', () => {
    expect(ledTo('store.sky-realm.example', '/%zz')).toEqual(['/@shop/malformed/path', '']);
  });
});

it('knows the paths at which people log in', () => {
  expect(['/api/v2/auth', '/API/V2/auth/login', '/api/v2/authors'].map(isOfAuth)).toEqual([true, true, false]);
});
