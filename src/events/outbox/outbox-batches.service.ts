import { Injectable, Logger } from '@nestjs/common';
import { errorKind } from '../../infrastructure/jobs/error-kind.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { inLogContext } from '../../infrastructure/logging/log-context.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { type TickResult, type WaitingEntry } from './outbox.types.js';
import { batchOf, type Batch, BATCH_SIZE, EMPTY_BATCH, streamsWithoutFirst } from './outbox-batch-rules.js';
import { OutboxDatabase } from './outbox-database.js';
import { OutboxDeliveryService } from './outbox-delivery.service.js';
import { OutboxEntriesRepository } from './outbox-entries.repository.js';
import { type ApplyingHandler } from './outbox-handlers.js';
import { OutboxVault } from './outbox-vault.js';

/** No batch begins later than this after the start of a tick. */
const TICK_MS = 10 * SECOND_MS;
/** How long a batch may take: it holds up what writes to the same records. */
const BATCH_MS = 2 * SECOND_MS;

/**
 * Handles the messages of lanes whose handler writes only to the database: those that are due in one transaction, which reads them,
 * settles them and does their work. No process leases such a lane: of two transactions that settle one message, the database lets one
 * commit, and the other one runs again without the message.
 */
@Injectable()
export class OutboxBatchesService {
  private readonly logger = new Logger('Outbox');

  constructor(
    private readonly entries: OutboxEntriesRepository,
    private readonly delivery: OutboxDeliveryService,
    private readonly vault: OutboxVault,
    private readonly database: OutboxDatabase,
  ) {}

  /**
   * Applies what is due in a lane, until nothing is due or the tick is over.
   * @param isStopped whether the process stops
   * @throws when the database fails
   */
  async run(lane: string, handler: ApplyingHandler, isStopped: () => boolean): Promise<TickResult> {
    const endsAt = performance.now() + TICK_MS;
    for (;;) {
      const { isLast, nextDueAt } = await this.round(lane, handler, isStopped);
      // A message that failed waits by itself, so the lane needs no backoff.
      if (isLast) return { retried: false, nextDueAt };
      if (isStopped() || performance.now() >= endsAt) return { retried: false, nextDueAt: new Date() };
    }
  }

  /** @returns the batch that was applied. It is not the last one when messages had to be applied alone: they are read again. */
  private async round(lane: string, handler: ApplyingHandler, isStopped: () => boolean): Promise<Batch> {
    let batch = EMPTY_BATCH;
    try {
      await this.database.write(async (transaction) => {
        batch = EMPTY_BATCH;
        batch = await this.read(lane, transaction);
        for (const { stream, dueAt } of batch.blocked) await this.entries.postpone(lane, stream, dueAt, transaction);
        if (batch.together.length > 0) await this.apply(batch.together, handler, transaction);
      });
    } catch (error) {
      if (batch.together.length === 0) throw error;
      const count = batch.together.length;
      this.logger.warn('A batch of messages failed. They are applied one by one', {
        lane,
        count,
        kind: errorKind(error),
      });
      await this.applyAlone(batch.together, handler, isStopped);
      return { ...batch, isLast: false };
    }
    await this.applyAlone(batch.alone, handler, isStopped);
    return batch;
  }

  private async read(lane: string, transaction: Transaction): Promise<Batch> {
    // The first one that is not of the batch says when the next message is due.
    const waiting = await this.entries.next(lane, BATCH_SIZE + 1, transaction);
    const now = new Date();
    const streams = streamsWithoutFirst(waiting, now);
    const others = streams.length === 0 ? [] : await this.entries.ofStreams(lane, streams, 2 * BATCH_SIZE, transaction);
    return batchOf(waiting, others, now);
  }

  private async apply(
    entries: readonly WaitingEntry[],
    handler: ApplyingHandler,
    transaction: Transaction,
  ): Promise<void> {
    const endsAt = performance.now() + BATCH_MS;
    // First: a conflict with another process ends the transaction before anything else is done.
    await this.entries.settleAll(entries, new Date(), transaction);
    const items = entries.map((entry) => this.vault.itemOf(entry));
    const [shopIds, orderIds] = [new Set(entries.map(({ shopId }) => shopId)), entries.map(({ orderId }) => orderId)];
    const ids = {
      shopId: shopIds.size === 1 ? (items[0]?.shopId ?? null) : null,
      orderIds: orderIds.filter((id) => id !== null),
    };
    await inLogContext({}, ids, () => handler.apply(items, transaction));
    if (performance.now() > endsAt) throw new Error('the batch took too long');
  }

  /** Applies messages in a transaction each. One that fails holds back the later ones of its stream, and no others. */
  private async applyAlone(
    entries: readonly WaitingEntry[],
    handler: ApplyingHandler,
    isStopped: () => boolean,
  ): Promise<void> {
    const blocked = new Set<string>();
    for (const entry of entries) {
      if (isStopped()) return;
      if (blocked.has(entry.stream)) continue;
      const outcome = await this.delivery.deliver(entry, handler);
      if (outcome === 'retried' || outcome === 'interrupted') blocked.add(entry.stream);
    }
  }
}
