import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { Access, type AccessRule } from '../auth/access.decorators.js';
import { type Limit, type LimitName, LIMITS } from './limits.js';
import { RateLimit } from './rate-limit.decorator.js';
import { RateLimiter } from './rate-limiter.js';

/** Runs before the credential is looked at: counts callers without one, by address. */
@Injectable()
export class AnonymousThrottlerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limiter: RateLimiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(Access, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const presented = request.headers['x-api-key'] !== undefined || request.headers.authorization !== undefined;
    if (rule?.kind === 'public' || !presented) {
      const own = rule?.kind === 'public' ? this.ownLimit(context) : undefined;
      if (own !== undefined && (LIMITS[own] as Limit).countedByFeature) return true;
      await this.limiter.consume(own ?? 'anonymous', request.ip, http.getResponse<Response>());
    }
    return true;
  }

  private ownLimit(context: ExecutionContext): LimitName | undefined {
    return this.reflector.get<LimitName | undefined>(RateLimit, context.getHandler());
  }
}

/** Runs after authentication, which counts the caller: counts the caller on the route's own limit. */
@Injectable()
export class PrincipalThrottlerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limiter: RateLimiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { auth } = http.getRequest<Request>();
    const own = this.reflector.get<LimitName | undefined>(RateLimit, context.getHandler());
    if (auth !== undefined && own !== undefined) {
      const subject = (LIMITS[own] as Limit).perPerson ? `user:${auth.userId}` : auth.principal;
      await this.limiter.consume(own, subject, http.getResponse<Response>());
    }
    return true;
  }
}
