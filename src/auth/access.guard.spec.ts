import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request } from 'express';
import {
  Authenticated,
  Public,
  PublicOrKey,
  RequireMembership,
  RequirePermissions,
  WithinServers,
} from '../common/auth/access.decorators.js';
import { type AuthContext, type KeyPrincipal } from '../common/auth/auth-context.js';
import { type Permission } from '../common/auth/permissions.js';
import { AppError } from '../common/errors/app-error.js';
import { type RateLimiter } from '../common/throttling/rate-limiter.js';
import { type MembershipsService } from '../memberships/memberships.service.js';
import { type ShopsService } from '../shops/shops.service.js';
import { AccessGuard } from './access.guard.js';
import { type CredentialVerifierService } from './credential-verifier.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const OTHER_SHOP = '655f1c2ab1e4a9d3f0c81235';
const USER = '655f1c2ab1e4a9d3f0c81230';
const PERSON: AuthContext = { principal: `user:${USER}`, kind: 'user', userId: USER, credentialId: 'session' };
const KEY: KeyPrincipal = {
  principal: 'key:1',
  kind: 'api_key',
  userId: USER,
  credentialId: '1',
  shopId: SHOP,
  scopes: new Set<Permission>(['team:read', 'orders:read']),
  serverIds: null,
};
const MEMBER = '655f1c2ab1e4a9d3f0c81231';
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const BOUND: KeyPrincipal = { ...KEY, serverIds: new Set([SERVER]) };

class Routes {
  @Public() open(): void {}
  @PublicOrKey('orders:read') storefront(): void {}
  @PublicOrKey('orders:write') checkout(): void {}
  @Authenticated() mine(): void {}
  @RequirePermissions('team:read') team(): void {}
  @RequirePermissions('team:read', 'team:write') both(): void {}
  @RequireMembership() self(): void {}
  @RequirePermissions('team:read') @WithinServers() within(): void {}
  undecorated(): void {}
}

interface Sent {
  readonly keys?: string[];
  readonly tokens?: string[];
  readonly shopId?: string;
  readonly serverId?: string;
}

let held: ReadonlySet<Permission> | null;
let calls: string[];
let tooManyFailures: boolean;
let guard: AccessGuard;

beforeEach(() => {
  held = new Set<Permission>(['team:read', 'orders:read', 'orders:write']);
  calls = [];
  tooManyFailures = false;
  const credentials: Pick<CredentialVerifierService, 'verifyApiKey' | 'verifyBearer'> = {
    verifyApiKey: (key, address) => {
      note(`key ${key} from ${address ?? 'nowhere'}`);
      if (key === 'elsewhere') return Promise.reject(new AppError('address_not_allowed'));
      return Promise.resolve(key === 'right' ? KEY : key === 'bound' ? BOUND : null);
    },
    verifyBearer: (request) => {
      note('token');
      return Promise.resolve(request.headersDistinct['authorization']?.[0] === 'right' ? PERSON : null);
    },
  };
  const memberships: Pick<MembershipsService, 'membershipOf'> = {
    membershipOf: (userId, shopId) => {
      note(`membership ${userId} ${shopId}`);
      return Promise.resolve(held && { memberId: MEMBER, role: 'manager', permissions: held });
    },
  };
  const shops: Pick<ShopsService, 'exists'> = {
    exists: (shopId) => Promise.resolve(note('shop') && shopId !== OTHER_SHOP),
  };
  const limiter = {
    consume: (name: string, subject: string) => {
      note(`limit ${name} ${subject}`);
      return tooManyFailures && name === 'failedCredentials'
        ? Promise.reject(new AppError('rate_limited'))
        : Promise.resolve();
    },
  } as unknown as RateLimiter;
  guard = new AccessGuard(
    new Reflector(),
    credentials as CredentialVerifierService,
    memberships as MembershipsService,
    shops as ShopsService,
    limiter,
  );
});

function note(call: string): boolean {
  calls.push(call);
  return true;
}

