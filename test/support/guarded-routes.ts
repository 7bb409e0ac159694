import { expect } from '@jest/globals';
import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request } from 'express';
import { type KeyVerifierService } from '../../src/access/api-keys/key-verifier.service.js';
import { AccessGuard } from '../../src/access/auth/access.guard.js';
import { consoleCookieOf } from '../../src/access/auth/console-cookie.js';
import { type JwtAuthGuard } from '../../src/access/auth/jwt-auth.guard.js';
import {
  Authenticated,
  Public,
  PublicOrKey,
  PublicView,
  RequireMembership,
  RequirePermissions,
  WithinServers,
} from '../../src/http/routes/access.decorators.js';
import { type AuthContext, type KeyPrincipal } from '../../src/domain/principal/auth-context.js';
import { type Permission } from '../../src/domain/principal/permissions.js';
import { AppError } from '../../src/domain/errors/app-error.js';
import { type PublicUrl } from '../../src/http/addresses/public-url.js';
import { type RateLimiter } from '../../src/http/throttling/rate-limiter.js';
import { type MembershipsService } from '../../src/shops/memberships/memberships.service.js';
import { type ShopsService } from '../../src/shops/shops/shops.service.js';
import { OTHER_SHOP, SHOP, USER } from './contexts.js';

export const PERSON: AuthContext = { principal: `user:${USER}`, kind: 'user', userId: USER, credentialId: 'session' };
/** The key `right` of `SHOP`. */
export const KEY: KeyPrincipal = {
  principal: 'key:1',
  kind: 'api_key',
  userId: USER,
  credentialId: '1',
  shopId: SHOP,
  scopes: new Set<Permission>(['team:read', 'orders:read']),
  serverIds: null,
  readsBuyers: false,
  publicView: false,
};
export const MEMBER = '655f1c2ab1e4a9d3f0c81231';
export const SERVER = '655f1c2ab1e4a9d3f0c81260';
/** The key `published` of `SHOP`, a storefront key. */
export const PUBLISHED: KeyPrincipal = { ...KEY, publicView: true };
/** The key `bound`, which is bound to one game server. */
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
  @RequirePermissions('team:read') @PublicView() shown(): void {}
  undecorated(): void {}
}

/** What a request to a route has. The shop is `SHOP`, if the test names no other one. */
export interface Sent {
  readonly keys?: string[];
  readonly tokens?: string[];
  /** The value of the console's cookie. */
  readonly cookie?: string;
  readonly method?: string;
  /** Headers besides the credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly shopId?: string;
  readonly serverId?: string;
}

/** The guard in front of routes with every kind of access, with fakes of what it calls. */
export class GuardedRoutes {
  /** The permissions of the member; null: nobody is a member. */
  held: ReadonlySet<Permission> | null = new Set<Permission>(['team:read', 'orders:read', 'orders:write']);
  tooManyFailures = false;
  /** Whether a storefront key is over its limit. */
  isKeyBusy = false;
  /** Whether the shop is open to the public. */
  isOpen = true;
  /** What the guard called, in this order. */
  readonly calls: string[] = [];
  readonly #guard: AccessGuard;

  /** @param down with an error, every call of the guard fails with it, as when the database is down */
  constructor(down?: Error) {
    const called = (call: string): Promise<void> => {
      this.calls.push(call);
      return down === undefined ? Promise.resolve() : Promise.reject(down);
    };
    const keys: Pick<KeyVerifierService, 'verify'> = {
      verify: async (key, address) => {
        await called(`key ${key} from ${address ?? 'nowhere'}`);
        if (key === 'elsewhere') throw new AppError('address_not_allowed');
        return { right: KEY, bound: BOUND, published: PUBLISHED }[key] ?? null;
      },
    };
    const tokens: Pick<JwtAuthGuard, 'callerOf'> = {
      callerOf: async (context) => {
        await called('token');
        const request = context.switchToHttp().getRequest<Request>();
        const token = request.headersDistinct['authorization']?.[0] ?? consoleCookieOf(request);
        return token === 'right' ? PERSON : null;
      },
    };
    // The person is a member of every shop, or of none.
    const memberships: Pick<MembershipsService, 'membershipOf'> = {
      membershipOf: async (userId, shopId) => {
        await called(`membership ${userId} ${shopId}`);
        return this.held && { memberId: MEMBER, role: 'manager', permissions: this.held };
      },
    };
    const shops: Pick<ShopsService, 'exists' | 'isOpen'> = {
      isOpen: async () => {
        await called('open');
        return this.isOpen;
      },
      exists: async (shopId) => {
        await called('shop');
        return shopId !== OTHER_SHOP;
      },
    };
    const limiter = {
      tryConsume: async (name: string, subject: string): Promise<boolean> => {
        await called(`limit ${name} ${subject}`);
        return !this.isKeyBusy;
      },
      consume: async (name: string, subject: string): Promise<void> => {
        await called(`limit ${name} ${subject}`);
        if (this.tooManyFailures && name === 'failedCredentials') throw new AppError('rate_limited');
      },
    } as unknown as RateLimiter;
    this.#guard = new AccessGuard(
      new Reflector(),
      tokens as JwtAuthGuard,
      keys as KeyVerifierService,
      memberships as MembershipsService,
      shops as ShopsService,
      limiter,
      { base: () => 'https://shops.example' } as PublicUrl,
    );
  }

  /** Sends a request through the guard, and returns what the guard attached to it. */
  async enter(route: keyof Routes, sent: Sent = {}): Promise<Request['auth']> {
    const { keys, tokens, cookie, method = 'GET', headers = {}, shopId = SHOP, serverId } = sent;
    const credentials = { ...(keys ? { 'x-api-key': keys } : {}), ...(tokens ? { authorization: tokens } : {}) };
    const request = {
      method,
      headers: {
        ...headers,
        ...Object.fromEntries(Object.entries(credentials).map(([name, values]) => [name, values.join(', ')])),
        ...(cookie === undefined ? {} : { cookie: `session=${cookie}` }),
      },
      headersDistinct: credentials,
      params: { shopId, ...(serverId === undefined ? {} : { serverId }) },
      ip: '192.0.2.7',
    } as unknown as Request;
    const context = {
      getHandler: () => Reflect.get(Routes.prototype, route) as unknown,
      getClass: () => Routes,
      switchToHttp: () => ({ getRequest: () => request }),
    } as unknown as ExecutionContext;
    expect(await this.#guard.canActivate(context)).toBe(true);
    return request.auth;
  }
}

/** Matches an error of the catalogue. */
export const rejection = (code: string): unknown => expect.objectContaining({ name: 'AppError', code });
