import { type PaymentProviderDto, type RevealedPaymentProviderDto } from './dto/payment-provider.dto.js';
import { type PaymentConfiguration, type RevealedConfiguration } from './payment-configuration.types.js';

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
