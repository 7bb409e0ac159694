import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { type Limit, LIMITS } from './limits.js';
import { limitsOf } from './rate-limit.decorator.js';
import { RateLimiter } from './rate-limiter.js';

/**
 * Counts a request for the limits of its route (`limitsOf`). It runs after the access guard, so it counts callers with a valid
 * credential by their principal, and all others by address.
 *
 * Of the library it uses the storage only, through `RateLimiter`, as the services do. The library's own guard would ask each limit of
 * the catalogue, with five look-ups of metadata, whether it applies to the route.
 */
@Injectable()
export class RouteThrottlerGuard implements CanActivate {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    for (const name of limitsOf(context, this.reflector)) {
      const subject = subjectOf(http.getRequest<Request>(), LIMITS[name]);
      await this.limiter.consume(name, subject, http.getResponse<Response>());
    }
    return true;
  }
}

function subjectOf({ auth, ip, params }: Request, { perPerson, perShop }: Limit): string {
  // An id in upper case and in lower case is the same shop.
  if (perShop) return `shop:${String(params['shopId']).toLowerCase()}`;
  if (auth === undefined) return ip ?? '';
  return perPerson ? `user:${auth.userId}` : auth.principal;
}
