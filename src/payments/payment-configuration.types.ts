import { type LiveSecrets } from './webhook-secret.js';

/** How a shop uses one payment provider. */
export interface PaymentConfiguration extends LiveSecrets {
  readonly id: string;
  readonly shopId: string;
  readonly provider: string;
  /** Whether its notifications are taken. */
  readonly enabled: boolean;
  /** Which credentials are there. */
  readonly credentialNames: readonly string[];
  /** The credentials as a `SecretBox` text, bound to shop and provider. */
  readonly sealedCredentials: string;
  readonly configuredAt: Date;
}

/** A configuration with what is shown this once. */
export interface RevealedConfiguration {
  readonly configuration: PaymentConfiguration;
  /** With the path secret in it; null when the secret is an earlier one, which nobody can show again. */
  readonly webhookUrl: string | null;
  /** The signing secret that was made just now; null when the shop gave its own, or has one already. */
  readonly signingSecret: string | null;
}