/** Sends a request through the guard, and returns what the guard attached to it. */
async function enter(
  route: keyof Routes,
  { keys, tokens, shopId = SHOP, serverId }: Sent = {},
): Promise<Request['auth']> {
  const request = {
    headersDistinct: { ...(keys ? { 'x-api-key': keys } : {}), ...(tokens ? { authorization: tokens } : {}) },
    params: { shopId, ...(serverId === undefined ? {} : { serverId }) },
    ip: '192.0.2.7',
  } as unknown as Request;
  const context = {
    getHandler: () => Reflect.get(Routes.prototype, route) as unknown,
    getClass: () => Routes,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  expect(await guard.canActivate(context)).toBe(true);
  return request.auth;
}

const rejection = (code: string): unknown => expect.objectContaining({ name: 'AppError', code });

describe('AccessGuard', () => {
  it('rejects every request to a route without an access decorator, even with a valid credential', async () => {
    for (const sent of [{}, { tokens: ['right'] }, { keys: ['right'] }]) {
      await expect(enter('undecorated', sent)).rejects.toThrow('Routes has a route without an access decorator');
    }
    expect(calls).toEqual([]);
  });

  it('ignores every credential on a public route', async () => {
    expect(await enter('open', { keys: ['wrong'], tokens: ['wrong'] })).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it('counts a request to a public route for the key of the shop that it has, where the route takes keys', async () => {
    expect(await enter('storefront', { keys: ['right'], shopId: SHOP.toUpperCase() })).toBe(KEY);
    expect(calls).toEqual([
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
    ['a key without the permission', 'checkout', { keys: ['right'] }],
  ] as const)('lets a request with %s pass a public route, and counts it for no key', async (_, route, sent) => {
    expect(await enter(route, sent as Sent)).toBeUndefined();
    expect(calls.filter((call) => call.startsWith('limit'))).toEqual([]);
  });

  it.each([[new Set<Permission>()], [null]])('ignores a key whose creator has lost the permission', async (now) => {
    held = now;
    expect(await enter('storefront', { keys: ['right'] })).toBeUndefined();
    expect(calls.filter((call) => call.startsWith('limit'))).toEqual([]);
  });

  it('accepts a person with a valid token on a route outside of any shop', async () => {
    expect(await enter('mine', { tokens: ['right'] })).toEqual(PERSON);
    expect(calls).toEqual(['token', `limit user user:${USER}`]);
  });

  it('rejects a key on a route for people, without reading the key', async () => {
    await expect(enter('mine', { keys: ['right'] })).rejects.toEqual(rejection('authentication_required'));
    expect(calls).toEqual(['limit failedCredentials 192.0.2.7']);
  });

  it('rejects a key and a token together before it checks either', async () => {
    const both = { keys: ['right'], tokens: ['right'] };
    await expect(enter('team', both)).rejects.toEqual(rejection('two_credentials'));
    await expect(enter('team', { keys: [''], tokens: ['right'] })).rejects.toEqual(rejection('two_credentials'));
    expect(calls).toEqual([]);
  });

  it('rejects a header that is sent twice, even with the same valid value', async () => {
    for (const sent of [{ keys: ['right', 'right'] }, { tokens: ['right', 'right'] }]) {
      await expect(enter('team', sent)).rejects.toEqual(rejection('authentication_required'));
    }
    expect(calls.filter((call) => !call.startsWith('limit'))).toEqual([]);
  });

  it('returns 401 with a challenge without a credential, and counts only wrong credentials as failed', async () => {
    await expect(enter('team')).rejects.toMatchObject({
      code: 'authentication_required',
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
    expect(calls).toEqual([]);
    await expect(enter('team', { tokens: ['wrong'] })).rejects.toEqual(rejection('authentication_required'));
    expect(calls).toEqual(['token', 'limit failedCredentials 192.0.2.7']);
  });

  it('returns 429 to an address that failed too often', async () => {
    tooManyFailures = true;
    await expect(enter('team', { keys: ['wrong'] })).rejects.toEqual(rejection('rate_limited'));
    expect(await enter('team', { keys: ['right'] })).toMatchObject({ principal: 'key:1' });
  });

  it('returns 401 before 400, 403 and 404, so nobody without a credential learns which shops exist', async () => {
    for (const shopId of [SHOP, OTHER_SHOP, 'nothex']) {
      await expect(enter('team', { shopId })).rejects.toEqual(rejection('authentication_required'));
      await expect(enter('team', { shopId, keys: ['wrong'] })).rejects.toEqual(rejection('authentication_required'));
    }
    expect(calls.filter((call) => /membership|shop/.test(call))).toEqual([]);
  });

  it.each(['', 'nothex', '0'.repeat(23), '0'.repeat(25), `${SHOP}\n`])(
    'returns 400 for the shop id %j before it reads a membership, and counts the request for the caller',
    async (shopId) => {
      await expect(enter('team', { tokens: ['right'], shopId })).rejects.toEqual(rejection('malformed_id'));
      expect(calls).toEqual(['token', `limit user user:${USER}`]);
    },
  );

  it('returns 403 for a shop without access, and 404 for a shop that does not exist', async () => {
    held = null;
    await expect(enter('team', { tokens: ['right'] })).rejects.toEqual(rejection('shop_access_denied'));
    const unknown = enter('team', { tokens: ['right'], shopId: OTHER_SHOP });
    await expect(unknown).rejects.toEqual(rejection('shop_not_found'));
  });

  it('rejects a key in another shop, without reading whether its creator is a member there', async () => {
    const elsewhere = '655f1c2ab1e4a9d3f0c81299';
    const entered = enter('team', { keys: ['right'], shopId: elsewhere });
    await expect(entered).rejects.toEqual(rejection('shop_access_denied'));
    expect(calls).toEqual(['key right from 192.0.2.7', 'limit apiKey key:1', `limit shopKeys ${SHOP}`, 'shop']);
  });

  it('gives a person the permissions of their role, and a key those of them that its own list has', async () => {
    expect(await enter('team', { tokens: ['right'] })).toEqual({
      ...PERSON,
      shopId: SHOP,
      memberId: MEMBER,
      role: 'manager',
      permissions: held,
      serverIds: null,
    });
    expect(await enter('team', { keys: ['right'], shopId: SHOP.toUpperCase() })).toEqual({
      principal: 'key:1',
      kind: 'api_key',
      userId: USER,
      credentialId: '1',
      shopId: SHOP,
      memberId: MEMBER,
      role: 'manager',
      permissions: new Set(['team:read', 'orders:read']),
      serverIds: null,
    });
    held = new Set<Permission>(['orders:read', 'orders:write']);
    await expect(enter('team', { keys: ['right'] })).rejects.toEqual(rejection('permission_missing'));
  });

  it('requires all permissions of a route and names the missing ones', async () => {
    await expect(enter('both', { tokens: ['right'] })).rejects.toThrow(
      'The credential lacks the permission team:write',
    );
    held = new Set<Permission>();
    const none = enter('both', { tokens: ['right'] });
    await expect(none).rejects.toThrow('The credential lacks the permission team:read and team:write');
    held = new Set<Permission>(['team:read', 'team:write']);
    expect(await enter('both', { tokens: ['right'] })).toMatchObject({ shopId: SHOP });
  });

  it('accepts every member and key of a shop on a route for members, even without any permission', async () => {
    held = new Set<Permission>();
    for (const sent of [{ tokens: ['right'] }, { keys: ['right'] }]) {
      expect(await enter('self', sent)).toMatchObject({ shopId: SHOP, permissions: new Set() });
    }
    held = null;
    for (const sent of [{ tokens: ['right'] }, { keys: ['right'] }]) {
      await expect(enter('self', sent)).rejects.toEqual(rejection('shop_access_denied'));
    }
    await expect(enter('self')).rejects.toEqual(rejection('authentication_required'));
    await expect(enter('self', { tokens: ['right'], shopId: OTHER_SHOP })).rejects.toEqual(rejection('shop_not_found'));
  });

  it('returns 403 to a key from a wrong address before it checks the shop, and does not count it for the key', async () => {
    for (const shopId of [SHOP, OTHER_SHOP, 'nothex']) {
      await expect(enter('team', { keys: ['elsewhere'], shopId })).rejects.toEqual(rejection('address_not_allowed'));
    }
    expect(new Set(calls)).toEqual(new Set(['key elsewhere from 192.0.2.7']));
  });

  it('accepts a key that is bound to game servers only for those servers', async () => {
    for (const serverId of [SERVER, SERVER.toUpperCase()]) {
      expect(await enter('team', { keys: ['bound'], serverId })).toMatchObject({ serverIds: new Set([SERVER]) });
    }
    const other = enter('team', { keys: ['bound'], serverId: OTHER_SHOP });
    await expect(other).rejects.toThrow('The API key is bound to other game servers');
    await expect(enter('team', { keys: ['bound'], serverId: 'x' })).rejects.toEqual(rejection('malformed_id'));
    expect(await enter('team', { keys: ['right'], serverId: OTHER_SHOP })).toMatchObject({ serverIds: null });
  });

  it('rejects such a key on every other route, unless the route declares that it checks the servers itself', async () => {
    await expect(enter('team', { keys: ['bound'] })).rejects.toMatchObject({
      code: 'server_access_denied',
      message: 'The API key is bound to game servers, and this endpoint is about the whole shop',
    });
    await expect(enter('both', { keys: ['bound'] })).rejects.toEqual(rejection('permission_missing'));
    expect(await enter('within', { keys: ['bound'] })).toMatchObject({ serverIds: new Set([SERVER]) });
    expect(await enter('within', { tokens: ['right'] })).toMatchObject({ serverIds: null });
  });

  it('throws the error of a database that is down, not the one of a wrong credential', async () => {
    const down = new Error('the database is down');
    const failing = { verifyApiKey: () => Promise.reject(down), verifyBearer: () => Promise.reject(down) };
    guard = new AccessGuard(
      new Reflector(),
      failing as unknown as CredentialVerifierService,
      { membershipOf: () => Promise.reject(down) } as unknown as MembershipsService,
      { exists: () => Promise.reject(down) } as unknown as ShopsService,
      {} as RateLimiter,
    );
    await expect(enter('team', { keys: ['right'] })).rejects.toBe(down);
    await expect(enter('mine', { tokens: ['right'] })).rejects.toBe(down);
  });
});
