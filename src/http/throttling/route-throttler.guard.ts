import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { type Request, type Response } from 'express';
import { type Limit, type LimitName, LIMITS } from '../../domain/limits/limits.js';
import { isStorefront } from '../../domain/principal/auth-context.js';
import { limitsOf } from './rate-limit.decorator.js';
import { RateLimiter } from './rate-limiter.js';

/**
 * Counts a request for the limits of its route. It runs after the access guard, so it counts callers with a valid credential by their
 * principal, and all others, those with a storefront key too, by address.
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

  /** Most routes have no limit of their own. This spares them the loop over all throttlers. */
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(limitsOf(context, this.reflector).length === 0);
  }

  /** Counts as the services do: a sliding window, the headers of the IETF draft, and an error of the catalogue. */
  protected override async handleRequest({ context, throttler }: ThrottlerRequest): Promise<boolean> {
    const name = throttler.name as LimitName;
    const http = context.switchToHttp();
    await this.limiter.consume(name, subjectOf(http.getRequest<Request>(), LIMITS[name]), http.getResponse<Response>());
    return true;
  }
}

function subjectOf({ auth, ip, params }: Request, { perPerson, perShop }: Limit): string | undefined {
  // An id in upper case and in lower case is the same shop.
  if (perShop) return `shop:${String(params['shopId']).toLowerCase()}`;
  if (auth === undefined || isStorefront(auth)) return ip;
  return perPerson ? `user:${auth.userId}` : auth.principal;
}
