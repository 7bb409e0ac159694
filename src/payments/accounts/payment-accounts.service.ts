import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../../platform/http/public-url.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { OrdersService } from '../../orders/orders/orders.service.js';
import { CredentialVault } from './credential-vault.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import { awaitsMoney } from '../payments/payment-rules.js';
import { type PaymentProvider, type ProviderAccount } from '../providers/provider.js';
import { findProvider } from '../providers/provider-registry.js';
import { webhookUrl } from './webhook-secret.js';

/** A provider with which buyers can pay in a shop, with the shop's account. */
export interface ActiveAccount {
  readonly provider: PaymentProvider;
  readonly account: ProviderAccount;
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

  /** A shop's account with its addresses. @throws AppError service_unavailable when it cannot be decrypted */
  accountOf(configuration: PaymentConfiguration): ProviderAccount {
    const { shopId, provider } = configuration;
    const publicUrl = this.publicUrl.base();
    const secret = this.vault.openWebhookSecret(configuration);
    return {
      credentials: this.vault.open(configuration),
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
    const configuration = await this.configurations.find(shopId, name);
    return configuration && this.activate(configuration);
  }

  /** The accounts of a shop where buyers can pay, in the order in which the shop configured them. */
  async list(shopId: string): Promise<ActiveAccount[]> {
    const configurations = await this.configurations.list(shopId);
    return configurations
      .toReversed()
      .map((configuration) => this.activate(configuration))
      .filter((active) => active !== null);
  }

  private activate(configuration: PaymentConfiguration): ActiveAccount | null {
    const provider = findProvider(configuration.provider, this.config);
    if (provider === undefined || !configuration.enabled) return null;
    const account = this.accountOf(configuration);
    return provider.canCreate(account.credentials) ? { provider, account } : null;
  }
}
