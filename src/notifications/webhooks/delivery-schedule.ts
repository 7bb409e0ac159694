import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/time/durations.js';

/**
 * How long to wait after each failed try: the schedule that Standard Webhooks recommends. The last try is three days after the first.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** So that the requests of an outage do not all come back at the same moment. */
const JITTER = 0.1;
/** A webhook that has failed for this long is switched off. */
const DISABLED_AFTER_MS = 5 * DAY_MS;
/** The receiver says that it wants no more requests. */
const GONE = 410;

/**
 * How long to wait before the next try.
 * @param failures how many tries have failed, from 1 on
 * @param askedMs how long the receiver asks to wait (`Retry-After`); null: it does not ask
 * @param random from 0 to 1
 * @returns milliseconds; null: there is no other try
 */
export function waitAfter(failures: number, askedMs: number | null, random: number): number | null {
  const usual = WAITS_MS[failures - 1];
  if (usual === undefined) return null;
  const spread = usual * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(spread, Math.min(askedMs ?? 0, DAY_MS)));
}

/** Whether a status means that the receiver has taken the event. */
export const isTaken = (status: number): boolean => status >= 200 && status < 300;

/** Whether a status means that the webhook must not be sent any more. */
export const isGone = (status: number | null): boolean => status === GONE;

/** Whether a webhook that has failed since a time is switched off now. */
export function failsForTooLong(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= DISABLED_AFTER_MS;
}

/** The milliseconds of a header `Retry-After` (RFC 9110, 10.2.3): seconds or a date. null: there is none, or it cannot be read. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
