import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService, type Author } from '../audit/audit.service.js';
import { AppError } from '../common/errors/app-error.js';
import { API_PREFIX } from '../common/http/api-prefix.js';
import { PublicUrl } from '../common/http/public-url.js';
import { Transactions } from '../database/transactions.js';
import { CredentialVault } from './credential-vault.js';
import { prepareCredentials } from './credential-rules.js';
import { type PaymentConfiguration, type RevealedConfiguration } from './payment-configuration.types.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import { findProvider } from './providers/provider-registry.js';
import { type PaymentProvider } from './providers/provider.js';
import { makeWebhookSecret } from './webhook-secret.js';

const WEBHOOKS_PATH = `/${API_PREFIX}/payments/webhooks`;

export interface ProviderSettings {
  readonly enabled: boolean;
  /** By the provider's own names; what is left out stays as it is. */
  readonly credentials: Readonly<Record<string, unknown>>;
}

/** How shops use payment providers. */
@Injectable()
export class PaymentProvidersService {
  constructor(
    private readonly configurations: PaymentProvidersRepository,
    private readonly vault: CredentialVault,
    private readonly publicUrl: PublicUrl,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  list({ shopId }: Author): Promise<PaymentConfiguration[]> {
    return this.configurations.list(shopId);
  }

  /**
   * Makes or changes a configuration. Only the first time there is a webhook URL to show: its secret is kept as a hash.
   * @throws AppError provider_not_found, validation_failed, state_conflict
   */
  async configure(author: Author, name: string, settings: ProviderSettings): Promise<RevealedConfiguration> {
    const provider = known(name);
    const { shopId } = author;
    const stored = await this.configurations.find(shopId, name);
    const { credentials, made, problems } = prepareCredentials(
      provider.credentials,
      settings.credentials,
      // Unreadable ones count as none, so that they can be replaced.
      (stored && this.vault.tryOpen(stored)) ?? {},
    );
    if (problems.length > 0) throw new AppError('validation_failed', { message: problems.join('; ') });
    const record = {
      enabled: settings.enabled,
      credentialNames: Object.keys(credentials).sort(),
      sealedCredentials: this.vault.seal(shopId, name, credentials),
      configuredAt: new Date(),
      configuredBy: author.principal,
    };
    const signingSecret = made['signingSecret'] ?? null;
    const { secret, hash } = makeWebhookSecret();
    const configuration = await this.transactions.run(async (transaction) => {
      const written = stored
        ? unchanged(await this.configurations.update(stored, record, transaction))
        : await this.configurations.insert(shopId, name, hash, record, transaction);
      // Credentials go in sealed and never get out: the log names them, no more.
      const { enabled, credentialNames } = record;
      const changes = changesBetween(
        stored && { provider: name, enabled: stored.enabled, credentialNames: stored.credentialNames },
        { provider: name, enabled, credentialNames },
      );
      const write = { action: 'payment_provider.configured', subjectId: written.id, changes } as const;
      await this.audit.record(author, write, transaction);
      return written;
    });
    return { configuration, webhookUrl: stored ? null : this.webhookUrl(configuration, secret), signingSecret };
  }

  /**
   * Makes a new path secret; the one before it lives on for the grace, so that the provider can be told without a gap.
   * @throws AppError provider_not_found (also for one that is not configured), state_conflict
   */
  async rotateSecret(author: Author, name: string, graceSeconds: number): Promise<RevealedConfiguration> {
    known(name);
    const stored = await this.configurations.find(author.shopId, name);
    if (stored === null)
      throw new AppError('provider_not_found', { message: 'The shop has not configured this provider' });
    const { secret, hash } = makeWebhookSecret();
    const previousUntil = new Date(Date.now() + graceSeconds * 1000);
    const configuration = await this.transactions.run(async (transaction) => {
      const rotated = unchanged(await this.configurations.rotateSecret(stored, hash, previousUntil, transaction));
      const write = { action: 'payment_provider.secret_rotated', subjectId: rotated.id } as const;
      await this.audit.record(author, write, transaction);
      return rotated;
    });
    return { configuration, webhookUrl: this.webhookUrl(configuration, secret), signingSecret: null };
  }

  private webhookUrl({ shopId, provider }: PaymentConfiguration, secret: string): string {
    return `${this.publicUrl.base()}${WEBHOOKS_PATH}/${provider}/${shopId}/${secret}`;
  }
}

function known(name: string): PaymentProvider {
  const provider = findProvider(name);
  if (provider === undefined) throw new AppError('provider_not_found');
  return provider;
}

function unchanged(configuration: PaymentConfiguration | null): PaymentConfiguration {
  if (configuration === null) throw new AppError('state_conflict');
  return configuration;
}
