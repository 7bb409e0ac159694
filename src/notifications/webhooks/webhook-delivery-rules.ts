import { isGone, isAccepted, backoffAfter } from './delivery-schedule.js';
import { type WebhookAttempt, type WebhookDelivery } from './webhook-delivery.types.js';
import { type AttemptOutcome } from './webhook-deliveries.repository.js';
import { type WebhookFormat } from './webhook.types.js';

/**
 * Returns the outcome of an attempt for its delivery.
 * @param format of its webhook
 * @param requestedMs the wait that the receiver requests; null: none
 * @param random from 0 to 1
 */
export function outcomeOf(
  { failures }: Pick<WebhookDelivery, 'failures'>,
  { at, status }: Pick<WebhookAttempt, 'at' | 'status'>,
  format: WebhookFormat,
  requestedMs: number | null,
  random: number,
): AttemptOutcome {
  if (status !== null && isAccepted(status)) return { state: 'delivered', failures, nextAttemptAt: null };
  const failed = failures + 1;
  const waitMs = isGone(status, format) ? null : backoffAfter(failed, requestedMs, random);
  if (waitMs === null) return { state: 'failed', failures: failed, nextAttemptAt: null };
  return { state: 'waiting', failures: failed, nextAttemptAt: new Date(at.getTime() + waitMs) };
}
