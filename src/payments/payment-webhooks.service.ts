import { Injectable } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import { isObjectId } from '../common/validation/object-id.js';
import { CredentialVault } from './credential-vault.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import { findProvider } from './providers/provider-registry.js';
import { type PaymentProvider, type ProviderEvent, type ProviderNotification } from './providers/provider.js';
import { opensWebhook } from './webhook-secret.js';

/** A webhook that its path secret opened. */
export interface OpenWebhook {
  readonly configuration: PaymentConfiguration;
  readonly provider: PaymentProvider;
}

/** A notification that is proven to be the provider's. */
export interface VerifiedNotification {
  readonly shopId: string;
  readonly provider: string;
  /** Null for an empty body: somebody looks whether the webhook is there. */
  readonly events: readonly ProviderEvent[] | null;
}

/** Who may notify: the holder of the path secret, who also signs. Reads only; nothing is changed here. */
@Injectable()
export class PaymentWebhooksService {
  constructor(
    private readonly configurations: PaymentProvidersRepository,
    private readonly vault: CredentialVault,
  ) {}

  /**
   * One indexed read. An unknown shop, a provider that is unknown, not configured or switched off, and a wrong secret are
   * one and the same error.
   * @throws AppError malformed_id, webhook_not_found
   */
  async open(name: string, shopId: string, secret: string): Promise<OpenWebhook> {
    if (!isObjectId(shopId)) throw new AppError('malformed_id');
    const provider = findProvider(name);
    const configuration = provider ? await this.configurations.find(shopId, name) : null;
    const opens = opensWebhook(secret, configuration, new Date());
    if (!opens || !provider || !configuration?.enabled) throw new AppError('webhook_not_found');
    return { configuration, provider };
  }

  /**
   * Proves and reads a notification.
   * @throws AppError webhook_rejected, body_too_complex
   */
  async read(
    { configuration, provider }: OpenWebhook,
    notification: ProviderNotification,
  ): Promise<VerifiedNotification> {
    const events =
      notification.body.length === 0 ? null : await provider.read(notification, this.vault.open(configuration));
    return { shopId: configuration.shopId, provider: provider.name, events };
  }
}
