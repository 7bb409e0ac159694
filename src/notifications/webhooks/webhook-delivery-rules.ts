import { isGone, isTaken, waitAfter } from './delivery-schedule.js';
import { type DeliveryTry, type WebhookDelivery } from './webhook-delivery.types.js';
import { type TryOutcome } from './webhook-deliveries.repository.js';

/**
 * What becomes of a delivery after a try.
 * @param askedMs how long the receiver asks to wait; null: it does not ask
 * @param random from 0 to 1
 */
export function outcomeOf(
  { failures }: Pick<WebhookDelivery, 'failures'>,
  { at, status }: Pick<DeliveryTry, 'at' | 'status'>,
  askedMs: number | null,
  random: number,
): TryOutcome {
  if (status !== null && isTaken(status)) return { state: 'delivered', failures, nextTryAt: null };
  const failed = failures + 1;
  const waitMs = isGone(status) ? null : waitAfter(failed, askedMs, random);
  if (waitMs === null) return { state: 'failed', failures: failed, nextTryAt: null };
  return { state: 'waiting', failures: failed, nextTryAt: new Date(at.getTime() + waitMs) };
}
