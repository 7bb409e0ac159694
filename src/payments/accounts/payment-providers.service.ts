import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { type User } from '../../accounts/users/user.types.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { type EmailContent } from '../../events/mail/email.types.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { CatalogueWritesService } from '../../catalogue/snapshot/catalogue-writes.service.js';
import { type AuditedWrite, AuditService, type Author } from '../../events/audit/audit.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type Credentials, type PaymentProvider, type ProviderAccount } from '../providers/provider.js';
import { CredentialVault } from './credentials/credential-vault.js';
import { prepareCredentials } from './credentials/credential-rules.js';
import { PaymentAccountsService } from './payment-accounts.service.js';
import {
  type NewConfiguration,
  type PaymentConfiguration,
  type ProviderStatus,
  type RevealedConfiguration,
} from './payment-configuration.types.js';
import { settingsEmail, type SettingsChange } from './payment-emails.js';
import { failureAfterSaving } from './health/provider-failure-rules.js';
import { moveWebhook, registerWebhook, removeWebhook, undoRegistration } from './checks/provider-webhooks.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import { UNCHECKED, verify } from './credentials/verification.js';
import { makeWebhookSecret, rotatedSecrets } from './credentials/webhook-secret.js';

/**
 * How long a request may register the webhook at the provider: longer than its calls take, which are a list, some removals and a creation.
 * When its process dies, others can go on after this time.
 */
const REGISTRATION_MS = MINUTE_MS;

export interface ProviderSettings {
  readonly enabled: boolean;
  /** Credentials by the provider's own names. An absent one keeps its value. */
  readonly credentials: Readonly<Record<string, unknown>>;
}

/** Who changes settings: a person, or a key of a person. */
export type SettingsAuthor = Author & Pick<AuthContext, 'kind' | 'userId'>;

/** Sets up the payment providers of a shop: their credentials, and the webhook of each. */
@Injectable()
export class PaymentProvidersService {
  constructor(
    private readonly configurations: PaymentProvidersRepository,
    private readonly vault: CredentialVault,
    private readonly accounts: PaymentAccountsService,
    private readonly shops: ShopsService,
    private readonly audit: AuditService,
    private readonly emails: OwnerEmailsService,
    private readonly writes: CatalogueWritesService,
  ) {}

  /** The providers of a shop, newest first, with what is known of each. */
  async list({ shopId }: Author): Promise<ProviderStatus[]> {
    const configurations = await this.configurations.list(shopId);
    const currency = await this.shops.currencyOf(shopId);
    return configurations.map((configuration) => this.accounts.statusOf(configuration, currency));
  }

  /**
   * Creates or changes a configuration, and emails the owners of the shop. A provider that is switched on is called, to check
   * the credentials and to register the webhook. Only the first call returns the webhook URL: its secret is stored as a hash.
   * @throws AppError provider_not_found, validation_failed, also when the provider rejects the credentials; state_conflict when it
   * changed at the same time
   */
  async configure(author: SettingsAuthor, name: string, settings: ProviderSettings): Promise<RevealedConfiguration> {
    const provider = this.accounts.providerNamed(name);
    const { shopId } = author;
    const { enabled, credentials: given } = settings;
    const stored = await this.configurations.find(shopId, name, null);
    requireUnregistering(stored);
    // Stored credentials that cannot be decrypted count as absent, so that the shop can replace them.
    const known = (stored && this.vault.tryOpen(stored)) ?? {};
    const { credentials: prepared, generated, problems } = prepareCredentials(provider.credentials, given, known);
    requireValid(problems);
    const created = this.makeSecret(shopId, name);
    const pathSecret = stored ? this.vault.openWebhookSecret(stored) : created.secret;
    const unverified = this.accounts.accountWith({ shopId, provider: name }, prepared, pathSecret);
    const { result, read } = enabled ? await verify(provider, unverified) : UNCHECKED;
    const refusal = typeof result === 'object' ? result : null;
    if (refusal?.failure === 'credentials_rejected') requireValid([refusal.reason]);
    const account = { ...unverified, credentials: { ...read, ...prepared } };
    const now = new Date();
    const checkedAt = result === 'accepted' ? now : null;
    const isSame = Object.entries(given).every(([field, value]) => known[field] === value);
    const record = {
      enabled,
      ...this.sealed(shopId, name, account.credentials),
      configuredAt: now,
      configuredBy: author.principal,
      checkedAt,
      webhookRegistered: null,
      ...failureAfterSaving(isSame ? stored : null, { checkedAt, refusal }, now),
    };
    const isRegistrable = provider.webhooks !== undefined && checkedAt !== null;
    const registeringUntil = isRegistrable ? new Date(now.getTime() + REGISTRATION_MS) : null;
    const saved = await this.save(author, name, stored, { ...record, registeringUntil, ...created.stored });
    const configuration = isRegistrable ? await this.register(saved, provider, account, given) : saved;
    const webhookUrl = stored ? null : account.webhookUrl;
    return this.revealed(configuration, { webhookUrl, signingSecret: generated['signingSecret'] ?? null });
  }

