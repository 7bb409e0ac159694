import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type OutboxItem } from './outbox.types.js';

interface Retrying {
  /**
   * The wait after a failed attempt, in milliseconds; null: the message is set aside.
   * @param attempts how many attempts have failed, at least 1
   * @param error the error of the latest attempt
   */
  retryAfter(attempts: number, error: unknown): number | null;
  /** Writes what belongs to setting a message aside. Its payload is null when no configured key decrypts it. */
  setAside?(item: OutboxItem, transaction: Transaction): Promise<void>;
  /** Whether a message is sent to a mailbox, as `mailboxOf` writes it; without this method, none is. */
  isTo?(payload: unknown, mailbox: string): boolean;
}

/** Sends messages to a receiver outside of the service. */
export interface SendingHandler extends Retrying {
  /**
   * Sends a message. A process can die after it has sent a message and before it has stored that, so a message can be sent twice, with the same id.
   * @param signal ends the attempt: it took too long, or the process stops
   * @throws anything when the message was not sent
   */
  send(item: OutboxItem, signal: AbortSignal): Promise<void>;
}

/** Handles messages by writes to the database alone. */
export interface ApplyingHandler extends Retrying {
  /**
   * Does the work of messages of one lane, in the order given, in the transaction that marks them as done: so the work is done once. It is
   * called again when the transaction runs again, and with each message alone when their batch fails. So it touches nothing
   * outside of the database: no limit in memory, no file, no other service.
   */
  apply(items: readonly OutboxItem[], transaction: Transaction): Promise<void>;
}

export type OutboxHandler = SendingHandler | ApplyingHandler;

export function isApplying(handler: OutboxHandler): handler is ApplyingHandler {
  return 'apply' in handler;
}

const TOPIC = /^[a-z-]+$/;

/** The handler of each topic. Services register in `onModuleInit`. */
@Injectable()
export class OutboxHandlers {
  private readonly handlers = new Map<string, OutboxHandler>();

  /** @throws Error when the topic has a handler already */
  register(topic: string, handler: OutboxHandler): void {
    if (!TOPIC.test(topic) || this.handlers.has(topic)) throw new Error(`The topic ${topic} cannot be registered`);
    this.handlers.set(topic, handler);
  }

  /** The handler of a topic. Messages of a newer version of the service can have a topic without one: they wait for that version. */
  find(topic: string): OutboxHandler | undefined {
    return this.handlers.get(topic);
  }
}
