import { DAY_MS, MINUTE_MS } from '../time/durations.js';

/** When work that did not succeed is tried again: after 2, 4, 8... minutes, at most a day. @param tries so far, from 1 on */
export function nextTry(tries: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(2 ** tries * MINUTE_MS, DAY_MS));
}
