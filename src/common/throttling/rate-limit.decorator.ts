import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Access } from '../auth/access.decorators.js';
import { type LimitName } from './limits.js';

/** The limit of a route. On a public route it replaces `anonymous`; on other routes the caller's own limit counts too. */
export const RateLimit = Reflector.createDecorator<LimitName>();

/** The limit that a route's requests count for; undefined for none, beside what the access guard counts for the caller. */
export function limitOf(context: ExecutionContext, reflector: Reflector): LimitName | undefined {
  const handler = context.getHandler();
  const own = reflector.get<LimitName | undefined>(RateLimit, handler);
  return own ?? (reflector.get(Access, handler).kind === 'public' ? 'anonymous' : undefined);
}
