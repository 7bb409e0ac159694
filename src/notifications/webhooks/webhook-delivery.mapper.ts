import {
  type WebhookAttemptDto,
  type ReplayedDeliveriesDto,
  type WebhookDeliveryDto,
} from './dto/webhook-delivery.dto.js';
import { type WebhookAttempt, type WebhookDelivery } from './webhook-delivery.types.js';
import { type ReplayedRange } from './webhook-log.service.js';

function toAttemptDto({ at, status, error, durationMs, response }: WebhookAttempt): WebhookAttemptDto {
  return { at: at.toISOString(), status, error, durationMs, response };
}

export function toWebhookDeliveryDto(delivery: WebhookDelivery): WebhookDeliveryDto {
  const { id, type, eventId, state, attempts, nextAttemptAt, createdAt } = delivery;
  return {
    id,
    type,
    eventId,
    state,
    attempts: attempts.map(toAttemptDto),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

export function toReplayedDeliveriesDto({ replayed, next }: ReplayedRange): ReplayedDeliveriesDto {
  return { replayed, next };
}
