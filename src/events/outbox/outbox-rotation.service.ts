import { Injectable } from '@nestjs/common';
import { type SealedRecords } from '../../infrastructure/database/sealed-records.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { OutboxEntriesRepository, type SealedPayload } from './outbox-entries.repository.js';
import { OutboxVault } from './outbox-vault.js';

/** The payloads of waiting messages, for a change of the encryption key. */
@Injectable()
export class OutboxRotationService implements SealedRecords<SealedPayload, string> {
  readonly kind = 'waiting messages';

  constructor(
    private readonly entries: OutboxEntriesRepository,
    private readonly vault: OutboxVault,
  ) {}

  listAfter(id: string | null, limit: number): Promise<readonly SealedPayload[]> {
    return this.entries.listAfter(id, limit);
  }

  reseal(payload: SealedPayload): string | null {
    return this.vault.reseal(payload);
  }

  replace(payload: SealedPayload, resealed: string, transaction: Transaction): Promise<boolean> {
    return this.entries.reseal(payload, resealed, transaction);
  }
}
