import { type Request } from 'express';
import { toMajor } from '../../platform/money/money.js';
import { type BuyerPaymentDto, type PaymentMethodDto } from './dto/buyer-payment.dto.js';
import { type EventPaymentDto, type PaymentEventDto } from '../inbox/dto/payment-event.dto.js';
import { type PaymentProviderDto, type RevealedPaymentProviderDto } from '../accounts/dto/payment-provider.dto.js';
import { type WebhookResultDto } from '../inbox/dto/webhook-result.dto.js';
import { type InboxEntry } from '../inbox/inbox.types.js';
import { type ActiveAccount } from '../accounts/payment-accounts.service.js';
import { type PaymentConfiguration, type RevealedConfiguration } from '../accounts/payment-configuration.types.js';
import { type OpenPayment } from './payment.types.js';
import { type WebhookResult } from '../inbox/payment-webhooks.service.js';
import { type WebhookRequest } from '../providers/provider.js';

export function toPaymentProviderDto(configuration: PaymentConfiguration): PaymentProviderDto {
  const { provider, enabled, credentialNames, configuredAt, previousSecretUntil } = configuration;
  return {
    provider,
    enabled,
    credentials: [...credentialNames],
    configuredAt: configuredAt.toISOString(),
    previousSecretUntil: previousSecretUntil?.toISOString() ?? null,
  };
}

export function toRevealedPaymentProviderDto({
  configuration,
  webhookUrl,
  signingSecret,
}: RevealedConfiguration): RevealedPaymentProviderDto {
  return { ...toPaymentProviderDto(configuration), webhookUrl, signingSecret };
}

export function toPaymentMethodDto({ provider: { name, title } }: ActiveAccount): PaymentMethodDto {
  return { provider: name, title };
}

export function toBuyerPaymentDto({ provider, paymentId, url, expiresAt }: OpenPayment): BuyerPaymentDto {
  return { provider, paymentId, url, expiresAt: expiresAt.toISOString() };
}

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
  const { type, paymentId, amountMinor, currency, occurredAt } = payment;
  return { type, paymentId, amount: toMajor(amountMinor, currency), currency, occurredAt: occurredAt.toISOString() };
}

/** Takes from an HTTP request what providers read. `body` holds the raw bytes; a request without a body has none. */
export function toWebhookRequest({ body, headers, query }: Request): WebhookRequest {
  return { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers, query, receivedAt: new Date() };
}

export function toWebhookResultDto({ received, events }: WebhookResult): WebhookResultDto {
  return { received, events: events.map(({ eventId, state, duplicate }) => ({ eventId, state, duplicate })) };
}
