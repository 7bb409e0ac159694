import { Injectable } from '@nestjs/common';
import { type Transaction } from '../database/transactions.js';
import { type ShopEvent } from './shop-event.types.js';

/**
 * Is told of an event. It may only call the database, in the given transaction, which also marks the event as told: so each
 * subscriber is told exactly once. What leaves the service goes through the outbox.
 */
export type ShopEventSubscriber = (event: ShopEvent, transaction: Transaction) => Promise<void>;

/** Who wants to be told of the events of all shops. Services register in `onModuleInit`. */
@Injectable()
export class ShopEventSubscribers {
  private readonly subscribers = new Map<string, ShopEventSubscriber>();

  /** @throws Error when there is a subscriber with this name */
  register(name: string, subscriber: ShopEventSubscriber): void {
    if (this.subscribers.has(name)) throw new Error(`There is a subscriber with the name ${name}`);
    this.subscribers.set(name, subscriber);
  }

  /** Tells every subscriber of an event, one after the other. */
  async tell(event: ShopEvent, transaction: Transaction): Promise<void> {
    for (const subscriber of this.subscribers.values()) await subscriber(event, transaction);
  }
}
