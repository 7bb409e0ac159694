import { Injectable } from '@nestjs/common';
import { type SealedRecords } from '../../infrastructure/database/sealed-records.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { WebhookVault } from './webhook-vault.js';
import { type SealedFields, type Webhook } from './webhook.types.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** The URLs and secrets of webhooks, for a change of the encryption key. */
@Injectable()
export class WebhookRotationService implements SealedRecords<Webhook, SealedFields> {
  readonly kind = 'webhooks';

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly vault: WebhookVault,
  ) {}

  listAfter(id: string | null, limit: number): Promise<readonly Webhook[]> {
    return this.webhooks.listAfter(id, limit);
  }

  reseal(webhook: Webhook): SealedFields | null {
    return this.vault.reseal(webhook);
  }

  replace(webhook: Webhook, sealed: SealedFields, transaction: Transaction): Promise<boolean> {
    return this.webhooks.reseal(webhook, sealed, transaction);
  }
}
