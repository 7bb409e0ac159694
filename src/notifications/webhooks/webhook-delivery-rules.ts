import { isGone, isAccepted, backoffAfter } from './delivery-schedule.js';
import { type WebhookAttempt, type WebhookDelivery } from './webhook-delivery.types.js';
import { type TryOutcome } from './webhook-deliveries.repository.js';

/**
 * What becomes of a delivery after an attempt.
 * @param askedMs how long the receiver asks to wait; null: it does not ask
 * @param random from 0 to 1
 */
export function outcomeOf(
  { failures }: Pick<WebhookDelivery, 'failures'>,
  { at, status }: Pick<WebhookAttempt, 'at' | 'status'>,
  askedMs: number | null,
  random: number,
): TryOutcome {
  if (status !== null && isAccepted(status)) return { state: 'delivered', failures, nextTryAt: null };
  const failed = failures + 1;
  const waitMs = isGone(status) ? null : backoffAfter(failed, askedMs, random);
  if (waitMs === null) return { state: 'failed', failures: failed, nextTryAt: null };
  return { state: 'waiting', failures: failed, nextTryAt: new Date(at.getTime() + waitMs) };
}
