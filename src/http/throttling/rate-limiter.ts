import { createHash } from 'node:crypto';
import { type Response } from 'express';
import { AppError } from '../../domain/errors/app-error.js';
import { networkOf } from '../../lib/network/network-of.js';
import { type CountingPlace, type LimitStorage } from './limit-storage.js';
import { type LimitName, LIMITS, quotaOf, windowMsOf } from '../../domain/limits/limits.js';

/** The result of counting one request. */
interface CountedRequest {
  readonly allowed: boolean;
  readonly remaining: number;
  /** The time until another request is allowed (when rejected), or until the window ends. */
  readonly resetSeconds: number;
}

/**
 * Counts requests and attempts against the catalogue of limits: those of a route for `RouteThrottlerGuard`, and those that only a
 * service knows, such as the logins to one account. It reports the result in the headers of the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers, structured fields `RateLimit-Policy` and `RateLimit`).
 */
export class RateLimiter {
  /** @param factor multiplies every quota */
  constructor(
    private readonly storage: LimitStorage,
    private readonly factor: number,
  ) {}

  /**
   * Counts one request of `subject`.
   * @param subject an address (IPv6 is counted per /64), a principal, or anything else. Only its hash is stored
   * @param response gets the headers, when it is given
   * @throws AppError rate_limited with an integer `Retry-After`
   */
  async consume(name: LimitName, subject: string | undefined, response?: Response): Promise<void> {
    const quota = quotaOf(name, this.factor);
    const counted = await this.count(name, networkOf(subject), quota);
    if (response) this.announce(response, name, quota, counted);
    if (!counted.allowed) {
      throw new AppError('rate_limited', { headers: { 'Retry-After': String(counted.resetSeconds) } });
    }
  }

  /** As `consume`, where reaching the limit is no error. @returns whether the request was within the limit */
  async tryConsume(name: LimitName, subject: string | undefined): Promise<boolean> {
    return (await this.count(name, networkOf(subject), quotaOf(name, this.factor))).allowed;
  }

  /** Where requests are counted now. */
  countsIn(): Promise<CountingPlace> {
    return this.storage.countsIn();
  }

  private async count(name: LimitName, subject: string, quota: number): Promise<CountedRequest> {
    const key = createHash('sha256').update(`${name}\n${subject}`).digest('base64url');
    const record = await this.storage.increment(key, windowMsOf(name), quota, 0, name);
    return {
      allowed: !record.isBlocked,
      remaining: record.isBlocked ? 0 : Math.max(0, quota - record.totalHits),
      resetSeconds: Math.max(1, record.isBlocked ? record.timeToBlockExpire : record.timeToExpire),
    };
  }

  private announce(response: Response, name: LimitName, quota: number, counted: CountedRequest): void {
    response.append('RateLimit-Policy', `"${name}";q=${quota};w=${LIMITS[name].windowSeconds}`);
    response.append('RateLimit', `"${name}";r=${counted.remaining};t=${counted.resetSeconds}`);
  }
}
