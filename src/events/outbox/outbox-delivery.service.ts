import { Injectable, Logger } from '@nestjs/common';
import { inLogContext } from '../../infrastructure/logging/log-context.js';
import { errorKind } from '../../infrastructure/jobs/error-kind.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { type WaitingEntry } from './outbox.types.js';
import { OutboxDatabase } from './outbox-database.js';
import { OutboxEntriesRepository } from './outbox-entries.repository.js';
import { type ApplyingHandler, isApplying, type OutboxHandler, type SendingHandler } from './outbox-handlers.js';
import { OutboxVault } from './outbox-vault.js';

/** How long one attempt may take. */
export const ATTEMPT_TIMEOUT_MS = 30 * SECOND_MS;

/** The outcome of an attempt. `interrupted`: the process stops, and the attempt does not count. */
export type Outcome = 'sent' | 'retried' | 'set_aside' | 'interrupted';

/** Delivers single messages, and records the outcome. */
@Injectable()
export class OutboxDeliveryService {
  private readonly logger = new Logger('Outbox');
  private readonly running = new Set<AbortController>();
  private interrupted = false;

  constructor(
    private readonly entries: OutboxEntriesRepository,
    private readonly vault: OutboxVault,
    private readonly database: OutboxDatabase,
  ) {}

  /** @throws when the outcome cannot be stored: then the message is sent again */
  deliver(entry: WaitingEntry, handler: OutboxHandler): Promise<Outcome> {
    const { id: messageId, shopId, orderId } = entry;
    // The request that woke the sender can be about something else.
    return inLogContext({}, { shopId, orderId, messageId }, () => this.attempt(entry, handler));
  }

  private async attempt(entry: WaitingEntry, handler: OutboxHandler): Promise<Outcome> {
    try {
      if (isApplying(handler)) await this.apply(entry, handler);
      else await this.send(entry, handler);
    } catch (error) {
      return this.interrupted ? 'interrupted' : this.failed(entry, handler, error);
    }
    if (!isApplying(handler)) await this.database.run(() => this.entries.settle(entry, 'sent', new Date(), null));
    return 'sent';
  }

  /** Aborts all running attempts. */
  interrupt(): void {
    this.interrupted = true;
    for (const controller of this.running) controller.abort(new Error('the process stops'));
  }

  private apply(entry: WaitingEntry, handler: ApplyingHandler): Promise<void> {
    const item = this.vault.itemOf(entry);
    return this.database.write(async (transaction) => {
      const first = await this.entries.settle(entry, 'sent', new Date(), transaction);
      if (first) await handler.apply([item], transaction);
    });
  }

  private async send(entry: WaitingEntry, handler: SendingHandler): Promise<void> {
    const item = this.vault.itemOf(entry);
    const controller = new AbortController();
    this.running.add(controller);
    const timer = setTimeout(() => {
      controller.abort(Object.assign(new Error('the attempt took too long'), { name: 'TimeoutError' }));
    }, ATTEMPT_TIMEOUT_MS).unref();
    try {
      // A handler that does not notice the signal must not block its lane.
      await Promise.race([handler.send(item, controller.signal), untilAborted(controller.signal)]);
    } finally {
      clearTimeout(timer);
      this.running.delete(controller);
    }
  }

  private async failed(entry: WaitingEntry, handler: OutboxHandler, error: unknown): Promise<Outcome> {
    const { id, topic, shopId, orderId, lane, stream, createdAt } = entry;
    const attempts = entry.attempts + 1;
    const kind = errorKind(error);
    const waitMs = handler.retryAfter(attempts, error);
    // Only the kind of the error: its message can contain an address or a secret.
    const details = { id, topic, shopId, attempts, kind };
    if (waitMs !== null) {
      this.logger.warn('A message was not sent. It will be retried', { ...details, waitMs });
      const dueAt = new Date(Date.now() + waitMs);
      await this.database.write(async (transaction) => {
        await this.entries.countFailure(entry, kind, dueAt, transaction);
        if (stream !== id) await this.entries.postpone(lane, stream, dueAt, transaction);
      });
      return 'retried';
    }
    this.logger.error('A message was not sent. It was set aside', details);
    await this.database.write(async (transaction) => {
      await this.entries.countFailure(entry, kind, null, transaction);
      const first = await this.entries.settle(entry, 'failed', new Date(), transaction);
      if (!first || handler.setAside === undefined) return;
      const payload = this.vault.tryOpen(entry);
      await handler.setAside({ id, topic, shopId, orderId, attempts, createdAt, payload }, transaction);
    });
    return 'set_aside';
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}
