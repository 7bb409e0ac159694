import { Injectable, type OnModuleInit } from '@nestjs/common';
import { backoff } from '../../infrastructure/jobs/backoff.js';
import { HOUR_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { OutboxHandlers } from '../outbox/outbox-handlers.js';
import { type OutboxItem } from '../outbox/outbox.types.js';
import { OutboxService } from '../outbox/outbox.service.js';
import { type NewShopEvent, type ShopEvent } from './shop-event.types.js';
import { orderIdOf, streamOf } from './shop-event-rules.js';
import { ShopEventSubscribers } from './shop-event-subscribers.js';

const TOPIC = 'shop-event';
/** With the backoff below, about four days: long enough to fix a fault of the service. */
const MAX_ATTEMPTS = 100;

/** An event as the outbox stores it. */
type Payload = NewShopEvent & { readonly at: string };

/** Publishes the events of shops to their subscribers: in the background, once, and only if the change was committed. */
@Injectable()
export class ShopEventsService implements OnModuleInit {
  constructor(
    private readonly outbox: OutboxService,
    private readonly handlers: OutboxHandlers,
    private readonly subscribers: ShopEventSubscribers,
  ) {}

  onModuleInit(): void {
    this.handlers.register(TOPIC, {
      // A lane has the events of one shop.
      apply: (items, transaction) => this.subscribers.publish(items.map(eventOf), transaction),
      retryAfter: (attempts) => (attempts >= MAX_ATTEMPTS ? null : backoff(attempts, SECOND_MS, HOUR_MS)),
    });
  }

  /**
   * Records events in the transaction of the change that they describe. The events of one order, or of one server, are published
   * in the order in which they were recorded. An event without a subscriber is not stored.
   */
  async record(shopId: string, events: readonly NewShopEvent[], transaction: Transaction): Promise<void> {
    const types = new Set(events.map(({ type }) => type));
    const subscribed = await this.subscribers.subscribedTypes(shopId, [...types], transaction);
    const at = new Date().toISOString();
    const published = events.filter(({ type }) => subscribed.has(type));
    const messages = published.map((event) => ({
      topic: TOPIC,
      shopId,
      orderId: orderIdOf(event),
      // One lane: the events that a busy shop records while others are published are one batch.
      lane: `shop ${shopId}`,
      stream: streamOf(event),
      beginsStream: event.type === 'order.created',
      payload: { ...event, at } satisfies Payload,
    }));
    await this.outbox.add(messages, transaction);
  }
}

function eventOf({ id, shopId, payload }: OutboxItem): ShopEvent {
  if (shopId === null) throw new Error('an event belongs to no shop');
  const { at, ...event } = payload as Payload;
  return { ...event, id, shopId, at: new Date(at) };
}
