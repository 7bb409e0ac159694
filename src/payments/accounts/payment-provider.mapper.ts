import { type PaymentProviderDto, type RevealedPaymentProviderDto } from './dto/payment-provider.dto.js';
import { type ProviderCheckReportDto } from './dto/provider-check.dto.js';
import { type ProviderStatus, type RevealedConfiguration } from './payment-configuration.types.js';
import { type CheckReport } from './provider-checks.service.js';

export function toPaymentProviderDto({
  configuration,
  mode,
  missing,
  canStartPayments,
}: ProviderStatus): PaymentProviderDto {
  const { provider, enabled, credentialNames, configuredAt, previousSecretUntil } = configuration;
  const { checkedAt, webhookRegistered, lastEventAt, lastRejectedAt, lastRejection, lastError, failingSince } =
    configuration;
  return {
    provider,
    enabled,
    credentials: [...credentialNames],
    configuredAt: configuredAt.toISOString(),
    previousSecretUntil: previousSecretUntil?.toISOString() ?? null,
    mode,
    checkedAt: checkedAt?.toISOString() ?? null,
    webhookRegistered,
    lastEventAt: lastEventAt?.toISOString() ?? null,
    lastRejectedAt: lastRejectedAt?.toISOString() ?? null,
    lastRejection,
    lastError,
    failingSince: failingSince?.toISOString() ?? null,
    missing: [...missing],
    canStartPayments,
  };
}

export function toRevealedPaymentProviderDto({
  webhookUrl,
  signingSecret,
  ...status
}: RevealedConfiguration): RevealedPaymentProviderDto {
  return { ...toPaymentProviderDto(status), webhookUrl, signingSecret };
}

export function toProviderCheckReportDto({ checks, canStartPayments, missing }: CheckReport): ProviderCheckReportDto {
  return { checks: checks.map((check) => ({ ...check })), canStartPayments, missing: [...missing] };
}
