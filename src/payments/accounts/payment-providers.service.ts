import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { type Author } from '../../events/audit/audit.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { CredentialVault } from './credential-vault.js';
import { prepareCredentials } from './credential-rules.js';
import {
  type PaymentConfiguration,
  type ProviderStatus,
  type RevealedConfiguration,
} from './payment-configuration.types.js';
import { PaymentAccountsService } from './payment-accounts.service.js';
import { providerConfiguredEmail, providerRemovedEmail, webhookAddressChangedEmail } from './payment-emails.js';
import { failureAfterSaving } from './provider-failure-rules.js';
import { ProviderChangesService } from './provider-changes.service.js';
import { ProviderChecksService } from './provider-checks.service.js';
import { ProviderSetupService } from './provider-setup.service.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import { type Credentials, type PaymentProvider, type ProviderAccount } from '../providers/provider.js';
import { makeWebhookSecret } from './webhook-secret.js';

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
    private readonly accounts: PaymentAccountsService,
    private readonly setups: ProviderSetupService,
    private readonly checks: ProviderChecksService,
    private readonly changes: ProviderChangesService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates or changes a configuration, and emails the owners of the shop. A provider that is switched on is called, to check
   * the credentials and to register the webhook. Only the first call returns the webhook URL: its secret is stored as a hash.
   * @throws AppError provider_not_found, validation_failed, also when the provider rejects the credentials; state_conflict when it
   * changed at the same time
   */
  async configure(author: Author, name: string, settings: ProviderSettings): Promise<RevealedConfiguration> {
    const provider = this.accounts.providerNamed(name);
    const { shopId } = author;
    const stored = await this.configurations.find(shopId, name, null);
    // Stored credentials that cannot be decrypted count as absent, so that the shop can replace them.
    const known = (stored && this.vault.tryOpen(stored)) ?? {};
    const prepared = prepareCredentials(provider.credentials, settings.credentials, known);
    requireValid(prepared.problems);
    const { secret, stored: newSecret } = this.makeSecret(shopId, name);
    const current = stored ? this.vault.openWebhookSecret(stored) : secret;
    const account = this.accounts.accountWith({ shopId, provider: name }, prepared.credentials, current);
    const { credentials, checkedAt, refusal } = settings.enabled
      ? await this.setups.verify(provider, account)
      : { credentials: prepared.credentials, checkedAt: null, refusal: null };
    const now = new Date();
    const isSame = Object.entries(settings.credentials).every(([field, value]) => known[field] === value);
    const failure = failureAfterSaving(isSame ? stored : null, { checkedAt, refusal }, now);
    const record = {
      enabled: settings.enabled,
      ...this.sealed(shopId, name, credentials),
      configuredAt: now,
      configuredBy: author.principal,
      checkedAt,
      webhookRegistered: null,
      ...failure,
    };
    const signingSecret = prepared.generated['signingSecret'] ?? null;
    const saved = await this.transactions.run(async (transaction) => {
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
      await this.changes.record(author, write, (shop) => providerConfiguredEmail(shop, name), transaction);
      return written;
    });
    const isUsable = provider.webhooks !== undefined && checkedAt !== null;
    const configuration = isUsable
      ? await this.register(provider, saved, { ...account, credentials }, settings.credentials)
      : saved;
    const webhookUrl = stored ? null : account.webhookUrl;
    return { ...(await this.checks.statusOf(configuration)), webhookUrl, signingSecret };
  }

  /**
   * Generates a new path secret, and emails the owners of the shop. The previous one works for the grace period, so that no
   * request is lost in that time. Where the provider's API can, the service corrects the address there.
   * @throws AppError provider_not_found (also when the shop has not configured it); state_conflict as `configure`
   */
  async rotateSecret(author: Author, name: string, graceSeconds: number): Promise<RevealedConfiguration> {
    const { configuration: stored, provider } = await this.accounts.configured(author.shopId, name);
    const { secret, stored: newSecret } = this.makeSecret(stored.shopId, name);
    const previousUntil = new Date(Date.now() + graceSeconds * 1000);
    const configuration = await this.transactions.run(async (transaction) => {
      const rotated = unchanged(await this.configurations.rotateSecret(stored, newSecret, previousUntil, transaction));
      const write = { action: 'payment_provider.secret_rotated', subjectId: rotated.id } as const;
      await this.changes.record(author, write, (shop) => webhookAddressChangedEmail(shop, name), transaction);
      return rotated;
    });
    const account = this.accounts.accountWith(configuration, this.vault.tryOpen(configuration) ?? {}, secret);
    // Not before it is stored, as in `register`.
    const webhookRegistered = await this.setups.move(provider, account);
    if (webhookRegistered !== null) await this.configurations.setHealth(configuration, { webhookRegistered }, null);
    const status = await this.checks.statusOf({ ...configuration, webhookRegistered });
    return { ...status, webhookUrl: account.webhookUrl, signingSecret: null };
  }

  /**
   * Removes a configuration with its credentials, and emails the owners of the shop. From then on its webhook does not exist, so a
   * payment that a buyer makes at the provider is not recorded.
   * @throws AppError provider_not_found (also when the shop has not configured it); state_conflict as `configure`
   */
  async remove(author: Author, name: string): Promise<ProviderStatus> {
    const { configuration: stored, provider } = await this.accounts.configured(author.shopId, name);
    await this.transactions.run(async (transaction) => {
      if (!(await this.configurations.remove(stored, transaction))) throw new AppError('state_conflict');
      const { enabled, credentialNames } = stored;
      const changes = changesBetween({ provider: name, enabled, credentialNames }, null);
      const write = { action: 'payment_provider.removed', subjectId: stored.id, changes } as const;
      await this.changes.record(author, write, (shop) => providerRemovedEmail(shop, name), transaction);
    });
    await this.unregister(provider, stored);
    return { ...(await this.checks.statusOf(stored)), canStartPayments: false };
  }

  /**
   * Registers the webhook of settings that are stored, and stores what the provider adds. Not earlier: the provider must never have an
   * address that the service does not know. Settings that somebody has replaced meanwhile stay replaced.
   */
  private async register(
    provider: PaymentProvider,
    saved: PaymentConfiguration,
    account: ProviderAccount,
    given: ProviderSettings['credentials'],
  ): Promise<PaymentConfiguration> {
    const { credentials, webhookRegistered } = await this.setups.register(provider, account, given);
    const settings = { ...this.sealed(saved.shopId, saved.provider, credentials), webhookRegistered };
    return (await this.configurations.update(saved, settings, null)) ?? saved;
  }

  private async unregister(provider: PaymentProvider, removed: PaymentConfiguration): Promise<void> {
    const credentials = this.vault.tryOpen(removed);
    if (credentials === null) return;
    const account = this.accounts.accountWith(removed, credentials, this.vault.openWebhookSecret(removed));
    await this.setups.unregister(provider, account);
  }

  private sealed(shopId: string, name: string, credentials: Credentials) {
    return {
      credentialNames: Object.keys(credentials).sort(),
      sealedCredentials: this.vault.seal(shopId, name, credentials),
    };
  }

  private makeSecret(shopId: string, name: string) {
    const { secret, hash } = makeWebhookSecret();
    const sealedWebhookSecret = this.vault.sealWebhookSecret(shopId, name, secret);
    return { secret, stored: { secretHash: hash, sealedWebhookSecret } };
  }
}

function unchanged(configuration: PaymentConfiguration | null): PaymentConfiguration {
  if (configuration === null) throw new AppError('state_conflict');
  return configuration;
}
