import { Injectable } from '@nestjs/common';
import { type Author } from '../../events/audit/audit.service.js';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type ProviderAccount } from '../providers/provider.js';
import { type ConfiguredProvider, PaymentAccountsService } from './payment-accounts.service.js';
import { type ProviderStatus } from './payment-configuration.types.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import {
  type CredentialsResult,
  type ProviderCheck,
  providerChecks,
  type WebhookResult,
} from './checks/provider-check-rules.js';
import { ProviderHealthService } from './provider-health.service.js';
import { findWebhook, isPublic, unlessUnavailable } from './checks/provider-webhooks.js';
import { verify } from './credentials/verification.js';

/** What a check of a provider found. */
export interface CheckReport extends Pick<ProviderStatus, 'canStartPayments' | 'missing'> {
  readonly checks: readonly ProviderCheck[];
}

/** Checks the providers of a shop, with calls to the provider that change none of its settings. */
@Injectable()
export class ProviderChecksService {
  constructor(
    private readonly configurations: PaymentProvidersRepository,
    private readonly accounts: PaymentAccountsService,
    private readonly health: ProviderHealthService,
    private readonly shops: ShopsService,
    private readonly products: ProductsService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Checks with the provider whether it accepts the credentials and has the webhook, and records the result.
   * @throws AppError provider_not_found (also when the shop has not configured it); service_unavailable when the credentials cannot
   * be decrypted
   */
  async check({ shopId }: Author, name: string): Promise<CheckReport> {
    const configured = await this.accounts.configured(shopId, name);
    const { provider } = configured;
    const account = this.accounts.accountOf(configured.configuration);
    const credentials = await this.checkCredentials(configured, account);
    const webhook = await this.checkWebhook(configured, account, credentials);
    const configuration = orNotFound(await this.configurations.find(shopId, name, null), 'provider_not_found');
    const currency = await this.shops.currencyOf(shopId);
    const { mode, missing, canStartPayments } = this.accounts.statusOf(configuration, currency);
    const cheapestMinor = await this.products.cheapestForSale(shopId);
    const isProduction = this.config.environment === 'production';
    const context = { configuration, mode, currency, cheapestMinor, isProduction };
    return { checks: providerChecks(provider, credentials, webhook, context), canStartPayments, missing };
  }

  private async checkCredentials(
    { configuration, provider }: ConfiguredProvider,
    account: ProviderAccount,
  ): Promise<CredentialsResult> {
    const { result, read } = await verify(provider, account);
    if (typeof result === 'object') await this.health.recordFailure(configuration, result);
    if (result !== 'accepted') return result;
    await this.health.recordAccepted(configuration, 'query');
    return Object.keys(read).every((name) => account.credentials[name] !== undefined) ? 'accepted' : 'unread';
  }

  private async checkWebhook(
    { configuration, provider: { webhooks } }: ConfiguredProvider,
    account: ProviderAccount,
    credentials: CredentialsResult,
  ): Promise<WebhookResult> {
    const { webhookUrl: url } = account;
    if (url === null) return 'unreadable';
    if (webhooks === undefined || (credentials !== 'accepted' && credentials !== 'unread')) return 'unknown';
    const found = isPublic(account) ? await unlessUnavailable(findWebhook(webhooks, account)) : null;
    if (found === undefined) return 'unknown';
    await this.configurations.update(configuration, { webhookRegistered: found?.url === url }, null);
    if (found === null) return isPublic(account) ? 'absent' : 'not_public';
    const stored = account.credentials[webhooks.credential];
    if (stored === undefined || (webhooks.credentialOf(found) ?? stored) !== stored) return 'other_credential';
    if (found.url !== url) return 'old_address';
    return found.isComplete ? 'registered' : 'incomplete';
  }
}
