import { beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP, USER } from '../../../test/support/contexts.js';
import { GuardedRoutes, KEY, rejection, type Sent, SERVER } from '../../../test/support/guarded-routes.js';
import { type Permission } from '../../domain/principal/permissions.js';

let routes: GuardedRoutes;

beforeEach(() => {
  routes = new GuardedRoutes();
});

describe('a public route', () => {
  it('counts a request to a public route for the key of the shop that it has, where the route takes keys', async () => {
    expect(await routes.enter('storefront', { keys: ['right'], shopId: SHOP.toUpperCase() })).toBe(KEY);
    expect(routes.calls).toEqual([
      'key right from 192.0.2.7',
      `membership ${USER} ${SHOP}`,
      'limit apiKey key:1',
      `limit shopKeys ${SHOP}`,
    ]);
  });

  it.each([
    ['no key', 'storefront', {}],
    ['a wrong key', 'storefront', { keys: ['wrong'] }],
    ['two keys', 'storefront', { keys: ['right', 'right'] }],
    ['a token', 'storefront', { tokens: ['right'] }],
    ['a key of another shop', 'storefront', { keys: ['right'], shopId: OTHER_SHOP }],
    ['a key that is bound to game servers', 'storefront', { keys: ['bound'] }],
    ['a storefront key', 'storefront', { keys: ['published'] }],
    ['a key without the permission', 'checkout', { keys: ['right'] }],
  ] as const)('lets a request with %s pass a public route, and counts it for no key', async (_, route, sent) => {
    expect(await routes.enter(route, sent as Sent)).toBeUndefined();
    expect(routes.calls.filter((call) => call.startsWith('limit'))).toEqual([]);
  });

  it.each([[new Set<Permission>()], [null]])('ignores a key whose creator has lost the permission', async (now) => {
    routes.held = now;
    expect(await routes.enter('storefront', { keys: ['right'] })).toBeUndefined();
    expect(routes.calls.filter((call) => call.startsWith('limit'))).toEqual([]);
  });
});

describe('a key that is bound to game servers', () => {
  it('accepts a key that is bound to game servers only for those servers', async () => {
    for (const serverId of [SERVER, SERVER.toUpperCase()]) {
      expect(await routes.enter('team', { keys: ['bound'], serverId })).toMatchObject({ serverIds: new Set([SERVER]) });
    }
    const other = routes.enter('team', { keys: ['bound'], serverId: OTHER_SHOP });
    await expect(other).rejects.toThrow('The API key is restricted to other game servers');
    await expect(routes.enter('team', { keys: ['bound'], serverId: 'x' })).rejects.toEqual(rejection('malformed_id'));
    expect(await routes.enter('team', { keys: ['right'], serverId: OTHER_SHOP })).toMatchObject({ serverIds: null });
  });

  it('rejects a key that is bound to game servers on every other route, unless the route declares that it checks the servers itself', async () => {
    await expect(routes.enter('team', { keys: ['bound'] })).rejects.toMatchObject({
      code: 'server_access_denied',
      message: 'The API key is restricted to game servers, and this endpoint is for the whole shop',
    });
    await expect(routes.enter('both', { keys: ['bound'] })).rejects.toEqual(rejection('permission_missing'));
    expect(await routes.enter('within', { keys: ['bound'] })).toMatchObject({ serverIds: new Set([SERVER]) });
    expect(await routes.enter('within', { tokens: ['right'] })).toMatchObject({ serverIds: null });
  });
});

describe('a storefront key, which everybody can read', () => {
  const keys = ['published'];

  it('accepts a storefront key only on routes with a public view, which then know it', async () => {
    expect(await routes.enter('shown', { keys })).toMatchObject({ publicView: true });
    for (const route of ['team', 'self', 'within'] as const) {
      await expect(routes.enter(route, { keys })).rejects.toEqual(rejection('public_view_missing'));
    }
    for (const credential of [{ keys: ['right'] }, { tokens: ['right'] }]) {
      expect(await routes.enter('shown', credential)).toMatchObject({ publicView: false });
    }
  });

  it('counts a request with a storefront key by address, and above the limit of the key as one without a key', async () => {
    await routes.enter('shown', { keys });
    const limits = ['limit publicShop 192.0.2.7', 'limit storefrontKey key:1'];
    const counted = (): string[] => routes.calls.filter((call) => call.startsWith('limit'));
    expect(counted()).toEqual(limits);
    routes.isKeyBusy = true;
    expect(await routes.enter('shown', { keys })).toMatchObject({ publicView: true });
    expect(counted()).toEqual([...limits, ...limits, 'limit anonymous 192.0.2.7']);
  });

  it('returns 404 to a storefront key of a closed shop', async () => {
    routes.isOpen = false;
    await expect(routes.enter('shown', { keys })).rejects.toEqual(rejection('shop_not_found'));
    expect(await routes.enter('shown', { keys: ['right'] })).toMatchObject({ publicView: false });
  });
});
