import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { type Request, type Response } from 'express';
import { type Limit, LIMIT_NAMES, LIMITS, quotaOf, windowMsOf } from './limits.js';
import { limitsOf } from './rate-limit.decorator.js';
import { RateLimiter } from './rate-limiter.js';

/**
 * The library's guard, with the limits of the catalogue as named throttlers (`throttlersOf`). It runs after the access guard, so
 * it counts callers with a valid credential by their principal, and all others by address.
 *
 * It counts through `RateLimiter`, as the services do. That sends the headers of the IETF draft and throws an `AppError`.
 */
@Injectable()
export class RouteThrottlerGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly limiter: RateLimiter,
  ) {
    super(options, storage, reflector);
  }

  /** The library would ask each of the named throttlers, with five look-ups of metadata, whether it applies to the route. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { req, res } = this.getRequestResponse(context);
    for (const name of limitsOf(context, this.reflector)) {
      await this.limiter.consume(name, subjectOf(req as Request, LIMITS[name]), res as Response);
    }
    return true;
  }
}

/** The catalogue of limits as named throttlers. Each one applies to the requests for which `limitsOf` returns its name. */
export function throttlersOf(factor: number): ThrottlerOptions[] {
  return LIMIT_NAMES.map((name) => ({ name, limit: quotaOf(name, factor), ttl: windowMsOf(name) }));
}

function subjectOf({ auth, ip, params }: Request, { perPerson, perShop }: Limit): string {
  // An id in upper case and in lower case is the same shop.
  if (perShop) return `shop:${String(params['shopId']).toLowerCase()}`;
  if (auth === undefined) return ip ?? '';
  return perPerson ? `user:${auth.userId}` : auth.principal;
}
