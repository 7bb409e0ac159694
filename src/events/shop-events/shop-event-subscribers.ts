import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type ShopEvent, type ShopEventType } from './shop-event.types.js';

/** A service that handles events. */
export interface ShopEventSubscriber {
  /** The events that it handles for every shop. */
  readonly always: ReadonlySet<ShopEventType>;
  /** Returns which of some other events it handles for a shop; without this method, none. */
  subscribedTypes?(
    shopId: string,
    types: readonly ShopEventType[],
    transaction: Transaction,
  ): Promise<readonly ShopEventType[]>;
  /**
   * Handles an event: one in `always`, or any event when the subscriber has `subscribedTypes`. It may only call the database, in the
   * given transaction, which also marks the event as published: so each subscriber handles it exactly once. What leaves the service
   * goes through the outbox.
   */
  handle(event: ShopEvent, transaction: Transaction): Promise<void>;
}

/** The subscribers to the events of all shops. Services register in `onModuleInit`. */
@Injectable()
export class ShopEventSubscribers {
  private readonly subscribers = new Map<string, ShopEventSubscriber>();

  /** @throws Error when there is a subscriber with this name */
  register(name: string, subscriber: ShopEventSubscriber): void {
    if (this.subscribers.has(name)) throw new Error(`There is a subscriber with the name ${name}`);
    this.subscribers.set(name, subscriber);
  }

  /** Returns which of some event types have a subscriber in a shop. */
  async subscribedTypes(
    shopId: string,
    types: readonly ShopEventType[],
    transaction: Transaction,
  ): Promise<ReadonlySet<ShopEventType>> {
    const all = [...this.subscribers.values()];
    const subscribed = new Set(types.filter((type) => all.some(({ always }) => always.has(type))));
    for (const subscriber of all) {
      const others = types.filter((type) => !subscribed.has(type));
      if (others.length === 0) break;
      for (const type of (await subscriber.subscribedTypes?.(shopId, others, transaction)) ?? []) subscribed.add(type);
    }
    return subscribed;
  }

  /** Passes an event to its subscribers, one after the other. */
  async publish(event: ShopEvent, transaction: Transaction): Promise<void> {
    for (const subscriber of this.subscribers.values()) {
      const isSubscribed = subscriber.always.has(event.type) || subscriber.subscribedTypes !== undefined;
      if (isSubscribed) await subscriber.handle(event, transaction);
    }
  }
}
