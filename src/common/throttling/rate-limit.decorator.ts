import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Access } from '../auth/access.decorators.js';
import { type LimitName } from './limits.js';

/** The limit of a route. On a public route it replaces `anonymous`. On other routes the caller's own limit counts too. */
export const RateLimit = Reflector.createDecorator<LimitName>();

/**
 * The limit that the requests of a route count for; undefined for none. The access guard counts the caller's own limit
 * separately.
 */
export function limitOf(context: ExecutionContext, reflector: Reflector): LimitName | undefined {
  const handler = context.getHandler();
  const own = reflector.get<LimitName | undefined>(RateLimit, handler);
  return own ?? (reflector.get(Access, handler).kind === 'public' ? 'anonymous' : undefined);
}
