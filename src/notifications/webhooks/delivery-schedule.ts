import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type WebhookFormat } from './webhook.types.js';

/**
 * The waits after failed attempts, as Standard Webhooks recommends them. The last attempt is three days after the first.
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
/** The share of random variation, so that the requests of an outage are not all repeated at the same moment. */
const JITTER = 0.1;
/** A webhook that has failed for this long is switched off. */
const DISABLED_AFTER_MS = 5 * DAY_MS;
/**
 * The statuses with which a receiver refuses all further requests. Discord says of a webhook that was deleted 404, or 401 when its token
 * is another one; a receiver of one's own says these during a deployment, too.
 */
const GONE: Readonly<Record<WebhookFormat, readonly number[]>> = { standard: [410], discord: [401, 404, 410] };

/**
 * Returns the wait before the next attempt.
 * @param failures how many attempts have failed, at least 1
 * @param requestedMs the wait that the receiver requests (`Retry-After`); null: none
 * @param random from 0 to 1
 * @returns milliseconds; null: no further attempt
 */
export function backoffAfter(failures: number, requestedMs: number | null, random: number): number | null {
  const usual = WAITS_MS[failures - 1];
  if (usual === undefined) return null;
  const spread = usual * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(spread, Math.min(requestedMs ?? 0, DAY_MS)));
}

/** Whether a status means that the receiver has accepted the event. */
export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** Whether a status means that the webhook must not be sent any more. */
export const isGone = (status: number | null, format: WebhookFormat): boolean =>
  status !== null && GONE[format].includes(status);

/** Whether a webhook that has failed since a time is switched off now. */
export function failsForTooLong(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= DISABLED_AFTER_MS;
}

/** The milliseconds of a header `Retry-After` (RFC 9110, 10.2.3): seconds or a date. null: absent or malformed. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
