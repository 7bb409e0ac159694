import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../lib/crypto/secret-box.js';
import { AppError } from '../../../domain/errors/app-error.js';
import { AppConfig } from '../../../infrastructure/config/app-config.js';
import { type PaymentConfiguration, type SealedSecrets } from '../payment-configuration.types.js';
import { type Credentials } from '../../providers/provider.js';

type Sealed = Pick<PaymentConfiguration, 'shopId' | 'provider' | keyof SealedSecrets>;

/**
 * Encrypts the credentials of providers, and the path secrets of their webhooks, for the database. Each ciphertext can be decrypted
 * only for its own shop, provider and purpose.
 */
@Injectable()
export class CredentialVault {
  private readonly box: SecretBox;

  constructor(config: AppConfig) {
    this.box = new SecretBox(config, 'payment-credentials');
  }

  seal(shopId: string, provider: string, credentials: Credentials): string {
    return this.box.seal(JSON.stringify(credentials), contextOf(shopId, provider));
  }

  /** @throws AppError service_unavailable when they cannot be decrypted, so that the provider repeats its request */
  open(configuration: Sealed): Credentials {
    const credentials = this.tryOpen(configuration);
    if (credentials !== null) return credentials;
    const cause = new Error(
      'the credentials of a provider cannot be decrypted: they were encrypted with another ENCRYPTION_KEY',
    );
    throw new AppError('service_unavailable', { cause });
  }

  /** Returns null for a ciphertext that was changed, moved, or encrypted with another key. */
  tryOpen({ shopId, provider, sealedCredentials }: Omit<Sealed, 'sealedWebhookSecret'>): Credentials | null {
    const json = this.box.tryOpen(sealedCredentials, contextOf(shopId, provider));
    return json === null ? null : (JSON.parse(json) as Credentials);
  }

  sealWebhookSecret(shopId: string, provider: string, secret: string): string {
    return this.box.seal(secret, webhookContextOf(shopId, provider));
  }

  /** The path secret of the webhook. Returns null as `tryOpen` does. */
  openWebhookSecret({ shopId, provider, sealedWebhookSecret }: Omit<Sealed, 'sealedCredentials'>): string | null {
    return this.box.tryOpen(sealedWebhookSecret, webhookContextOf(shopId, provider));
  }

  /** Encrypts both secrets with the current key. Returns null when they already are. @throws when one cannot be decrypted */
  reseal({ shopId, provider, sealedCredentials, sealedWebhookSecret }: PaymentConfiguration): SealedSecrets | null {
    const secrets = {
      sealedCredentials: this.box.reseal(sealedCredentials, contextOf(shopId, provider)),
      sealedWebhookSecret: this.box.reseal(sealedWebhookSecret, webhookContextOf(shopId, provider)),
    };
    const isCurrent =
      secrets.sealedCredentials === sealedCredentials && secrets.sealedWebhookSecret === sealedWebhookSecret;
    return isCurrent ? null : secrets;
  }
}

function contextOf(shopId: string, provider: string): string {
  return `${shopId}/${provider}`;
}

function webhookContextOf(shopId: string, provider: string): string {
  return `${contextOf(shopId, provider)}/webhook`;
}
