import { type Request } from 'express';
import { toMajor } from '../../lib/money/money.js';
import { type WebhookRequest } from '../providers/provider.js';
import { type EventPaymentDto, type PaymentEventDto } from './dto/payment-event.dto.js';
import { type WebhookResultDto } from './dto/webhook-result.dto.js';
import { type InboxEntry } from './inbox.types.js';
import { type WebhookResult } from './payment-webhooks.service.js';

export function toPaymentEventDto(event: InboxEntry): PaymentEventDto {
  const { id, provider, eventId, kind, state, failure, problem, attempts, orderId, receivedAt, settledAt } = event;
  return {
    ...{ id, provider, eventId, kind, state, failure, problem, attempts, orderId },
    payment: event.payment && toEventPaymentDto(event.payment),
    receivedAt: receivedAt.toISOString(),
    settledAt: settledAt?.toISOString() ?? null,
  };
}

function toEventPaymentDto(payment: NonNullable<InboxEntry['payment']>): EventPaymentDto {
  const { type, paymentId, disputeId = null, amountMinor, currency, occurredAt } = payment;
  const amount = toMajor(amountMinor, currency);
  return { type, paymentId, disputeId, amount, currency, occurredAt: occurredAt.toISOString() };
}

/** Takes from an HTTP request what providers read. `body` holds the raw bytes; a request without a body has none. */
export function toWebhookRequest({ body, headers, query }: Request): WebhookRequest {
  return { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers, query, receivedAt: new Date() };
}

export function toWebhookResultDto({ received, events }: WebhookResult): WebhookResultDto {
  return {
    received,
    events: events.map(({ eventId, state, problem, duplicate }) => ({ eventId, state, problem, duplicate })),
  };
}
