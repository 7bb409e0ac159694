import { DAY_MS, MINUTE_MS } from '../time/durations.js';

/**
 * How long to wait, in milliseconds, until the next try: two units after the first one, and twice as long after each further one.
 * @param tries so far, from 1 on
 * @param mostMs no wait is longer
 */
export function backoff(tries: number, unitMs: number, mostMs: number): number {
  return Math.min(2 ** tries * unitMs, mostMs);
}

/** When work that did not succeed is tried again: after 2, 4, 8... minutes, at most a day. @param tries so far, from 1 on */
export function nextTry(tries: number, now: Date): Date {
  return new Date(now.getTime() + backoff(tries, MINUTE_MS, DAY_MS));
}