  /**
   * Generates a new path secret, and emails the owners of the shop. The previous one works for the grace period, so that no
   * request is lost in that time. Where the provider's API can, the service corrects the address there.
   * @throws AppError provider_not_found (also when the shop has not configured it); state_conflict as `configure`
   */
  async rotateSecret(author: SettingsAuthor, name: string, graceSeconds: number): Promise<RevealedConfiguration> {
    const { configuration: stored, provider } = await this.accounts.configured(author.shopId, name);
    requireUnregistering(stored);
    const { secret, stored: next } = this.makeSecret(stored.shopId, name);
    const previousUntil = new Date(Date.now() + graceSeconds * SECOND_MS);
    // The provider has the previous address, so it is not known any more to have the webhook.
    const changes = { ...next, ...rotatedSecrets(stored, next.secretHash, previousUntil), webhookRegistered: null };
    const configuration = await this.writes.run(author.shopId, async (transaction) => {
      const rotated = unchanged(
        await this.configurations.update(stored, changes, transaction, ['secretHash', 'registeringUntil']),
      );
      await this.record(author, name, 'payment_provider.secret_rotated', { subjectId: rotated.id }, transaction);
      return rotated;
    });
    const account = this.accounts.accountWith(configuration, this.vault.tryOpen(configuration) ?? {}, secret);
    // Not before it is stored, as in `register`.
    const webhookRegistered = await moveWebhook(provider.webhooks, account);
    if (webhookRegistered !== null) await this.configurations.update(configuration, { webhookRegistered }, null);
    return this.revealed(
      { ...configuration, webhookRegistered },
      { webhookUrl: account.webhookUrl, signingSecret: null },
    );
  }

  /**
   * Removes a configuration with its credentials, and emails the owners of the shop. From then on its webhook does not exist, so a
   * payment that a buyer makes at the provider is not recorded.
   * @throws AppError provider_not_found (also when the shop has not configured it); state_conflict as `configure`
   */
  async remove(author: SettingsAuthor, name: string): Promise<ProviderStatus> {
    const { configuration: stored, provider } = await this.accounts.configured(author.shopId, name);
    requireUnregistering(stored);
    await this.writes.run(author.shopId, async (transaction) => {
      if (!(await this.configurations.remove(stored, transaction))) throw new AppError('state_conflict');
      const write = { subjectId: stored.id, changes: changesBetween(audited(stored), null) };
      await this.record(author, name, 'payment_provider.removed', write, transaction);
    });
    const credentials = this.vault.tryOpen(stored);
    if (credentials !== null) {
      const secret = this.vault.openWebhookSecret(stored);
      await removeWebhook(provider.webhooks, this.accounts.accountWith(stored, credentials, secret));
    }
    const status = this.accounts.statusOf(stored, await this.shops.currencyOf(stored.shopId));
    return { ...status, canStartPayments: false };
  }

