import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.js';

/**
 * The time to wait until the next attempt, in milliseconds: two units after the first attempt, doubled after each further one.
 * @param attempts made so far, at least 1
 * @param mostMs the longest wait
 */
export function backoff(attempts: number, unitMs: number, mostMs: number): number {
  return Math.min(2 ** attempts * unitMs, mostMs);
}

/** The time of the next attempt at failed work: after 2, 4, 8... minutes, at most a day. @param attempts made so far, at least 1 */
export function nextAttemptAt(attempts: number, now: Date): Date {
  return new Date(now.getTime() + backoff(attempts, MINUTE_MS, DAY_MS));
}
