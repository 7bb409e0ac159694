import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../common/http/public-url.js';
import { AppConfig } from '../config/app-config.js';
import { CredentialVault } from './credential-vault.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import { type PaymentProvider, type ProviderAccount } from './providers/provider.js';
import { findProvider } from './providers/provider-registry.js';
import { webhookUrl } from './webhook-secret.js';

/** A provider that a shop has switched on, with the shop's account. */
export interface ActiveAccount {
  readonly provider: PaymentProvider;
  readonly account: ProviderAccount;
  readonly configuration: PaymentConfiguration;
}

/** The accounts of shops at payment providers, ready to be used: switched on and decrypted. */
@Injectable()
export class PaymentAccountsService {
  constructor(
    private readonly configurations: PaymentProvidersRepository,
    private readonly vault: CredentialVault,
    private readonly publicUrl: PublicUrl,
    private readonly config: AppConfig,
  ) {}

  /** The account of a shop where buyers can pay, or null. @throws AppError service_unavailable when it cannot be decrypted */
  async find(shopId: string, name: string): Promise<ActiveAccount | null> {
    const configuration = await this.configurations.find(shopId, name);
    const active = configuration && this.activate(configuration);
    return active?.provider.canCreate(active.account.credentials) === true ? active : null;
  }

  /** The accounts of a shop where buyers can pay, in the order in which the shop configured them. */
  async list(shopId: string): Promise<ActiveAccount[]> {
    const configurations = await this.configurations.list(shopId);
    return configurations
      .toReversed()
      .map((configuration) => this.activate(configuration))
      .filter((active) => active?.provider.canCreate(active.account.credentials) === true)
      .filter((active) => active !== null);
  }

  /** The address of the account's webhook; null when only its hash is known. */
  webhookOf({ configuration }: ActiveAccount): string | null {
    const secret = this.vault.openWebhookSecret(configuration);
    const { shopId, provider } = configuration;
    return secret === null ? null : webhookUrl(this.publicUrl.base(), provider, shopId, secret);
  }

  private activate(configuration: PaymentConfiguration): ActiveAccount | null {
    const provider = findProvider(configuration.provider, this.config);
    if (provider === undefined || !configuration.enabled) return null;
    const apiUrl = this.config.providerUrls[provider.name];
    const account = { credentials: this.vault.open(configuration), publicUrl: this.publicUrl.base(), apiUrl };
    return { provider, account, configuration };
  }
}
