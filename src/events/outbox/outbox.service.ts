import { Injectable } from '@nestjs/common';
import { newObjectId } from '../../lib/ids/object-id.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type OutboxMessage } from './outbox.types.js';
import { OutboxEntriesRepository } from './outbox-entries.repository.js';
import { laneOf } from './outbox-lane.js';
import { OutboxSenderService } from './outbox-sender.service.js';
import { OutboxVault } from './outbox-vault.js';

/** Accepts the messages that leave the service: emails, events, webhooks. */
@Injectable()
export class OutboxService {
  private readonly lanes = new WeakMap<Transaction, Set<string>>();

  constructor(
    private readonly entries: OutboxEntriesRepository,
    private readonly vault: OutboxVault,
    private readonly sender: OutboxSenderService,
  ) {}

  /**
   * Adds messages. Each is sent if and only if the transaction commits, at least once, in the background.
   * @returns the ids of the messages, in their order
   */
  async add(messages: readonly OutboxMessage[], transaction: Transaction): Promise<string[]> {
    if (messages.length === 0) return [];
    const entries = messages.map(({ topic, shopId, orderId, lane, stream, beginsStream = false, payload }) => {
      const id = newObjectId();
      return {
        ...{ id, topic, shopId, orderId, lane: laneOf(topic, lane), stream: stream ?? id },
        beginsStream: beginsStream || stream === null,
        sealedPayload: this.vault.seal(id, payload),
      };
    });
    this.wakeAfter(transaction, entries);
    await this.entries.insert(entries, new Date(), transaction);
    return entries.map(({ id }) => id);
  }

  /** Wakes the sender when the transaction has ended. After a rollback, the sender finds no message. */
  private wakeAfter(transaction: Transaction, entries: readonly { readonly lane: string }[]): void {
    let lanes = this.lanes.get(transaction);
    if (lanes === undefined) {
      const added = new Set<string>();
      transaction.once('ended', () => {
        for (const lane of added) this.sender.wake(lane);
      });
      this.lanes.set(transaction, added);
      lanes = added;
    }
    for (const { lane } of entries) lanes.add(lane);
  }
}
