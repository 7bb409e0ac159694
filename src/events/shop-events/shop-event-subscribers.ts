import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type ShopEventType } from './shop-event-details.js';
import { type ShopEvent, type ShopEventBatch } from './shop-event.types.js';

/**
 * Handles events. It may only call the database, in the given transaction, which also marks the events as published: so each subscriber
 * handles each exactly once. What leaves the service goes through the outbox.
 */
type Handler<Type extends ShopEventType> = (events: ShopEventBatch<Type>, transaction: Transaction) => Promise<void>;

/** A service that handles the events that each shop selects. */
export interface SelectiveSubscriber {
  /** Returns which of some events a shop has selected. */
  subscribedTypes(
    shopId: string,
    types: readonly ShopEventType[],
    transaction: Transaction,
  ): Promise<readonly ShopEventType[]>;
  /** Handles any events, also those that their shop did not select. */
  readonly handle: Handler<ShopEventType>;
}

interface Subscriber extends Partial<Pick<SelectiveSubscriber, 'subscribedTypes'>> {
  /** The events that it handles for every shop. */
  readonly always: ReadonlySet<ShopEventType>;
  readonly handle: Handler<ShopEventType>;
}

/** The subscribers to the events of all shops. Services register in `onModuleInit`. */
@Injectable()
export class ShopEventSubscribers {
  private readonly subscribers = new Map<string, Subscriber>();

  /** As `register`, for a handler that has nothing to read once for several events: it gets them one after the other. */
  registerEach<Type extends ShopEventType>(
    name: string,
    types: readonly Type[],
    handle: (event: ShopEvent<Type>, transaction: Transaction) => Promise<void>,
  ): void {
    this.register(name, types, async (events, transaction) => {
      for (const event of events) await handle(event, transaction);
    });
  }

  /** Registers a handler of events of every shop. @throws Error when there is a subscriber with this name */
  register<Type extends ShopEventType>(name: string, types: readonly Type[], handle: Handler<Type>): void {
    const always: ReadonlySet<ShopEventType> = new Set(types);
    const isHandled = (event: ShopEvent): event is ShopEvent & ShopEvent<Type> => always.has(event.type);
    this.add(name, {
      always,
      handle: async (events, transaction) => {
        const [first, ...others] = events.filter(isHandled);
        if (first !== undefined) await handle([first, ...others], transaction);
      },
    });
  }

  /** @throws Error when there is a subscriber with this name */
  registerSelective(name: string, subscriber: SelectiveSubscriber): void {
    this.add(name, { ...subscriber, always: new Set() });
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

  /** Passes events of one shop to their subscribers, one after the other. */
  async publish([first, ...others]: readonly ShopEvent[], transaction: Transaction): Promise<void> {
    if (first === undefined) return;
    for (const { handle } of this.subscribers.values()) await handle([first, ...others], transaction);
  }

  private add(name: string, subscriber: Subscriber): void {
    if (this.subscribers.has(name)) throw new Error(`There is a subscriber with the name ${name}`);
    this.subscribers.set(name, subscriber);
  }
}