  private save(
    author: SettingsAuthor,
    name: string,
    stored: PaymentConfiguration | null,
    { secretHash, sealedWebhookSecret, ...settings }: NewConfiguration,
  ): Promise<PaymentConfiguration> {
    return this.writes.run(author.shopId, async (transaction) => {
      const saved = stored
        ? unchanged(
            await this.configurations.update(stored, settings, transaction, ['sealedCredentials', 'registeringUntil']),
          )
        : await this.configurations.insert(
            author.shopId,
            name,
            { ...settings, secretHash, sealedWebhookSecret },
            transaction,
          );
      const write = { subjectId: saved.id, changes: changesBetween(stored && audited(stored), audited(saved)) };
      await this.record(author, name, 'payment_provider.configured', write, transaction);
      return saved;
    });
  }

  /**
   * Records a change in the audit log, and emails the owners: whoever holds the secrets decides what counts as paid. Another address of
   * the webhook does not change what the shop can charge.
   */
  private async record(
    author: SettingsAuthor,
    name: string,
    action: SettingsChange,
    write: Omit<AuditedWrite, 'action'>,
    transaction: Transaction,
  ): Promise<void> {
    const at = new Date();
    const withKey = author.kind === 'api_key';
    const content = (shop: Shop, person: User | null): EmailContent =>
      settingsEmail(action, shop, name, { person, withKey, at });
    await this.emails.add(author.shopId, content, transaction, { by: author.userId });
    const log = action === 'payment_provider.secret_rotated' ? this.audit : this.writes;
    await log.record(author, { action, ...write }, transaction);
  }

  /**
   * Registers the webhook of settings that are stored, and stores what the provider adds. Not earlier: the provider must never have an
   * address that the service does not know. Settings that somebody has replaced meanwhile stay replaced, and a webhook whose
   * credential cannot be stored is removed again.
   */
  private async register(
    saved: PaymentConfiguration,
    { webhooks }: PaymentProvider,
    account: ProviderAccount,
    given: ProviderSettings['credentials'],
  ): Promise<PaymentConfiguration> {
    const registration = await registerWebhook(webhooks, account, given);
    const { credentials, webhookRegistered } = registration;
    const sealed = this.sealed(saved.shopId, saved.provider, credentials);
    const settings = { ...sealed, webhookRegistered, registeringUntil: null };
    const registered = await this.writes.run(saved.shopId, async (transaction) => {
      const updated = await this.configurations.update(saved, settings, transaction);
      if (updated !== null) await this.writes.raise(saved.shopId, transaction);
      return updated;
    });
    if (registered === null) await undoRegistration(webhooks, account, registration);
    return registered ?? saved;
  }

  private async revealed(
    configuration: PaymentConfiguration,
    secrets: Pick<RevealedConfiguration, 'webhookUrl' | 'signingSecret'>,
  ): Promise<RevealedConfiguration> {
    const currency = await this.shops.currencyOf(configuration.shopId);
    return { ...this.accounts.statusOf(configuration, currency), ...secrets };
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

/** What the audit log compares: the names of the credentials, never their values. */
function audited({ provider, enabled, credentialNames }: PaymentConfiguration) {
  return { provider, enabled, credentialNames };
}

/** Two requests that register the webhook at once would register two. @throws AppError state_conflict */
function requireUnregistering(stored: Pick<PaymentConfiguration, 'registeringUntil'> | null): void {
  if (stored?.registeringUntil == null || stored.registeringUntil <= new Date()) return;
  const message =
    'Another request is registering the webhook of this provider. Repeat yours in some seconds, it has changed nothing';
  throw new AppError('state_conflict', { message });
}

function unchanged(configuration: PaymentConfiguration | null): PaymentConfiguration {
  if (configuration === null) throw new AppError('state_conflict');
  return configuration;
}
