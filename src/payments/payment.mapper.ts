import { type PaymentProviderDto, type RevealedPaymentProviderDto } from './dto/payment-provider.dto.js';
import { type WebhookReceiptDto } from './dto/webhook-receipt.dto.js';
import { type EventReceipt } from './inbox.types.js';
import { type PaymentConfiguration, type RevealedConfiguration } from './payment-configuration.types.js';
import { type VerifiedNotification } from './payment-webhooks.service.js';

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

export function toWebhookReceiptDto(
  { events }: VerifiedNotification,
  receipts: readonly EventReceipt[],
): WebhookReceiptDto {
  return {
    received: events !== null,
    events: receipts.map(({ eventId, state, duplicate }) => ({ eventId, state, duplicate })),
  };
}
