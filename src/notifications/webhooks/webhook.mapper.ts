import { type RevealedWebhookDto, type WebhookDto } from './dto/webhook.dto.js';
import { type RevealedWebhook, type ShownWebhook } from './webhook.types.js';

export function toWebhookDto(webhook: ShownWebhook): WebhookDto {
  const { id, url, events, format, isActive, description, previousSecretUntil } = webhook;
  const { failingSince, disabledAt, createdAt, createdBy } = webhook;
  const bothUntil = previousSecretUntil !== null && previousSecretUntil > new Date() ? previousSecretUntil : null;
  return {
    id,
    url,
    events,
    format,
    isActive,
    description,
    previousSecretUntil: bothUntil?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
    disabledAt: disabledAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    createdBy,
  };
}

export function toRevealedWebhookDto(webhook: RevealedWebhook): RevealedWebhookDto {
  return { ...toWebhookDto(webhook), secret: webhook.secret };
}
