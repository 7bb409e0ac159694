import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { AppError } from '../../platform/errors/app-error.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { type PaymentConfiguration, type SealedTexts } from './payment-configuration.types.js';
import { type Credentials } from '../providers/provider.js';

/**
 * Encrypts the credentials of providers, and the path secrets of their webhooks, for the database. Each text can be decrypted only
 * for its own shop, provider and purpose.
 */
@Injectable()
export class CredentialVault {
  private readonly box: SecretBox;

  constructor(config: AppConfig) {
    this.box = new SecretBox(config, 'payment-credentials');
  }

  seal(shopId: string, provider: string, credentials: Credentials): string {
    return this.box.seal(JSON.stringify(credentials), place(shopId, provider));
  }

  /** @throws AppError service_unavailable when they cannot be decrypted: the provider then sends its request again later */
  open(configuration: PaymentConfiguration): Credentials {
    const credentials = this.tryOpen(configuration);
    if (credentials !== null) return credentials;
    const cause = new Error(
      'the credentials of a provider cannot be decrypted: they were encrypted with another ENCRYPTION_KEY',
    );
    throw new AppError('service_unavailable', { cause });
  }

  /** Returns null when the text was changed, moved, or encrypted with another key. */
  tryOpen({ shopId, provider, sealedCredentials }: PaymentConfiguration): Credentials | null {
    const text = this.box.tryOpen(sealedCredentials, place(shopId, provider));
    return text === null ? null : (JSON.parse(text) as Credentials);
  }

  sealWebhookSecret(shopId: string, provider: string, secret: string): string {
    return this.box.seal(secret, webhookPlace(shopId, provider));
  }

  /** The path secret of the webhook. Returns null as `tryOpen` does. */
  openWebhookSecret({ shopId, provider, sealedWebhookSecret }: PaymentConfiguration): string | null {
    return this.box.tryOpen(sealedWebhookSecret, webhookPlace(shopId, provider));
  }

  /** Both encrypted with the current key; null when they are already. @throws when one of them cannot be decrypted */
  reseal({ shopId, provider, sealedCredentials, sealedWebhookSecret }: PaymentConfiguration): SealedTexts | null {
    const texts = {
      sealedCredentials: this.box.reseal(sealedCredentials, place(shopId, provider)),
      sealedWebhookSecret: this.box.reseal(sealedWebhookSecret, webhookPlace(shopId, provider)),
    };
    const isCurrent =
      texts.sealedCredentials === sealedCredentials && texts.sealedWebhookSecret === sealedWebhookSecret;
    return isCurrent ? null : texts;
  }
}

function place(shopId: string, provider: string): string {
  return `${shopId}/${provider}`;
}

function webhookPlace(shopId: string, provider: string): string {
  return `${place(shopId, provider)}/webhook`;
}
