import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request } from 'express';
import { Access } from '../routes/access.decorators.js';
import { type CallerKind, type Limit, type LimitName, LIMITS } from '../../domain/limits/limits.js';
import { type AuthContext, isStorefront } from '../../domain/principal/auth-context.js';

/**
 * The limits of a route; `[]`: none. On a public route they replace `anonymous`. On other routes the caller's own limit counts too.
 */
export const RateLimit = Reflector.createDecorator<LimitName | readonly LimitName[], readonly LimitName[]>({
  transform: (names) => [names].flat(),
});

/**
 * The limits that a request counts for. The access guard counts the caller's own limit separately. On a public route, a caller
 * whom the guard knows is not counted by address.
 */
export function limitsOf(context: ExecutionContext, reflector: Reflector): readonly LimitName[] {
  const handler = context.getHandler();
  const own = reflector.get<readonly LimitName[] | undefined>(RateLimit, handler);
  const limits = own ?? (reflector.get(Access, handler).kind === 'public' ? (['anonymous'] as const) : []);
  const { auth } = context.switchToHttp().getRequest<Request>();
  const caller = callerKindOf(auth);
  return limits.filter((name) => ((LIMITS[name] as Limit).only ?? caller) === caller);
}

function callerKindOf(auth: AuthContext | undefined): CallerKind {
  if (auth === undefined) return 'anonymous';
  return isStorefront(auth) ? 'storefront' : 'identified';
}
