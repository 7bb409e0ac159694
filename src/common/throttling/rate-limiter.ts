import { createHash } from 'node:crypto';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { type Response } from 'express';
import { AppError } from '../errors/app-error.js';
import { type Limit, type LimitName, LIMITS } from './limits.js';

/** The result of counting one request. */
interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until the window has room again (refused) or is over (allowed). */
  readonly resetSeconds: number;
}

/**
 * Counts requests against the catalogue of limits and says so in the headers of the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers, structured fields `RateLimit-Policy` and `RateLimit`).
 */
export class RateLimiter {
  /**
   * @param normaliseIp folds the addresses of one IPv6 network into one; leaves other texts alone
   * @param factor multiplies every quota
   */
  constructor(
    private readonly storage: ThrottlerStorage,
    private readonly normaliseIp: (ip: string) => string,
    private readonly factor: number,
  ) {}

  /**
   * Counts one request of `subject`.
   * @param subject an address (IPv6 is counted per /64), a principal, or anything else; it is hashed, never stored
   * @param response gets the headers, when given
   * @throws AppError rate_limited with an integer `Retry-After`
   */
  async consume(name: LimitName, subject: string | undefined, response?: Response): Promise<void> {
    const limit: Limit = LIMITS[name];
    const quota = Math.max(1, Math.round(limit.quota * this.factor));
    const taken = await this.take(name, subject ?? 'unknown', quota, limit.windowSeconds);
    if (response) this.announce(response, name, quota, limit.windowSeconds, taken);
    if (!taken.allowed) {
      throw new AppError('rate_limited', { headers: { 'Retry-After': String(taken.resetSeconds) } });
    }
  }

  private async take(name: LimitName, subject: string, quota: number, windowSeconds: number): Promise<Taken> {
    const key = createHash('sha256')
      .update(`${name}\n${this.normaliseIp(subject)}`)
      .digest('base64url');
    const record = await this.storage.increment(key, windowSeconds * 1000, quota, 0, name);
    return {
      allowed: !record.isBlocked,
      remaining: record.isBlocked ? 0 : Math.max(0, quota - record.totalHits),
      resetSeconds: Math.max(1, record.isBlocked ? record.timeToBlockExpire : record.timeToExpire),
    };
  }

  private announce(response: Response, name: LimitName, quota: number, windowSeconds: number, taken: Taken): void {
    response.append('RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`);
    response.append('RateLimit', `"${name}";r=${taken.remaining};t=${taken.resetSeconds}`);
  }
}
