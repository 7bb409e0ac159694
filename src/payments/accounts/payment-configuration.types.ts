import { type LiveSecrets } from './webhook-secret.js';

/** A shop's configuration of one payment provider. */
export interface PaymentConfiguration extends LiveSecrets {
  readonly id: string;
  readonly shopId: string;
  readonly provider: string;
  /** Whether its webhook accepts requests. */
  readonly enabled: boolean;
  /** The names of the stored credentials. */
  readonly credentialNames: readonly string[];
  /** The credentials, encrypted by `SecretBox` for this shop and provider. */
  readonly sealedCredentials: string;
  /** The path secret of the webhook, encrypted. */
  readonly sealedWebhookSecret: string;
  readonly configuredAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly configuredBy: string;
}

/** The encrypted fields of a configuration. */
export type SealedSecrets = Pick<PaymentConfiguration, 'sealedCredentials' | 'sealedWebhookSecret'>;

/** A configuration with the secrets that are shown only once. */
export interface RevealedConfiguration {
  readonly configuration: PaymentConfiguration;
  /** The URL of the webhook with its path secret; null when it was shown before. */
  readonly webhookUrl: string | null;
  /** The signing secret that the service just generated; null when the shop sent one or has one already. */
  readonly signingSecret: string | null;
}
