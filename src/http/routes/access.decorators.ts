import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { type Request } from 'express';
import { DocumentedErrors, DocumentedStatuses } from './documented-errors.decorator.js';
import { type AuthContext, type ShopContext } from '../../domain/principal/auth-context.js';
import { type Permission } from '../../domain/principal/permissions.js';

/** Who may call a route. The guard rejects a route without this. */
export type AccessRule =
  | { readonly kind: 'public'; readonly orKey?: Permission }
  | { readonly kind: 'authenticated' }
  | { readonly kind: 'permissions'; readonly permissions: readonly Permission[] }
  | { readonly kind: 'link'; readonly permissions: readonly Permission[] };

/** What any caller of any route may get. */
const ofAnyRoute = (): MethodDecorator =>
  applyDecorators(
    DocumentedStatuses(400, 404, 429),
    DocumentedErrors('validation_failed', 'rate_limited', 'too_many_at_once'),
  );

export const Access = Reflector.createDecorator<AccessRule>();

/** Needs no credential. Any credential that is sent is ignored. */
export function Public(): MethodDecorator {
  return applyDecorators(Access({ kind: 'public' }), ofAnyRoute());
}

/**
 * No header credential is required. A request with a key of the shop of the path that has this permission counts for the key,
 * not for the address: a storefront's server sends the requests of many buyers. A key from an address that it does not allow
 * is rejected; any other key is ignored, a storefront key too, because buyers can read it in their browsers.
 */
export function PublicOrKey(permission: Permission): MethodDecorator {
  return applyDecorators(
    Access({ kind: 'public', orKey: permission }),
    // The document lists both: no credential, and a key.
    ApiSecurity({}),
    ApiSecurity('apiKey'),
    ApiExtension('x-key-permission', permission),
    ofAnyRoute(),
    DocumentedErrors('address_not_allowed'),
  );
}

/** A person with a bearer token. A record of somebody else is a 404, never a 403. */
export function Authenticated(): MethodDecorator {
  return applyDecorators(
    Access({ kind: 'authenticated' }),
    ApiBearerAuth('bearer'),
    ofAnyRoute(),
    DocumentedErrors('two_credentials', 'authentication_required'),
  );
}

/** A key or a person with *all* of these permissions in the shop that the path names as `shopId`. */
export function RequirePermissions(...permissions: [Permission, ...Permission[]]): MethodDecorator {
  return inShop(permissions);
}

/** A key or a member of the shop that the path names as `shopId`, with any permissions. */
export function RequireMembership(): MethodDecorator {
  return inShop([]);
}

/**
 * A plugin of another system, in the way of that system: a key with *all* of these permissions that is bound to the game server that the path names
 * as `serverId`, in the header `Azuriom-Link-Token`. The shop is that of the key.
 */
export function LinkedServer(...permissions: [Permission, ...Permission[]]): MethodDecorator {
  return Access({ kind: 'link', permissions });
}

function inShop(permissions: readonly Permission[]): MethodDecorator {
  return applyDecorators(
    Access({ kind: 'permissions', permissions }),
    ApiSecurity('apiKey'),
    ApiBearerAuth('bearer'),
    // What the credential must have. These are not scopes of the security schemes, because not all tools support scopes outside
    // OAuth.
    ApiExtension('x-permissions', [...permissions]),
    ofAnyRoute(),
    DocumentedErrors('two_credentials', 'authentication_required', 'address_not_allowed', 'public_view_missing'),
    DocumentedErrors('permission_missing', 'shop_access_denied', 'server_access_denied', 'shop_not_found'),
  );
}

/** See `WithinServers`. */
export const ServerScoped = Reflector.createDecorator<boolean>();

/**
 * Marks a `@RequirePermissions()` route without `serverId` in its path whose service obeys `ShopContext.serverIds`.
 * Without this mark, the guard rejects keys that are bound to game servers. So a new route is closed to such keys until a
 * developer has decided about it. The guard itself checks a `serverId` in the path.
 */
export function WithinServers(): MethodDecorator {
  return ServerScoped(true);
}

/** See `PublicView`. */
export const HasPublicView = Reflector.createDecorator<boolean>();

/**
 * Marks a `@RequirePermissions()` route whose response contains only what everybody can see when `ShopContext.publicView` is
 * true. Without this mark, the guard rejects storefront keys. So a new route is closed to such keys until a developer has decided
 * about it.
 */
export function PublicView(): MethodDecorator {
  return HasPublicView(true);
}

function authOf(context: ExecutionContext): AuthContext {
  const { auth } = context.switchToHttp().getRequest<Request>();
  if (auth === undefined) throw new Error('@Auth() and @InShop() need a route that is not @Public()');
  return auth;
}

/** The address of the buyer who calls a `@PublicOrKey()` route; null for a storefront's server, which calls for many buyers. */
export const BuyerAddress = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const { auth, ip } = context.switchToHttp().getRequest<Request>();
  return auth === undefined ? (ip ?? '') : null;
});

/** The caller of an `@Authenticated()` route. */
export const Auth = createParamDecorator((_: unknown, context: ExecutionContext): AuthContext => authOf(context));

/** The caller of a `@RequirePermissions()` or `@RequireMembership()` route, inside the shop of the path. */
export const InShop = createParamDecorator((_: unknown, context: ExecutionContext): ShopContext => {
  const auth = authOf(context);
  if (!('shopId' in auth)) throw new Error('@InShop() needs a route of a shop');
  return auth as ShopContext;
});

declare global {
  // Express' own way to type what middleware attaches to a request.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      auth?: AuthContext;
    }
  }
}
