import { Injectable } from '@nestjs/common';
import { type Author } from '../../events/audit/audit.service.js';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { isProviderError } from '../providers/provider-errors.js';
import { type PaymentProvider, type ProviderAccount, type RegisteredWebhook } from '../providers/provider.js';
import { PaymentAccountsService } from './payment-accounts.service.js';
import { type PaymentConfiguration, type ProviderStatus } from './payment-configuration.types.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import {
  type CheckContext,
  type CredentialsResult,
  type ProviderCheck,
  providerChecks,
  type WebhookResult,
} from './provider-check-rules.js';
import { failureIn } from './provider-failure-rules.js';
import { ProviderHealthService } from './provider-health.service.js';
import { findWebhook, isPublicWebhook } from './webhook-registration.js';

/** What a check of a provider found. */
export interface CheckReport extends Pick<ProviderStatus, 'canStartPayments' | 'missing'> {
  readonly checks: readonly ProviderCheck[];
}

/** Checks the providers of a shop: with what is stored, and with calls to the provider that change none of its settings. */
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

  /** The providers of a shop, newest first, with what is known of each. */
  async list({ shopId }: Author): Promise<ProviderStatus[]> {
    const configurations = await this.configurations.list(shopId);
    const currency = await this.shops.currencyOf(shopId);
    return configurations.map((configuration) => this.accounts.statusOf(configuration, currency));
  }

  /** What follows from a configuration. @throws AppError shop_not_found */
  async statusOf(configuration: PaymentConfiguration): Promise<ProviderStatus> {
    return this.accounts.statusOf(configuration, await this.shops.currencyOf(configuration.shopId));
  }

  /**
   * Checks with the provider whether it accepts the credentials and has the webhook, and records the result.
   * @throws AppError provider_not_found (also when the shop has not configured it); service_unavailable when the credentials cannot
   * be decrypted
   */
  async check({ shopId }: Author, name: string): Promise<CheckReport> {
    const { configuration, provider } = await this.accounts.configured(shopId, name);
    const account = this.accounts.accountOf(configuration);
    const credentials = await this.verify(provider, account, configuration);
    const webhook = await this.findWebhook(provider, account, configuration, credentials);
    const current = orNotFound(await this.configurations.find(shopId, name, null), 'provider_not_found');
    const currency = await this.shops.currencyOf(shopId);
    const { mode, missing, canStartPayments } = this.accounts.statusOf(current, currency);
    const cheapestMinor = await this.products.cheapestForSale(shopId);
    const isProduction = this.config.environment === 'production';
    const context: CheckContext = { configuration: current, mode, currency, cheapestMinor, isProduction };
    return { checks: providerChecks(provider, credentials, webhook, context), canStartPayments, missing };
  }

  private async verify(
    provider: PaymentProvider,
    account: ProviderAccount,
    configuration: PaymentConfiguration,
  ): Promise<CredentialsResult> {
    if (provider.verify === undefined) return 'no_api';
    try {
      const read = await provider.verify(account);
      if (read === null) return 'no_api';
      await this.health.recordAccepted(configuration, 'query');
      return Object.keys(read).every((name) => account.credentials[name] !== undefined) ? 'accepted' : 'unread';
    } catch (error) {
      await this.health.recordFailure(configuration, error);
      const failure = failureIn(provider, error);
      if (failure !== null) return failure;
      if (isProviderError(error)) return 'unreachable';
      throw error;
    }
  }

  private async findWebhook(
    { webhooks }: PaymentProvider,
    account: ProviderAccount,
    configuration: PaymentConfiguration,
    credentials: CredentialsResult,
  ): Promise<WebhookResult> {
    const { webhookUrl: url } = account;
    if (url === null) return 'unreadable';
    if (webhooks === undefined || (credentials !== 'accepted' && credentials !== 'unread')) return 'unknown';
    const isPublic = isPublicWebhook(url);
    let found: RegisteredWebhook | undefined;
    try {
      found = isPublic ? await findWebhook(webhooks, account, url) : undefined;
    } catch (error) {
      if (isProviderError(error)) return 'unknown';
      throw error;
    }
    await this.configurations.setHealth(configuration, { webhookRegistered: found?.url === url }, null);
    if (found === undefined) return isPublic ? 'absent' : 'not_public';
    const own = webhooks.credentialOf(found) ?? account.credentials[webhooks.credential];
    if (own === undefined || own !== account.credentials[webhooks.credential]) return 'other_credential';
    if (found.url !== url) return 'old_address';
    return found.isComplete ? 'registered' : 'incomplete';
  }
}
