import { Global, Module } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { getStorageToken, ThrottlerModule, type ThrottlerOptions } from '@nestjs/throttler';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type LimitStorage } from './limit-storage.js';
import { type LimitName, LIMITS, quotaOf, windowMsOf } from '../../domain/limits/limits.js';
import { limitsOf } from './rate-limit.decorator.js';
import { RateLimiter } from './rate-limiter.js';
import { RequestSlots } from './request-slots.js';
import { ShopTurns } from './shop-turns.js';
import { WindowStorage } from './window-storage.js';

/**
 * One throttler for each limit of the catalogue, which skips every route that does not name the limit. The library counts the limits
 * of a route by the length of their windows, and those of equal length in the order of the catalogue. So an address that is over
 * `anonymous` uses up nothing of `checkoutAddress`.
 */
function throttlersOf(factor: number): ThrottlerOptions[] {
  const reflector = new Reflector();
  return (Object.keys(LIMITS) as LimitName[]).map((name) => ({
    name,
    limit: quotaOf(name, factor),
    ttl: windowMsOf(name),
    skipIf: (context) => !limitsOf(context, reflector).includes(name),
  }));
}

/** Loaded only when it is used, because it takes 10 MB and start time, and most installations do not need it. */
async function redisStorage(url: string, timeLimitFactor: number): Promise<LimitStorage> {
  const { RedisStorage } = await import('./redis-storage.js');
  return new RedisStorage(url, timeLimitFactor);
}

/**
 * The limits of requests. How many there are in a time is counted in this process or, with `REDIS_URL`, in Redis, which several processes
 * can share. How many run at once is always counted in this process.
 */
@Global()
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [AppConfig],
      useFactory: async ({ redisUrl, timeLimitFactor, rateLimitFactor }: AppConfig) => ({
        throttlers: throttlersOf(rateLimitFactor),
        storage: redisUrl === null ? new WindowStorage() : await redisStorage(redisUrl, timeLimitFactor),
      }),
    }),
  ],
  providers: [
    RequestSlots,
    ShopTurns,
    {
      provide: RateLimiter,
      inject: [getStorageToken(), AppConfig],
      useFactory: (storage: LimitStorage, config: AppConfig) => new RateLimiter(storage, config.rateLimitFactor),
    },
  ],
  exports: [RateLimiter, RequestSlots, ShopTurns],
})
export class ThrottlingModule {}
