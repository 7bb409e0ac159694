import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { orNotFound } from '../../platform/errors/or-not-found.js';
import { requireValid } from '../../platform/errors/require-valid.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { Transactions } from '../../platform/database/transactions.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { CredentialVault } from './credential-vault.js';
import { prepareCredentials } from './credential-rules.js';
import { type PaymentConfiguration, type RevealedConfiguration } from './payment-configuration.types.js';
import { providerConfiguredEmail, webhookAddressChangedEmail } from './payment-emails.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import { findProvider } from '../providers/provider-registry.js';
import { type PaymentProvider } from '../providers/provider.js';
import { makeWebhookSecret, webhookUrl } from './webhook-secret.js';

export interface ProviderSettings {
  readonly enabled: boolean;
  /** Credentials by the provider's own names. An absent one keeps its value. */
  readonly credentials: Readonly<Record<string, unknown>>;
}

/** The payment providers of a shop: their credentials, and the webhook of each. */
@Injectable()
export class PaymentProvidersService {
  constructor(
    private readonly configurations: PaymentProvidersRepository,
    private readonly vault: CredentialVault,
    private readonly publicUrl: PublicUrl,
    private readonly emails: OwnerEmailsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  list({ shopId }: Author): Promise<PaymentConfiguration[]> {
    return this.configurations.list(shopId);
  }

  /**
   * Creates or changes a configuration, and emails the owners of the shop. Only the first call returns the webhook URL: its
   * secret is stored as a hash.
   * @throws AppError provider_not_found, validation_failed; state_conflict when it changed at the same time
   */
  async configure(author: Author, name: string, settings: ProviderSettings): Promise<RevealedConfiguration> {
    const provider = this.known(name);
    const { shopId } = author;
    const stored = await this.configurations.find(shopId, name);
    const { credentials, generated, problems } = prepareCredentials(
      provider.credentials,
      settings.credentials,
      // Stored credentials that cannot be decrypted count as absent, so that the shop can replace them.
      (stored && this.vault.tryOpen(stored)) ?? {},
    );
    requireValid(problems);
    const record = {
      enabled: settings.enabled,
      credentialNames: Object.keys(credentials).sort(),
      sealedCredentials: this.vault.seal(shopId, name, credentials),
      configuredAt: new Date(),
      configuredBy: author.principal,
    };
    const signingSecret = generated['signingSecret'] ?? null;
    const { secret, stored: newSecret } = this.makeSecret(shopId, name);
    const configuration = await this.transactions.run(async (transaction) => {
      const written = stored
        ? unchanged(await this.configurations.update(stored, record, transaction))
        : await this.configurations.insert(shopId, name, newSecret, record, transaction);
      // The audit log contains the names of the credentials, never their values.
      const { enabled, credentialNames } = record;
      const changes = changesBetween(
        stored && { provider: name, enabled: stored.enabled, credentialNames: stored.credentialNames },
        { provider: name, enabled, credentialNames },
      );
      const write = { action: 'payment_provider.configured', subjectId: written.id, changes } as const;
      await this.audit.record(author, write, transaction);
      await this.emails.add(shopId, (shop) => providerConfiguredEmail(shop, name), transaction);
      return written;
    });
    return { configuration, webhookUrl: stored ? null : this.webhookUrl(configuration, secret), signingSecret };
  }

  /**
   * Generates a new path secret, and emails the owners of the shop. The previous one works for the grace period, so that no
   * request is lost in that time.
   * @throws AppError provider_not_found (also when the shop has not configured it); state_conflict as `configure`
   */
  async rotateSecret(author: Author, name: string, graceSeconds: number): Promise<RevealedConfiguration> {
    this.known(name);
    const stored = orNotFound(
      await this.configurations.find(author.shopId, name),
      'provider_not_found',
      'The shop has not configured this provider',
    );
    const { secret, stored: newSecret } = this.makeSecret(stored.shopId, name);
    const previousUntil = new Date(Date.now() + graceSeconds * 1000);
    const configuration = await this.transactions.run(async (transaction) => {
      const rotated = unchanged(await this.configurations.rotateSecret(stored, newSecret, previousUntil, transaction));
      const write = { action: 'payment_provider.secret_rotated', subjectId: rotated.id } as const;
      await this.audit.record(author, write, transaction);
      await this.emails.add(author.shopId, (shop) => webhookAddressChangedEmail(shop, name), transaction);
      return rotated;
    });
    return { configuration, webhookUrl: this.webhookUrl(configuration, secret), signingSecret: null };
  }

  private makeSecret(shopId: string, name: string) {
    const { secret, hash } = makeWebhookSecret();
    const sealedWebhookSecret = this.vault.sealWebhookSecret(shopId, name, secret);
    return { secret, stored: { secretHash: hash, sealedWebhookSecret } };
  }

  private webhookUrl({ shopId, provider }: PaymentConfiguration, secret: string): string {
    return webhookUrl(this.publicUrl.base(), provider, shopId, secret);
  }

  private known(name: string): PaymentProvider {
    const provider = findProvider(name, this.config);
    if (provider === undefined) throw new AppError('provider_not_found');
    return provider;
  }
}

function unchanged(configuration: PaymentConfiguration | null): PaymentConfiguration {
  if (configuration === null) throw new AppError('state_conflict');
  return configuration;
}
