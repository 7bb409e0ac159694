import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../lib/time/durations.js';
import { type MessageState } from './outbox.types.js';
import { OutboxEntriesRepository } from './outbox-entries.repository.js';

/** Counts end here: the operator needs to know that there are many, not how many. */
const MAX_COUNT = 100;

/** The messages that were set aside in the last 24 hours. */
export interface OutboxFailures {
  /** At most 100. */
  readonly failedInLastDay: number;
  readonly lastFailedAt: Date | null;
}

/** The messages that wait. */
export interface OutboxBacklog {
  /** At most 100. */
  readonly waiting: number;
  /** When the oldest one was written; null: none waits. */
  readonly oldestAt: Date | null;
  /** The kind of error (`errorKind`) of an attempt to send one of them; null: no attempt has failed. */
  readonly lastError: string | null;
}

/** The state of the outbox of all processes, for the operator. */
@Injectable()
export class OutboxStateService {
  constructor(private readonly entries: OutboxEntriesRepository) {}

  /** @param topic null: of all topics */
  async failures(topic: string | null): Promise<OutboxFailures> {
    const { count, latest } = await this.entries.failures(topic, new Date(Date.now() - DAY_MS), MAX_COUNT);
    return { failedInLastDay: count, lastFailedAt: latest };
  }

  /** What became of the messages about an order: emails, events and webhooks. */
  about(orderId: string): Promise<MessageState[]> {
    return this.entries.ofOrder(orderId);
  }

  async backlog(topic: string): Promise<OutboxBacklog> {
    const { count, oldest, lastError } = await this.entries.backlog(topic, MAX_COUNT);
    return { waiting: count, oldestAt: oldest, lastError };
  }
}
