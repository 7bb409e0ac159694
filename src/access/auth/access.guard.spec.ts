import { beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP, USER } from '../../../test/support/contexts.js';
import { GuardedRoutes, MEMBER, PERSON, rejection } from '../../../test/support/guarded-routes.js';
import { type Permission } from '../../domain/principal/permissions.js';

let routes: GuardedRoutes;

beforeEach(() => {
  routes = new GuardedRoutes();
});

describe('AccessGuard', () => {
  it('rejects every request to a route without an access decorator, even with a valid credential', async () => {
    for (const sent of [{}, { tokens: ['right'] }, { keys: ['right'] }]) {
      await expect(routes.enter('undecorated', sent)).rejects.toThrow('Routes has a route without an access decorator');
    }
    expect(routes.calls).toEqual([]);
  });

  it('ignores every credential on a public route', async () => {
    expect(await routes.enter('open', { keys: ['wrong'], tokens: ['wrong'] })).toBeUndefined();
    expect(routes.calls).toEqual([]);
  });

  it('accepts a person with a valid token on a route outside of any shop', async () => {
    expect(await routes.enter('mine', { tokens: ['right'] })).toEqual(PERSON);
  });

  it('rejects a key on a route for people, without reading the key', async () => {
    await expect(routes.enter('mine', { keys: ['right'] })).rejects.toEqual(rejection('authentication_required'));
    expect(routes.calls).toEqual(['limit failedCredentials 192.0.2.7']);
  });

  it('rejects a key and a token together before it checks either', async () => {
    const both = { keys: ['right'], tokens: ['right'] };
    await expect(routes.enter('team', both)).rejects.toEqual(rejection('two_credentials'));
    await expect(routes.enter('team', { keys: [''], tokens: ['right'] })).rejects.toEqual(rejection('two_credentials'));
    expect(routes.calls).toEqual([]);
  });

  it('rejects a header that is sent twice, even with the same valid value', async () => {
    for (const sent of [{ keys: ['right', 'right'] }, { tokens: ['right', 'right'] }]) {
      await expect(routes.enter('team', sent)).rejects.toEqual(rejection('authentication_required'));
    }
    expect(routes.calls.filter((call) => !call.startsWith('limit'))).toEqual([]);
  });

  it('returns 401 with a challenge without a credential, and counts only wrong credentials as failed', async () => {
    await expect(routes.enter('team')).rejects.toMatchObject({
      code: 'authentication_required',
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
    expect(routes.calls).toEqual([]);
    await expect(routes.enter('team', { tokens: ['wrong'] })).rejects.toEqual(rejection('authentication_required'));
    expect(routes.calls).toEqual(['token', 'limit failedCredentials 192.0.2.7']);
  });

  it('returns 429 to an address that failed too often', async () => {
    routes.tooManyFailures = true;
    await expect(routes.enter('team', { keys: ['wrong'] })).rejects.toEqual(rejection('rate_limited'));
    expect(await routes.enter('team', { keys: ['right'] })).toMatchObject({ principal: 'key:1' });
  });

  it('returns 401 before 400, 403 and 404, so that a caller without a credential cannot find out which shops exist', async () => {
    for (const shopId of [SHOP, OTHER_SHOP, 'nothex']) {
      await expect(routes.enter('team', { shopId })).rejects.toEqual(rejection('authentication_required'));
      await expect(routes.enter('team', { shopId, keys: ['wrong'] })).rejects.toEqual(
        rejection('authentication_required'),
      );
    }
    expect(routes.calls.filter((call) => /membership|shop/.test(call))).toEqual([]);
  });

  it.each(['', 'nothex', '0'.repeat(23), '0'.repeat(25), `${SHOP}\n`])(
    'returns 400 for the shop id %j, and counts the request for the caller',
    async (shopId) => {
      await expect(routes.enter('team', { tokens: ['right'], shopId })).rejects.toEqual(rejection('malformed_id'));
      expect(routes.calls).toEqual(['token', `limit user user:${USER}`]);
    },
  );

  it('returns 403 for a shop without access, and 404 for a shop that does not exist', async () => {
    routes.held = null;
    await expect(routes.enter('team', { tokens: ['right'] })).rejects.toEqual(rejection('shop_access_denied'));
    const unknown = routes.enter('team', { tokens: ['right'], shopId: OTHER_SHOP });
    await expect(unknown).rejects.toEqual(rejection('shop_not_found'));
  });

  it('rejects a key in another shop, also when its creator is a member there, and stores no activity', async () => {
    const elsewhere = '655f1c2ab1e4a9d3f0c81299';
    const entered = routes.enter('team', { keys: ['right'], shopId: elsewhere });
    await expect(entered).rejects.toEqual(rejection('shop_access_denied'));
    expect(routes.calls).toEqual(['key right from 192.0.2.7', 'limit apiKey key:1', `limit shopKeys ${SHOP}`, 'shop']);
  });

  it('gives a person the permissions of their role, and a key those of them that its own list has', async () => {
    expect(await routes.enter('team', { tokens: ['right'] })).toEqual({
      ...PERSON,
      shopId: SHOP,
      memberId: MEMBER,
      role: 'manager',
      permissions: routes.held,
      serverIds: null,
      readsBuyers: true,
      publicView: false,
    });
    expect(await routes.enter('team', { keys: ['right'], shopId: SHOP.toUpperCase() })).toEqual({
      principal: 'key:1',
      kind: 'api_key',
      userId: USER,
      credentialId: '1',
      shopId: SHOP,
      memberId: MEMBER,
      role: 'manager',
      permissions: new Set(['team:read', 'orders:read']),
      serverIds: null,
      readsBuyers: false,
      publicView: false,
    });
    routes.held = new Set<Permission>(['orders:read', 'orders:write']);
    await expect(routes.enter('team', { keys: ['right'] })).rejects.toEqual(rejection('permission_missing'));
  });

  it('requires all permissions of a route and names the missing ones', async () => {
    await expect(routes.enter('both', { tokens: ['right'] })).rejects.toThrow(
      'The credential lacks the permission team:write',
    );
    routes.held = new Set<Permission>();
    const none = routes.enter('both', { tokens: ['right'] });
    await expect(none).rejects.toThrow('The credential lacks the permission team:read and team:write');
    routes.held = new Set<Permission>(['team:read', 'team:write']);
    expect(await routes.enter('both', { tokens: ['right'] })).toMatchObject({ shopId: SHOP });
  });

  it('accepts every member and key of a shop on a route for members, even without any permission', async () => {
    routes.held = new Set<Permission>();
    for (const sent of [{ tokens: ['right'] }, { keys: ['right'] }]) {
      expect(await routes.enter('self', sent)).toMatchObject({ shopId: SHOP, permissions: new Set() });
    }
    routes.held = null;
    for (const sent of [{ tokens: ['right'] }, { keys: ['right'] }]) {
      await expect(routes.enter('self', sent)).rejects.toEqual(rejection('shop_access_denied'));
    }
    await expect(routes.enter('self')).rejects.toEqual(rejection('authentication_required'));
    await expect(routes.enter('self', { tokens: ['right'], shopId: OTHER_SHOP })).rejects.toEqual(
      rejection('shop_not_found'),
    );
  });

  it('returns 403 to a key from a wrong address before it checks the shop, and does not count it for the key', async () => {
    for (const shopId of [SHOP, OTHER_SHOP, 'nothex']) {
      await expect(routes.enter('team', { keys: ['elsewhere'], shopId })).rejects.toEqual(
        rejection('address_not_allowed'),
      );
    }
    expect(new Set(routes.calls)).toEqual(new Set(['key elsewhere from 192.0.2.7']));
  });

  it('throws the error of a database that is down, not the one of a wrong credential', async () => {
    const down = new Error('the database is down');
    routes = new GuardedRoutes(down);
    await expect(routes.enter('team', { keys: ['right'] })).rejects.toBe(down);
    await expect(routes.enter('mine', { tokens: ['right'] })).rejects.toBe(down);
  });
});
