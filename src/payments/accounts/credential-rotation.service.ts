import { Injectable } from '@nestjs/common';
import { type SealedRecords } from '../../infrastructure/database/sealed-records.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { CredentialVault } from './credential-vault.js';
import { type PaymentConfiguration, type SealedSecrets } from './payment-configuration.types.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';

/** The credentials of payment providers and the path secrets of their webhooks, for a change of the encryption key. */
@Injectable()
export class CredentialRotationService implements SealedRecords<PaymentConfiguration, SealedSecrets> {
  readonly kind = 'payment providers';

  constructor(
    private readonly configurations: PaymentProvidersRepository,
    private readonly vault: CredentialVault,
  ) {}

  listAfter(id: string | null, limit: number): Promise<readonly PaymentConfiguration[]> {
    return this.configurations.listAfter(id, limit);
  }

  reseal(configuration: PaymentConfiguration): SealedSecrets | null {
    return this.vault.reseal(configuration);
  }

  async replace(read: PaymentConfiguration, secrets: SealedSecrets, transaction: Transaction): Promise<boolean> {
    const versions = ['sealedCredentials', 'sealedWebhookSecret'] as const;
    return (await this.configurations.update(read, secrets, transaction, versions)) !== null;
  }
}
