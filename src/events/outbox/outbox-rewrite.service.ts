import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../platform/database/transactions.js';
import { OutboxEntriesRepository } from './outbox-entries.repository.js';
import { OutboxVault } from './outbox-vault.js';

/** Changes messages before they are sent. Those that were sent have no content. */
@Injectable()
export class OutboxRewriteService {
  constructor(
    private readonly entries: OutboxEntriesRepository,
    private readonly vault: OutboxVault,
  ) {}

  /**
   * Changes the waiting messages of a shop. One that no configured key decrypts stays as it is: it cannot be sent either.
   * @param rewritten returns what a message contains from now on; null: it is deleted
   */
  async rewrite(
    shopId: string,
    rewritten: (topic: string, payload: unknown) => unknown,
    transaction: Transaction,
  ): Promise<void> {
    for (const { topic, ...sealed } of await this.entries.ofShop(shopId, transaction)) {
      const payload = this.vault.tryOpen(sealed);
      if (payload === null) continue;
      const next = rewritten(topic, payload);
      if (next === null) await this.entries.delete(shopId, sealed, transaction);
      else if (!isDeepStrictEqual(next, payload)) {
        await this.entries.reseal(sealed, this.vault.seal(sealed.id, next), transaction);
      }
    }
  }
}
