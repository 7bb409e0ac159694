import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../platform/database/transactions.js';
import { type ShopEvent, type ShopEventType } from './shop-event.types.js';

/** A service that is told of events. */
export interface ShopEventSubscriber {
  /** The events that it wants of every shop. */
  readonly always: ReadonlySet<ShopEventType>;
  /** Returns those of other events that it wants of a shop. By default it wants none. */
  wantedOf?(shopId: string, types: readonly ShopEventType[]): Promise<readonly ShopEventType[]>;
  /**
   * Is called with each event that it may want. It may only call the database, in the given transaction, which also marks the event
   * as told: so each subscriber is told exactly once. What leaves the service goes through the outbox.
   */
  tell(event: ShopEvent, transaction: Transaction): Promise<void>;
}

/** Who wants to be told of the events of all shops. Services register in `onModuleInit`. */
@Injectable()
export class ShopEventSubscribers {
  private readonly subscribers = new Map<string, ShopEventSubscriber>();

  /** @throws Error when there is a subscriber with this name */
  register(name: string, subscriber: ShopEventSubscriber): void {
    if (this.subscribers.has(name)) throw new Error(`There is a subscriber with the name ${name}`);
    this.subscribers.set(name, subscriber);
  }

  /** Returns those of some events of a shop that a subscriber wants. */
  async wantedOf(shopId: string, types: readonly ShopEventType[]): Promise<ReadonlySet<ShopEventType>> {
    const all = [...this.subscribers.values()];
    const wanted = new Set(types.filter((type) => all.some(({ always }) => always.has(type))));
    for (const subscriber of all) {
      const others = types.filter((type) => !wanted.has(type));
      if (others.length === 0) break;
      for (const type of (await subscriber.wantedOf?.(shopId, others)) ?? []) wanted.add(type);
    }
    return wanted;
  }

  /** Tells those who may want an event of it, one after the other. */
  async tell(event: ShopEvent, transaction: Transaction): Promise<void> {
    for (const subscriber of this.subscribers.values()) {
      const mayWant = subscriber.always.has(event.type) || subscriber.wantedOf !== undefined;
      if (mayWant) await subscriber.tell(event, transaction);
    }
  }
}
