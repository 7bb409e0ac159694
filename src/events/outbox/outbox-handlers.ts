import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../platform/database/transactions.js';
import { type OutboxEntry, type OutboxItem } from './outbox.types.js';

interface Retrying {
  /**
   * How long a message waits after a failed try, in milliseconds; null: it is set aside.
   * @param attempts how many tries have failed, from 1 on
   * @param error what the latest one was rejected with
   */
  retryAfter(attempts: number, error: unknown): number | null;
  /** What else to write when a message is set aside. */
  setAside?(entry: OutboxEntry, transaction: Transaction): Promise<void>;
}

/** Sends messages to somebody outside of the service. */
export interface SendingHandler extends Retrying {
  /**
   * Sends a message. A process can die between the sending and the note of it, so a message can be sent twice, with the same id.
   * @param signal ends the try: it took too long, or the process stops
   * @throws anything when the message was not sent
   */
  send(item: OutboxItem, signal: AbortSignal): Promise<void>;
}

/** Handles messages by writes to the database alone. */
export interface ApplyingHandler extends Retrying {
  /** Does the work of a message, in the transaction that marks it as done: so it is done once. */
  apply(item: OutboxItem, transaction: Transaction): Promise<void>;
}

export type OutboxHandler = SendingHandler | ApplyingHandler;

const TOPIC = /^[a-z-]+$/;

/** Who sends which messages. Services register in `onModuleInit`. */
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
