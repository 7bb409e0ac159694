import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request } from 'express';
import { AppError } from '../errors/app-error.js';
import { type RateLimiter } from '../throttling/rate-limiter.js';
import { Authenticated, Public, RequireMembership, RequirePermissions, WithinServers } from './access.decorators.js';
import { AccessGuard } from './access.guard.js';
import { type AuthContext, isOwnerInPerson, type KeyPrincipal } from './auth-context.js';
import { type CredentialVerifier, type ShopAccess, type ShopDirectory } from './auth.ports.js';
import { type Permission } from './permissions.js';

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
let refuseFailures: boolean;
let guard: AccessGuard;

beforeEach(() => {
  held = new Set<Permission>(['team:read', 'orders:read', 'orders:write']);
  calls = [];
  refuseFailures = false;
  const credentials: CredentialVerifier = {
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
  const access: ShopAccess = {
    membershipOf: (userId, shopId) => {
      note(`membership ${userId} ${shopId}`);
      return Promise.resolve(held && { memberId: MEMBER, role: 'manager', permissions: held });
    },
  };
  const shops: ShopDirectory = { exists: (shopId) => Promise.resolve(note('shop') && shopId !== OTHER_SHOP) };
  const limiter = {
    consume: (name: string, subject: string) => {
      note(`limit ${name} ${subject}`);
      return refuseFailures && name === 'failedCredentials'
        ? Promise.reject(new AppError('rate_limited'))
        : Promise.resolve();
    },
  } as unknown as RateLimiter;
  guard = new AccessGuard(new Reflector(), credentials, access, shops, limiter);
});

function note(call: string): boolean {
  calls.push(call);
  return true;
}

/** Sends a request through the guard; what comes out is what the guard attached. */
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

const refusal = (code: string): unknown => expect.objectContaining({ name: 'AppError', code });

describe('AccessGuard', () => {
  it('refuses a route without an access decorator for everybody, also with a right credential', async () => {
    for (const sent of [{}, { tokens: ['right'] }, { keys: ['right'] }]) {
      await expect(enter('undecorated', sent)).rejects.toThrow('Routes has a route without an access decorator');
    }
    expect(calls).toEqual([]);
  });

  it('looks at no credential on a public route', async () => {
    expect(await enter('open', { keys: ['wrong'], tokens: ['wrong'] })).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it('lets a person with a right token in, outside of any shop', async () => {
    expect(await enter('mine', { tokens: ['right'] })).toEqual(PERSON);
    expect(calls).toEqual(['token', `limit user user:${USER}`]);
  });

  it('takes no key on a route for people, and does not even look it up', async () => {
    await expect(enter('mine', { keys: ['right'] })).rejects.toEqual(refusal('authentication_required'));
    expect(calls).toEqual(['limit failedCredentials 192.0.2.7']);
  });

  it('refuses a key and a token together before it looks at either', async () => {
    const both = { keys: ['right'], tokens: ['right'] };
    await expect(enter('team', both)).rejects.toEqual(refusal('two_credentials'));
    await expect(enter('team', { keys: [''], tokens: ['right'] })).rejects.toEqual(refusal('two_credentials'));
    expect(calls).toEqual([]);
  });

  it('refuses a header that comes twice, even with the same right value', async () => {
    for (const sent of [{ keys: ['right', 'right'] }, { tokens: ['right', 'right'] }]) {
      await expect(enter('team', sent)).rejects.toEqual(refusal('authentication_required'));
    }
    expect(calls.filter((call) => !call.startsWith('limit'))).toEqual([]);
  });

  it('says 401 with a challenge without a credential, and counts only wrong ones as failed', async () => {
    await expect(enter('team')).rejects.toMatchObject({
      code: 'authentication_required',
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
    expect(calls).toEqual([]);
    await expect(enter('team', { tokens: ['wrong'] })).rejects.toEqual(refusal('authentication_required'));
    expect(calls).toEqual(['token', 'limit failedCredentials 192.0.2.7']);
  });

  it('says 429 to an address that failed too often', async () => {
    refuseFailures = true;
    await expect(enter('team', { keys: ['wrong'] })).rejects.toEqual(refusal('rate_limited'));
    expect(await enter('team', { keys: ['right'] })).toMatchObject({ principal: 'key:1' });
  });

  it('says 401 before 400, 403 and 404: nobody without a credential learns which shops there are', async () => {
    for (const shopId of [SHOP, OTHER_SHOP, 'nothex']) {
      await expect(enter('team', { shopId })).rejects.toEqual(refusal('authentication_required'));
      await expect(enter('team', { shopId, keys: ['wrong'] })).rejects.toEqual(refusal('authentication_required'));
    }
    expect(calls.filter((call) => /membership|shop/.test(call))).toEqual([]);
  });

  it.each(['', 'nothex', '0'.repeat(23), '0'.repeat(25), `${SHOP}\n`])(
    "says 400 to the shop id %j before any read of memberships, and counts it as the caller's",
    async (shopId) => {
      await expect(enter('team', { tokens: ['right'], shopId })).rejects.toEqual(refusal('malformed_id'));
      expect(calls).toEqual(['token', `limit user user:${USER}`]);
    },
  );

  it('says 403 for a shop without access, and 404 where there is none', async () => {
    held = null;
    await expect(enter('team', { tokens: ['right'] })).rejects.toEqual(refusal('shop_access_denied'));
    const unknown = enter('team', { tokens: ['right'], shopId: OTHER_SHOP });
    await expect(unknown).rejects.toEqual(refusal('shop_not_found'));
  });

  it('keeps a key to its shop without asking whether its creator is a member of another', async () => {
    const elsewhere = '655f1c2ab1e4a9d3f0c81299';
    const entered = enter('team', { keys: ['right'], shopId: elsewhere });
    await expect(entered).rejects.toEqual(refusal('shop_access_denied'));
    expect(calls).toEqual(['key right from 192.0.2.7', 'limit apiKey key:1', 'shop']);
  });

  it('gives a person what their role holds, a key the part of it that its own list has, both the place in the team', async () => {
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
    await expect(enter('team', { keys: ['right'] })).rejects.toEqual(refusal('permission_missing'));
  });

  it('asks for all permissions of a route and names those that are missing', async () => {
    await expect(enter('both', { tokens: ['right'] })).rejects.toThrow(
      'The credential lacks the permission team:write',
    );
    held = new Set<Permission>();
    const none = enter('both', { tokens: ['right'] });
    await expect(none).rejects.toThrow('The credential lacks the permission team:read and team:write');
    held = new Set<Permission>(['team:read', 'team:write']);
    expect(await enter('both', { tokens: ['right'] })).toMatchObject({ shopId: SHOP });
  });

  it('lets every member and key of a shop into a route for members, also with no permission at all', async () => {
    held = new Set<Permission>();
    for (const sent of [{ tokens: ['right'] }, { keys: ['right'] }]) {
      expect(await enter('self', sent)).toMatchObject({ shopId: SHOP, permissions: new Set() });
    }
    held = null;
    for (const sent of [{ tokens: ['right'] }, { keys: ['right'] }]) {
      await expect(enter('self', sent)).rejects.toEqual(refusal('shop_access_denied'));
    }
    await expect(enter('self')).rejects.toEqual(refusal('authentication_required'));
    await expect(enter('self', { tokens: ['right'], shopId: OTHER_SHOP })).rejects.toEqual(refusal('shop_not_found'));
  });

  it('says 403 to a key from a wrong address before it looks at the shop, and takes nothing from its quota', async () => {
    for (const shopId of [SHOP, OTHER_SHOP, 'nothex']) {
      await expect(enter('team', { keys: ['elsewhere'], shopId })).rejects.toEqual(refusal('address_not_allowed'));
    }
    expect(new Set(calls)).toEqual(new Set(['key elsewhere from 192.0.2.7']));
  });

  it('keeps a key that is bound to game servers to those that the path names', async () => {
    for (const serverId of [SERVER, SERVER.toUpperCase()]) {
      expect(await enter('team', { keys: ['bound'], serverId })).toMatchObject({ serverIds: new Set([SERVER]) });
    }
    const other = enter('team', { keys: ['bound'], serverId: OTHER_SHOP });
    await expect(other).rejects.toThrow('The API key is bound to other game servers');
    await expect(enter('team', { keys: ['bound'], serverId: 'x' })).rejects.toEqual(refusal('malformed_id'));
    expect(await enter('team', { keys: ['right'], serverId: OTHER_SHOP })).toMatchObject({ serverIds: null });
  });

  it('closes every other route to it, unless the route says that it holds to the servers itself', async () => {
    const whole = enter('team', { keys: ['bound'] });
    await expect(whole).rejects.toThrow(
      'The API key is bound to game servers, and this endpoint is about the whole shop',
    );
    await expect(enter('both', { keys: ['bound'] })).rejects.toEqual(refusal('permission_missing'));
    expect(await enter('within', { keys: ['bound'] })).toMatchObject({ serverIds: new Set([SERVER]) });
    expect(await enter('within', { tokens: ['right'] })).toMatchObject({ serverIds: null });
  });

  it('passes a database that is down on as what it is: not as a wrong credential', async () => {
    const down = new Error('the database is down');
    const failing = { verifyApiKey: () => Promise.reject(down), verifyBearer: () => Promise.reject(down) };
    guard = new AccessGuard(
      new Reflector(),
      failing,
      { membershipOf: () => Promise.reject(down) },
      { exists: () => Promise.reject(down) },
      {} as RateLimiter,
    );
    await expect(enter('team', { keys: ['right'] })).rejects.toBe(down);
    await expect(enter('mine', { tokens: ['right'] })).rejects.toBe(down);
  });
});

describe('an owner in person', () => {
  it.each([
    ['user', 'owner', true],
    ['user', 'admin', false],
    ['api_key', 'owner', false],
  ] as const)('a %s of an %s: %s', (kind, role, expected) => {
    expect(isOwnerInPerson({ kind, role })).toBe(expected);
  });
});
