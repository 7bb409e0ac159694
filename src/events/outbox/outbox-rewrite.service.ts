import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import { type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { OutboxHandlers } from './outbox-handlers.js';
import { OutboxEntriesRepository } from './outbox-entries.repository.js';
import { OutboxVault } from './outbox-vault.js';

/** Changes messages before they are sent. Those that were sent have no content. */
@Injectable()
export class OutboxRewriteService {
  private readonly logger = new Logger('Outbox');

  constructor(
    private readonly entries: OutboxEntriesRepository,
    private readonly vault: OutboxVault,
    private readonly handlers: OutboxHandlers,
  ) {}

  /** What waiting messages have about buyers. Those to the buyer are deleted. */
  personalData(): PersonalData {
    return {
      collection: this.entries.collection,
      eraseBuyer: ({ shopId, mailbox }, scrubber) => {
        const rewritten = (topic: string, payload: unknown): unknown =>
          mailbox !== null && this.handlers.find(topic)?.isTo?.(payload, mailbox) ? null : scrubber.payload(payload);
        return (transaction) => this.rewrite(shopId, null, rewritten, transaction);
      },
      eraseOrders: (shopId, orderIds, scrubber) => {
        const rewritten = (_: string, payload: unknown): unknown => scrubber.payload(payload);
        return (transaction) => this.rewrite(shopId, orderIds, rewritten, transaction);
      },
    };
  }

  /**
   * Changes the waiting messages of a shop. One that no configured key decrypts stays as it is, which is logged: it is sent when its key is
   * configured again.
   * @param onlyOf the orders whose messages are changed; null: all messages are
   * @param rewritten returns what a message contains from now on; null: it is deleted
   */
  async rewrite(
    shopId: string,
    onlyOf: readonly string[] | null,
    rewritten: (topic: string, payload: unknown) => unknown,
    transaction: Transaction,
  ): Promise<void> {
    let unreadable = 0;
    for (const { topic, ...sealed } of await this.entries.ofShop(shopId, onlyOf, transaction)) {
      const payload = this.vault.tryOpen(sealed);
      if (payload === null) {
        unreadable += 1;
        continue;
      }
      const next = rewritten(topic, payload);
      if (next === null) await this.entries.delete(shopId, sealed, transaction);
      else if (!isDeepStrictEqual(next, payload)) {
        await this.entries.reseal(sealed, this.vault.seal(sealed.id, next), transaction);
      }
    }
    if (unreadable > 0) this.logger.warn('Messages that cannot be decrypted were not changed', { shopId, unreadable });
  }
}
