import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { type Request } from 'express';
import { DocumentedErrors } from '../errors/documented-errors.decorator.js';
import { type AuthContext, type ShopContext } from './auth-context.js';
import { type Permission } from './permissions.js';

/** What a route asks of its caller. A route without it is refused. */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'authenticated' }
  | { readonly kind: 'permissions'; readonly permissions: readonly Permission[] };

export const Access = Reflector.createDecorator<AccessRule>();

/** No header credential; whatever is sent is ignored. */
export function Public(): MethodDecorator {
  return applyDecorators(Access({ kind: 'public' }), DocumentedErrors(400, 404, 429));
}

/** A person with a bearer token. What is not the caller's does not exist for them: 404, never 403. */
export function Authenticated(): MethodDecorator {
  return applyDecorators(
    Access({ kind: 'authenticated' }),
    ApiBearerAuth('bearer'),
    DocumentedErrors(400, 401, 404, 429),
  );
}

/** A key or a person holding *all* of these permissions in the shop that the path names as `shopId`. */
export function RequirePermissions(...permissions: [Permission, ...Permission[]]): MethodDecorator {
  return inShop(permissions);
}

/** A key or a member of the shop that the path names as `shopId`, whatever it may do there: to learn just that. */
export function RequireMembership(): MethodDecorator {
  return inShop([]);
}

function inShop(permissions: readonly Permission[]): MethodDecorator {
  return applyDecorators(
    Access({ kind: 'permissions', permissions }),
    ApiSecurity('apiKey'),
    ApiBearerAuth('bearer'),
    // What the credential has to hold. Not as scopes of the schemes: only OAuth schemes have those everywhere.
    ApiExtension('x-permissions', [...permissions]),
    DocumentedErrors(400, 401, 403, 404, 429),
  );
}

/** See `WithinServers`. */
export const HoldsToServers = Reflector.createDecorator<boolean>();

/**
 * Says of a `@RequirePermissions()` route without `serverId` in its path that its service holds to `ShopContext.serverIds`.
 * Without it the guard refuses keys that are bound to game servers: a new route is closed to them until somebody has thought
 * of it. A `serverId` in the path is checked by the guard itself.
 */
export function WithinServers(): MethodDecorator {
  return HoldsToServers(true);
}

function authOf(context: ExecutionContext): AuthContext {
  const { auth } = context.switchToHttp().getRequest<Request>();
  if (auth === undefined) throw new Error('@Auth() and @InShop() stand on routes that are not @Public()');
  return auth;
}

/** The caller of an `@Authenticated()` route. */
export const Auth = createParamDecorator((_: unknown, context: ExecutionContext): AuthContext => authOf(context));

/** The caller of a `@RequirePermissions()` or `@RequireMembership()` route, inside the shop of the path. */
export const InShop = createParamDecorator((_: unknown, context: ExecutionContext): ShopContext => {
  const auth = authOf(context);
  if (!('shopId' in auth)) throw new Error('@InShop() stands on routes of a shop');
  return auth as ShopContext;
});
