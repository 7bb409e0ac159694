import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { AppError } from '../../domain/errors/app-error.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type CountingPlace, type LimitStorage } from './limit-storage.js';
import { type Limit, type LimitName, LIMITS } from '../../domain/limits/limits.js';
import { slidingWindow, WindowStorage } from './window-storage.js';

type Counted = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Longer than a busy moment of this process, and too short for a client to notice. */
const COMMAND_TIMEOUT_MS = 250;
/** How long no command is sent to Redis after one without a response. */
const PAUSE_MS = 1_000;
/**
 * When a connection is closed that owes a response: its server may be gone without a word, and the operating system would wait for it
 * for a quarter of an hour.
 */
const SILENCE_MS = 5_000;

/**
 * Reads both windows and counts the request only when it fits, in one atomic step. With two separate calls, many parallel
 * requests could pass between them. Keys live for two windows. Returns the current and the previous count from before the
 * request. It also writes when the request does not fit, so that a Redis without memory fails for every request: otherwise it would
 * seem to work for those who are over their limit.
 */
const COUNT = `
local current = tonumber(redis.call('GET', KEYS[1]) or '0')
local previous = tonumber(redis.call('GET', KEYS[2]) or '0')
local fits = current + previous * (1 - tonumber(ARGV[1])) + 1 <= tonumber(ARGV[2])
redis.call('SET', KEYS[1], current + (fits and 1 or 0), 'PX', ARGV[3])
return { current, previous }
`;

interface CountingRedis extends Redis {
  countRequest(
    current: string,
    previous: string,
    elapsed: number,
    quota: number,
    lifetimeMs: number,
  ): Promise<[current: number, previous: number]>;
}

/**
 * Counters that several processes share. When Redis cannot be reached or stores nothing, each process counts for itself, so that the
 * shops keep working. Only limits against guessing (`failClosed`) return 503 then.
 */
export class RedisStorage implements LimitStorage, OnApplicationShutdown {
  private readonly logger = new Logger('Redis');
  private readonly local = new WindowStorage();
  private readonly redis: CountingRedis;
  private isAvailable = true;
  /** On the clock of the process, which nobody sets: a wall clock that is turned back would prolong the pause. */
  private pausedUntil = 0;

  /** @param timeLimitFactor multiplies the times that Redis has to respond */
  constructor(url: string, timeLimitFactor: number) {
    const redis = new Redis(url, {
      // No queue: commands that wait for a new connection would delay requests and then count them late.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS * timeLimitFactor,
      socketTimeout: SILENCE_MS * timeLimitFactor,
      keyPrefix: 'shop-platform:limit:',
    });
    redis.defineCommand('countRequest', { numberOfKeys: 2, lua: COUNT });
    redis.on('error', (error: Error) => {
      this.recordOutage(error);
    });
    redis.on('ready', () => {
      this.pausedUntil = 0;
    });
    this.redis = redis as CountingRedis;
  }

  async increment(key: string, ttl: number, limit: number, _blockDuration: number, name: string): Promise<Counted> {
    if (performance.now() < this.pausedUntil) return this.withoutRedis(key, ttl, limit, name);
    const now = Date.now();
    const index = Math.floor(now / ttl);
    const elapsed = (now % ttl) / ttl;
    try {
      // The braces keep both windows of a subject on one node of a Redis cluster.
      const [current, previous] = await this.redis.countRequest(
        `{${key}}:${index}`,
        `{${key}}:${index - 1}`,
        elapsed,
        limit,
        2 * ttl,
      );
      this.recordRecovery();
      return slidingWindow({ current, previous }, limit, ttl, elapsed);
    } catch (error) {
      this.recordOutage(error);
      this.pausedUntil = performance.now() + PAUSE_MS;
      return this.withoutRedis(key, ttl, limit, name);
    }
  }

  /** Counts one request of nobody, so that the result is true also when no request has come for a while. */
  async countsIn(): Promise<CountingPlace> {
    await this.increment('nobody', MINUTE_MS, 1, 0, 'health');
    return this.isAvailable ? 'redis' : 'redis_unavailable';
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  private withoutRedis(key: string, ttl: number, limit: number, name: string): Promise<Counted> {
    const rule: Limit = LIMITS[name as LimitName];
    if (rule.failClosed) throw new AppError('service_unavailable');
    return this.local.increment(key, ttl, limit);
  }

  /** Logs once per outage, not once per request. */
  private recordOutage(error: unknown): void {
    if (this.isAvailable)
      this.logger.warn('Redis does not count: each process counts for itself', describeError(error));
    this.isAvailable = false;
  }

  private recordRecovery(): void {
    if (!this.isAvailable) this.logger.log('Redis counts again: the processes share the limits');
    this.isAvailable = true;
  }
}
