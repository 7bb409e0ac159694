import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { SecretBox } from '../common/crypto/secret-box.js';
import { type AppConfig } from '../config/app-config.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { type Credentials } from './providers/provider.js';

/** Encrypts credentials of providers for the database. A text that is moved to another shop or provider does not open. */
@Injectable()
export class CredentialVault {
  private readonly box: SecretBox;

  constructor(config: ConfigService<AppConfig, true>) {
    this.box = new SecretBox(config.get('encryptionKey', { infer: true }), 'payment-credentials');
  }

  seal(shopId: string, provider: string, credentials: Credentials): string {
    return this.box.seal(JSON.stringify(credentials), place(shopId, provider));
  }

  /** @throws when the text was changed, moved, or sealed with another encryption key */
  open({ shopId, provider, sealedCredentials }: PaymentConfiguration): Credentials {
    return JSON.parse(this.box.open(sealedCredentials, place(shopId, provider))) as Credentials;
  }
}

function place(shopId: string, provider: string): string {
  return `${shopId}/${provider}`;
}
