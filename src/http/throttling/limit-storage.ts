import { type ThrottlerStorage } from '@nestjs/throttler';

/**
 * Where requests are counted.
 * `process`: each process counts for itself, because there is no `REDIS_URL`. `redis`: all processes count together.
 * `redis_unavailable`: they should, but Redis cannot be reached or stores nothing. Limits against guessing reject every request, and
 * each process counts the others for itself.
 */
export const COUNTING_PLACES = ['process', 'redis', 'redis_unavailable'] as const;
export type CountingPlace = (typeof COUNTING_PLACES)[number];

/** The counters of the limits. */
export interface LimitStorage extends ThrottlerStorage {
  /** Where a request would be counted now. */
  countsIn(): Promise<CountingPlace>;
}
