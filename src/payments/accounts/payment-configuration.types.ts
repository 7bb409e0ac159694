import { type AccountMode } from '../providers/provider.js';
import { type KnownFailure } from './health/provider-failure-rules.js';
import { type LiveSecrets } from './credentials/webhook-secret.js';

/** What the service has found out about a configuration. */
export interface ProviderHealth extends KnownFailure {
  /** When the provider accepted the credentials as they are; null: it could not be reached, or has no API for it. */
  readonly checkedAt: Date | null;
  /** Whether the provider has the webhook of the shop; null: not known. */
  readonly webhookRegistered: boolean | null;
}

/** The last requests to the webhook. */
interface WebhookHealth {
  /** When an authentic request of the provider arrived last, to the minute. */
  readonly lastEventAt: Date | null;
  readonly lastRejectedAt: Date | null;
  /** What was wrong with the last rejected request, in one sentence. */
  readonly lastRejection: string | null;
  /** When the first request was rejected after the last authentic one; null when none was. */
  readonly rejectingSince: Date | null;
}

/** When owners got the last notice about each problem; null: never. */
interface NoticeTimes {
  /** Rejected requests. */
  readonly rejectionPublishedAt: Date | null;
  /** A provider with which buyers cannot pay. */
  readonly failurePublishedAt: Date | null;
  /** Events that could not be applied. */
  readonly unappliedPublishedAt: Date | null;
}

export type NoticeField = keyof NoticeTimes;

/** A shop's configuration of one payment provider. */
export interface PaymentConfiguration extends LiveSecrets, ProviderHealth, WebhookHealth, NoticeTimes {
  readonly id: string;
  readonly shopId: string;
  readonly provider: string;
  /** Whether buyers can start payments with it. Its webhook accepts requests in either case. */
  readonly enabled: boolean;
  /** The names of the stored credentials. */
  readonly credentialNames: readonly string[];
  /** The credentials, encrypted by `SecretBox` for this shop and provider. */
  readonly sealedCredentials: string;
  /** The path secret of the webhook, encrypted. */
  readonly sealedWebhookSecret: string;
  /** Until when a request may be registering the webhook at the provider; null: none is. */
  readonly registeringUntil: Date | null;
  readonly configuredAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly configuredBy: string;
}

/** A configuration that was never used. */
export type NewConfiguration = Omit<
  PaymentConfiguration,
  'id' | 'shopId' | 'provider' | Exclude<keyof LiveSecrets, 'secretHash'> | keyof WebhookHealth | NoticeField
>;

/** What a configuration that is switched on says about payments. */
export type EnabledConfiguration = Pick<PaymentConfiguration, 'shopId' | 'provider' | 'sealedCredentials'>;

/** A configuration with what follows from it. */
export interface ProviderStatus {
  readonly configuration: PaymentConfiguration;
  /** Whether its payments are real; null: the credentials do not show it. */
  readonly mode: AccountMode | null;
  /** The names of the credentials without which no buyer can pay. */
  readonly missing: readonly string[];
  /** Whether buyers can pay with it now. */
  readonly canStartPayments: boolean;
}

/** The encrypted fields of a configuration. */
export type SealedSecrets = Pick<PaymentConfiguration, 'sealedCredentials' | 'sealedWebhookSecret'>;

/** A configuration with the secrets that are shown only once. */
export interface RevealedConfiguration extends ProviderStatus {
  /** The URL of the webhook with its path secret; null when it was shown before. */
  readonly webhookUrl: string | null;
  /** The signing secret that the service just generated; null when the shop sent one or has one already. */
  readonly signingSecret: string | null;
}
