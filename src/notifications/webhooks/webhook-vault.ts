import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { type SealedTexts, type Webhook } from './webhook.types.js';

/** What a webhook stores encrypted. Each text can be decrypted only for its own webhook and purpose. */
type Part = 'url' | 'secret';

type Place = Pick<Webhook, 'shopId' | 'id'>;

/** Encrypts the URLs and the signing secrets of webhooks for the database. */
@Injectable()
export class WebhookVault {
  private readonly box: SecretBox;

  constructor(config: AppConfig) {
    this.box = new SecretBox(config, 'webhooks');
  }

  seal(text: string, webhook: Place, part: Part): string {
    return this.box.seal(text, place(webhook, part));
  }

  /** The URL; null when it was changed or moved, or when no configured key decrypts it. */
  urlOf(webhook: Webhook): string | null {
    return this.box.tryOpen(webhook.sealedUrl, place(webhook, 'url'));
  }

  /** Whether a configured key decrypts the current secret. */
  opensSecret(webhook: Webhook): boolean {
    return this.box.tryOpen(webhook.sealedSecret, place(webhook, 'secret')) !== null;
  }

  /** The secrets that sign a request now, the newest first; null when one cannot be decrypted. */
  secretsOf(webhook: Webhook, now: Date): string[] | null {
    const { sealedSecret, sealedPreviousSecret, previousSecretUntil } = webhook;
    const isInGrace = previousSecretUntil !== null && previousSecretUntil > now;
    const sealed = [sealedSecret, ...(isInGrace && sealedPreviousSecret !== null ? [sealedPreviousSecret] : [])];
    const secrets = sealed.map((text) => this.box.tryOpen(text, place(webhook, 'secret')));
    return secrets.every((secret) => secret !== null) ? secrets : null;
  }

  /** All texts encrypted with the current key; null when they are already. @throws when one of them cannot be decrypted */
  reseal(webhook: Webhook): SealedTexts | null {
    const { sealedUrl, sealedSecret, sealedPreviousSecret } = webhook;
    const texts = {
      sealedUrl: this.box.reseal(sealedUrl, place(webhook, 'url')),
      sealedSecret: this.box.reseal(sealedSecret, place(webhook, 'secret')),
      sealedPreviousSecret: sealedPreviousSecret && this.box.reseal(sealedPreviousSecret, place(webhook, 'secret')),
    };
    const isCurrent =
      texts.sealedUrl === sealedUrl &&
      texts.sealedSecret === sealedSecret &&
      texts.sealedPreviousSecret === sealedPreviousSecret;
    return isCurrent ? null : texts;
  }
}

function place({ shopId, id }: Place, part: Part): string {
  return `${shopId}/${id}/${part}`;
}
