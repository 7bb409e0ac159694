import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request } from 'express';
import { KeyVerifierService } from '../api-keys/key-verifier.service.js';
import { Access, type AccessRule, HasPublicView, ServerScoped } from '../../http/routes/access.decorators.js';
import {
  type AuthContext,
  isStorefront,
  type KeyPrincipal,
  requireServer,
  type ShopContext,
} from '../../domain/principal/auth-context.js';
import { type Permission } from '../../domain/principal/permissions.js';
import { AppError } from '../../domain/errors/app-error.js';
import { PublicUrl } from '../../http/addresses/public-url.js';
import { isFromOwnOrigin } from '../../http/requests/own-origin.js';
import { namedShop } from '../../http/routes/path-parameters.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { credentialHint } from './credential-hint.js';
import { isByCookie } from './console-cookie.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';

/** See `LinkedServer`. */
const LINK_TOKEN = 'azuriom-link-token';

/**
 * The only reader of credentials. It checks in the contract's order: 401 (403 for a valid key from an address that it does
 * not allow), then 400 for a malformed id, then 403 for a shop or a game server without access, then 404. A route without an
 * access decorator rejects everybody with 500, because it is an error of the service, not of the caller.
 *
 * A request costs two reads: the credential, and the membership, which services find in their `ShopContext`. The shop itself is read
 * only when access is denied. Nothing is cached: a credential or a membership that ends, in any process, is invalid from the next
 * request on.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: JwtAuthGuard,
    private readonly keys: KeyVerifierService,
    private readonly memberships: MembershipsService,
    private readonly shops: ShopsService,
    private readonly limiter: RateLimiter,
    private readonly url: PublicUrl,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(Access, context.getHandler());
    if (rule === undefined) throw new Error(`${context.getClass().name} has a route without an access decorator`);
    const request = context.switchToHttp().getRequest<Request>();
    if (rule.kind === 'public') return this.enterPublic(request, rule.orKey);
    const auth = rule.kind === 'link' ? await this.linked(request) : await this.authenticate(context, rule);
    // Set and counted before the shop is checked, so that rejected requests also appear in the log and count for the limit.
    request.auth = auth;
    await this.count(auth, request);
    if (rule.kind !== 'authenticated') {
      const shopId = rule.kind === 'link' ? (auth as KeyPrincipal).shopId : namedShop(request);
      const entered = await this.enterShop(auth, shopId, rule.permissions);
      this.restrictToServers(entered, request, context);
      await this.restrictToPublicView(entered, context);
      request.auth = entered;
    }
    return true;
  }

  /** Finds the caller of a public route if the request has a key with the permission `orKey`. A storefront key identifies nobody. */
  private async enterPublic(request: Request, orKey: Permission | undefined): Promise<true> {
    if (orKey === undefined) return true;
    const key = await this.keyOf(request);
    if (key === null || key.publicView || key.serverIds !== null || key.shopId !== namedShop(request)) return true;
    if (!key.scopes.has(orKey)) return true;
    const membership = await this.memberships.membershipOf(key.userId, key.shopId);
    if (membership?.permissions.has(orKey) !== true) return true;
    request.auth = key;
    await this.count(key, request);
    return true;
  }

  /** Counts a request for its caller, and the requests of all keys of a shop together. */
  private async count(auth: AuthContext, request: Request): Promise<void> {
    const { res } = request;
    if (isStorefront(auth)) return this.countVisitor(auth, request);
    if (auth.kind === 'user') return this.limiter.consume('user', auth.principal, res);
    await this.limiter.consume('apiKey', auth.principal, res);
    await this.limiter.consume('shopKeys', (auth as KeyPrincipal).shopId, res);
  }

  /**
   * Counts a request with a storefront key for the address of the visitor: everybody can read the key, and nobody may close the shop for
   * others with it. Above the limit of the key, it counts as a request without a key does.
   */
  private async countVisitor({ principal }: AuthContext, { ip, res }: Request): Promise<void> {
    await this.limiter.consume('publicShop', ip, res);
    if (!(await this.limiter.tryConsume('storefrontKey', principal))) await this.limiter.consume('anonymous', ip, res);
  }

  private async authenticate(context: ExecutionContext, rule: AccessRule): Promise<AuthContext> {
    const request = context.switchToHttp().getRequest<Request>();
    const { 'x-api-key': keys, authorization: tokens } = request.headersDistinct;
    if (keys !== undefined && tokens !== undefined) throw new AppError('two_credentials');
    const auth = await this.callerOf(context, rule);
    if (auth !== null) return auth;
    if (keys !== undefined || tokens !== undefined || isByCookie(request)) {
      await this.limiter.consume('failedCredentials', request.ip, request.res);
    }
    const hint = credentialHint({ authorization: tokens?.[0], apiKey: keys?.[0] }, rule.kind === 'permissions');
    const message = hint === undefined ? {} : { message: hint };
    throw new AppError('authentication_required', { ...message, headers: { 'WWW-Authenticate': 'Bearer' } });
  }

  private async callerOf(context: ExecutionContext, rule: AccessRule): Promise<AuthContext | null> {
    const request = context.switchToHttp().getRequest<Request>();
    const { authorization: tokens } = request.headersDistinct;
    // A repeated header is ambiguous: a proxy in front may have checked the other one.
    if (tokens !== undefined) return tokens.length === 1 ? this.tokens.callerOf(context) : null;
    if (isByCookie(request)) {
      this.requireOwnPage(request);
      return this.tokens.callerOf(context);
    }
    return rule.kind === 'permissions' ? this.keyOf(request) : null;
  }

  /**
   * Browsers send the cookie of the console on their own, so a request that changes something must say that a page of ours sent it.
   * Only scripts of our own origin can set the header: CORS allows no other one to send cookies.
   */
  private requireOwnPage({ method, headers }: Request): void {
    if (method === 'GET' || method === 'HEAD') return;
    if (headers['x-csrf'] === '1' && isFromOwnOrigin(headers, this.url.base())) return;
    throw new AppError('authentication_required', {
      message: 'The session cookie counts only from our own pages, and with the header X-CSRF: 1',
    });
  }

  /** The key of a plugin of another system. One that is not bound to a game server is for more than such a plugin may do. */
  private async linked(request: Request): Promise<KeyPrincipal> {
    const key = await this.keyOf(request, LINK_TOKEN);
    if (key?.serverIds === null) {
      throw new AppError('server_access_denied', { message: 'Link the server with a key that is bound to it' });
    }
    if (key !== null) return key;
    if (LINK_TOKEN in request.headers) await this.limiter.consume('failedCredentials', request.ip, request.res);
    throw new AppError('authentication_required', {
      message: 'The key is missing or not valid: link the server again',
    });
  }

  /** The caller with the valid API key of a request; null for none, an invalid one, and for several. */
  private async keyOf(request: Request, header = 'x-api-key'): Promise<KeyPrincipal | null> {
    const [key, ...more] = request.headersDistinct[header] ?? [];
    return key === undefined || more.length > 0 ? null : this.keys.verify(key, request.ip);
  }

  private async enterShop(
    auth: AuthContext,
    shopId: string | null,
    required: readonly Permission[],
  ): Promise<ShopContext> {
    if (shopId === null) throw new AppError('malformed_id');
    const key = auth.kind === 'api_key' ? (auth as KeyPrincipal) : null;
    // The creator of the key may be a member of the shop that the request names. The key is for one shop.
    const isElsewhere = key !== null && key.shopId !== shopId;
    const membership = isElsewhere ? null : await this.memberships.membershipOf(auth.userId, shopId);
    if (membership === null) {
      throw new AppError((await this.shops.exists(shopId)) ? 'shop_access_denied' : 'shop_not_found');
    }
    const { memberId, role, permissions: held } = membership;
    const permissions = key === null ? held : new Set([...key.scopes].filter((scope) => held.has(scope)));
    const missing = required.filter((permission) => !permissions.has(permission));
    if (missing.length > 0) {
      throw new AppError('permission_missing', {
        message: `The credential lacks the permission ${missing.join(' and ')}`,
      });
    }
    const { principal, kind, userId, credentialId } = auth;
    const { serverIds, publicView, readsBuyers } = key ?? { serverIds: null, publicView: false, readsBuyers: true };
    const limits = { serverIds, publicView, readsBuyers };
    return { principal, kind, userId, credentialId, shopId, memberId, role, permissions, ...limits };
  }

  private restrictToServers(entered: ShopContext, request: Request, context: ExecutionContext): void {
    if (entered.serverIds === null) return;
    const named = request.params['serverId'];
    if (named !== undefined) {
      if (!isObjectId(named)) throw new AppError('malformed_id');
      requireServer(entered, named.toLowerCase());
    } else if (this.reflector.get<boolean | undefined>(ServerScoped, context.getHandler()) !== true) {
      throw new AppError('server_access_denied', {
        message: 'The API key is restricted to game servers, and this endpoint is for the whole shop',
      });
    }
  }

  /** Everybody can read a storefront key. It gets no more than the public: nothing of a closed shop, and no private records. */
  private async restrictToPublicView({ publicView, shopId }: ShopContext, context: ExecutionContext): Promise<void> {
    if (!publicView) return;
    if (this.reflector.get<boolean | undefined>(HasPublicView, context.getHandler()) !== true) {
      throw new AppError('public_view_missing');
    }
    if (!(await this.shops.isOpen(shopId))) throw new AppError('shop_not_found');
  }
}
