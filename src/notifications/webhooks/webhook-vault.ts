import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../lib/crypto/secret-box.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type SealedFields, type Webhook } from './webhook.types.js';

/** The parts of a webhook that are stored encrypted. Each value can be decrypted only for its own webhook and part. */
type Part = 'url' | 'secret';

type WebhookKey = Pick<Webhook, 'shopId' | 'id'>;

/** Encrypts the URLs and the signing secrets of webhooks for the database. */
@Injectable()
export class WebhookVault {
  private readonly box: SecretBox;

  constructor(config: AppConfig) {
    this.box = new SecretBox(config, 'webhooks');
  }

  seal(value: string, webhook: WebhookKey, part: Part): string {
    return this.box.seal(value, contextOf(webhook, part));
  }

  /** The URL; null when it was changed or moved, or when no configured key decrypts it. */
  urlOf(webhook: Webhook): string | null {
    return this.box.tryOpen(webhook.sealedUrl, contextOf(webhook, 'url'));
  }

  /** Whether a configured key decrypts the current secret. */
  opensSecret(webhook: Webhook): boolean {
    return this.box.tryOpen(webhook.sealedSecret, contextOf(webhook, 'secret')) !== null;
  }

  /** The secrets that sign a request now, the newest first; null when one cannot be decrypted. */
  secretsOf(webhook: Webhook, now: Date): string[] | null {
    const { sealedSecret, sealedPreviousSecret, previousSecretUntil } = webhook;
    const isInGrace = previousSecretUntil !== null && previousSecretUntil > now;
    const sealed = [sealedSecret, ...(isInGrace && sealedPreviousSecret !== null ? [sealedPreviousSecret] : [])];
    const secrets = sealed.map((value) => this.box.tryOpen(value, contextOf(webhook, 'secret')));
    return secrets.every((secret) => secret !== null) ? secrets : null;
  }

  /** The values encrypted with the current key; null when they already are. @throws when one of them cannot be decrypted */
  reseal(webhook: Webhook): SealedFields | null {
    const { sealedUrl, sealedSecret, sealedPreviousSecret } = webhook;
    const sealed = {
      sealedUrl: this.box.reseal(sealedUrl, contextOf(webhook, 'url')),
      sealedSecret: this.box.reseal(sealedSecret, contextOf(webhook, 'secret')),
      sealedPreviousSecret: sealedPreviousSecret && this.box.reseal(sealedPreviousSecret, contextOf(webhook, 'secret')),
    };
    const isCurrent =
      sealed.sealedUrl === sealedUrl &&
      sealed.sealedSecret === sealedSecret &&
      sealed.sealedPreviousSecret === sealedPreviousSecret;
    return isCurrent ? null : sealed;
  }
}

function contextOf({ shopId, id }: WebhookKey, part: Part): string {
  return `${shopId}/${id}/${part}`;
}
