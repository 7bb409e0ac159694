import cluster from 'node:cluster';
import { Global, Module } from '@nestjs/common';
import { getStorageToken, ThrottlerModule, type ThrottlerStorage } from '@nestjs/throttler';
import { AppConfig } from '../../config/app-config.js';
import { PrimaryStorage } from './primary-storage.js';
import { RateLimiter } from './rate-limiter.js';
import { WindowStorage } from './window-storage.js';

/** Loaded only when it is used, because it takes 10 MB and start time, and most installations do not need it. */
async function redisStorage(url: string, timeLimitFactor: number): Promise<ThrottlerStorage> {
  const { RedisStorage } = await import('./redis-storage.js');
  return new RedisStorage(url, timeLimitFactor);
}

const localStorage = (): ThrottlerStorage => (cluster.isWorker ? new PrimaryStorage() : new WindowStorage());

/** Counters in this process; with `WORKERS`, in the first process; with `REDIS_URL`, in Redis, which machines can share. */
@Global()
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [AppConfig],
      useFactory: async ({ redisUrl, timeLimitFactor }: AppConfig) => ({
        // The limits are in `LIMITS`, and `RouteThrottlerGuard` counts them.
        throttlers: [],
        storage: redisUrl === null ? localStorage() : await redisStorage(redisUrl, timeLimitFactor),
      }),
    }),
  ],
  providers: [
    {
      provide: RateLimiter,
      inject: [getStorageToken(), AppConfig],
      useFactory: (storage: ThrottlerStorage, config: AppConfig) => new RateLimiter(storage, config.rateLimitFactor),
    },
  ],
  exports: [RateLimiter],
})
export class ThrottlingModule {}
