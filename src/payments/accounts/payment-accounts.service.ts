import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../../http/addresses/public-url.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type PaymentMethod } from '../../domain/payments/charge-rules.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { awaitsMoney } from '../../orders/order/payability.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { missingForPayments } from './credentials/credential-rules.js';
import { CredentialVault } from './credentials/credential-vault.js';
import { type PaymentConfiguration, type ProviderStatus } from './payment-configuration.types.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import { chargingOf } from '../providers/charging.js';
import { type Credentials, type PaymentProvider, type ProviderAccount } from '../providers/provider.js';
import { findProvider } from '../providers/provider-registry.js';
import { matchSecret, webhookUrl } from './credentials/webhook-secret.js';

/** A provider that a shop has configured. */
export interface ConfiguredProvider {
  readonly configuration: PaymentConfiguration;
  readonly provider: PaymentProvider;
}

/** A provider with the account of a shop there. */
export interface ActiveAccount extends ConfiguredProvider {
  readonly account: ProviderAccount;
}

/** The path of a webhook. */
export interface WebhookPath {
  readonly provider: string;
  readonly shopId: string;
  readonly webhookSecret: string;
}

/** The webhook that a path names. */
export interface OpenedWebhook extends ConfiguredProvider {
  /** Whether it accepts requests at this address: not at one before a rotation whose grace period is over. */
  readonly isOpen: boolean;
}

/** The accounts of shops at payment providers, ready to be used: switched on and decrypted. */
@Injectable()
export class PaymentAccountsService {
  constructor(
    private readonly configurations: PaymentProvidersRepository,
    private readonly vault: CredentialVault,
    private readonly orders: OrdersService,
    private readonly publicUrl: PublicUrl,
    private readonly config: AppConfig,
  ) {}

  /** The provider with this name. @throws AppError provider_not_found */
  providerNamed(name: string): PaymentProvider {
    const provider = findProvider(name, this.config);
    if (provider === undefined) throw new AppError('provider_not_found');
    return provider;
  }

  /** The provider with this name, as the shop has configured it. @throws AppError provider_not_found, also when it has not */
  async configured(shopId: string, name: string): Promise<ConfiguredProvider> {
    const provider = this.providerNamed(name);
    const configuration = orNotFound(
      await this.configurations.find(shopId, name, null),
      'provider_not_found',
      'The shop has not configured this provider',
    );
    return { configuration, provider };
  }

  /**
   * What follows from a configuration: little while its credentials cannot be decrypted, or for a provider that the service does not
   * have, or not in production. @param currency of the shop (ISO 4217)
   */
  statusOf(configuration: PaymentConfiguration, currency: string): ProviderStatus {
    const provider = findProvider(configuration.provider, this.config);
    const credentials = this.vault.tryOpen(configuration);
    if (provider === undefined || credentials === null)
      return { configuration, mode: null, missing: [], canStartPayments: false };
    const missing = missingForPayments(provider, credentials);
    const isUsable = configuration.enabled && configuration.failingSince === null;
    const canStartPayments = isUsable && missing.length === 0 && provider.chargeRule(currency) !== null;
    const mode = provider.modeOf({ credentials, apiUrl: this.config.providerUrls[provider.name] });
    return { configuration, mode, missing, canStartPayments };
  }

  /** A shop's account with its addresses. @throws AppError service_unavailable when it cannot be decrypted */
  accountOf(configuration: PaymentConfiguration): ProviderAccount {
    const secret = this.vault.openWebhookSecret(configuration);
    return this.accountWith(configuration, this.vault.open(configuration), secret);
  }

  /** An account with certain credentials. @param secret of the webhook's path; null: it cannot be decrypted */
  accountWith(
    { shopId, provider }: Pick<PaymentConfiguration, 'shopId' | 'provider'>,
    credentials: Credentials,
    secret: string | null,
  ): ProviderAccount {
    const publicUrl = this.publicUrl.base();
    return {
      credentials,
      publicUrl,
      apiUrl: this.config.providerUrls[provider],
      webhookUrl: secret === null ? null : webhookUrl(publicUrl, provider, shopId, secret),
      awaitsMoney: async (orderId) => {
        const order = await this.orders.find(shopId, orderId, null);
        return order !== null && awaitsMoney(order);
      },
    };
  }

  /** The account of a shop where buyers can pay, or null. @throws AppError service_unavailable when it cannot be decrypted */
  async find(shopId: string, name: string): Promise<ActiveAccount | null> {
    const configuration = await this.configurations.find(shopId, name, null);
    return configuration && this.activate(configuration);
  }

  /**
   * The account of a shop at a provider that reports what happened to payments, also when it is switched off; null without one.
   * @throws AppError service_unavailable when it cannot be decrypted
   */
  async findReporting(shopId: string, name: string): Promise<ActiveAccount | null> {
    const configuration = await this.configurations.find(shopId, name, null);
    const provider = findProvider(name, this.config);
    if (configuration === null || provider === undefined) return null;
    return { configuration, provider, account: this.accountOf(configuration) };
  }

  /** The accounts of a shop where buyers can pay, in the order in which the shop configured them. */
  async list(shopId: string): Promise<ActiveAccount[]> {
    const configurations = await this.configurations.list(shopId);
    return configurations
      .toReversed()
      .map((configuration) => this.activate(configuration))
      .filter((active) => active !== null);
  }

  /**
   * The providers that a shop has switched on, what each can charge, and whether buyers can pay there: not while the account cannot
   * be decrypted.
   */
  async methodsOf({ id, currency }: Pick<Shop, 'id' | 'currency'>, transaction: Transaction): Promise<PaymentMethod[]> {
    const configurations = await this.configurations.listEnabled(id, transaction);
    return configurations.flatMap((configuration) => {
      const provider = findProvider(configuration.provider, this.config);
      if (provider === undefined) return [];
      const credentials = this.vault.tryOpen(configuration);
      const canCreate = credentials !== null && missingForPayments(provider, credentials).length === 0;
      return [{ ...chargingOf(provider, currency), canCreate }];
    });
  }

  /**
   * Finds the webhook of a path with one indexed read. An unknown shop, a provider that is unknown or not configured, and a wrong
   * secret give the same error, so that the caller cannot tell them apart. A provider that is switched off still reports what happens
   * to the payments before.
   * @throws AppError malformed_id, webhook_not_found
   */
  async openWebhook({ provider: name, shopId, webhookSecret }: WebhookPath): Promise<OpenedWebhook> {
    if (!isObjectId(shopId)) throw new AppError('malformed_id');
    const provider = findProvider(name, this.config);
    const configuration = provider ? await this.configurations.find(shopId, name, null) : null;
    const match = matchSecret(webhookSecret, configuration, new Date());
    if (match === 'wrong' || !provider || !configuration) throw new AppError('webhook_not_found');
    return { configuration, provider, isOpen: match === 'live' || provider.keepsAddresses === true };
  }

  private activate(configuration: PaymentConfiguration): ActiveAccount | null {
    const provider = findProvider(configuration.provider, this.config);
    if (provider === undefined || !configuration.enabled) return null;
    const account = this.accountOf(configuration);
    const missing = missingForPayments(provider, account.credentials);
    return missing.length === 0 ? { configuration, provider, account } : null;
  }
}
