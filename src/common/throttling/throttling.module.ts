import { Global, Module } from '@nestjs/common';
import { getStorageToken, normalizeIp, ThrottlerModule, type ThrottlerStorage } from '@nestjs/throttler';
import { AppConfig } from '../../config/app-config.js';
import { RateLimiter } from './rate-limiter.js';
import { WindowStorage } from './window-storage.js';

/** Loaded only where it is used: 10 MB and some of the start that most installations don't need. */
async function redisStorage(url: string): Promise<ThrottlerStorage> {
  const { RedisStorage } = await import('./redis-storage.js');
  return new RedisStorage(url);
}

/** Counters in this process, or in Redis (`REDIS_URL`) where several processes share the limits. */
@Global()
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [AppConfig],
      useFactory: async (config: AppConfig) => {
        const redisUrl = config.redisUrl;
        return {
          // Which limit applies where is data (`limits.ts`), read by our two guards; the library holds the storage.
          throttlers: [],
          storage: redisUrl === null ? new WindowStorage() : await redisStorage(redisUrl),
        };
      },
    }),
  ],
  providers: [
    {
      provide: RateLimiter,
      inject: [getStorageToken(), AppConfig],
      useFactory: (storage: ThrottlerStorage, config: AppConfig) =>
        new RateLimiter(storage, normalizeIp, config.rateLimitFactor),
    },
  ],
  exports: [RateLimiter],
})
export class ThrottlingModule {}
