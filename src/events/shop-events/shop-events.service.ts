import { Injectable, type OnModuleInit } from '@nestjs/common';
import { backoff } from '../../platform/jobs/backoff.js';
import { HOUR_MS, SECOND_MS } from '../../platform/time/durations.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { shardOf } from '../../platform/database/shards.js';
import { OutboxHandlers } from '../outbox/outbox-handlers.js';
import { type OutboxItem } from '../outbox/outbox.types.js';
import { OutboxService } from '../outbox/outbox.service.js';
import { type NewShopEvent, type ShopEvent } from './shop-event.types.js';
import { streamOf } from './shop-event-rules.js';
import { ShopEventSubscribers } from './shop-event-subscribers.js';

const TOPIC = 'shop-event';
/** With the waits below, about four days: long enough to mend a fault of the service. */
const MAX_TRIES = 100;

/** An event as the outbox keeps it. */
type Payload = NewShopEvent & { readonly at: string };

/** Tells subscribers of what happens in shops: in the background, once, and only if the change was committed. */
@Injectable()
export class ShopEventsService implements OnModuleInit {
  constructor(
    private readonly outbox: OutboxService,
    private readonly handlers: OutboxHandlers,
    private readonly subscribers: ShopEventSubscribers,
  ) {}

  onModuleInit(): void {
    this.handlers.register(TOPIC, {
      apply: (item, transaction) => this.subscribers.tell(eventOf(item), transaction),
      retryAfter: (attempts) => (attempts >= MAX_TRIES ? null : backoff(attempts, SECOND_MS, HOUR_MS)),
    });
  }

  /**
   * Records events in the transaction of the change that they tell of. Subscribers are told of the events of one order, or of one
   * server, in the order in which they were recorded. An event that nobody wants is forgotten.
   */
  async record(shopId: string, events: readonly NewShopEvent[], transaction: Transaction): Promise<void> {
    const types = new Set(events.map(({ type }) => type));
    const wanted = await this.subscribers.wantedOf(shopId, [...types]);
    const at = new Date().toISOString();
    const told = events.filter(({ type }) => wanted.has(type));
    const messages = told.map((event) => ({
      topic: TOPIC,
      shopId,
      // Several lanes, so that a busy shop is told of more than one event at a time.
      lane: `shop ${shopId} ${shardOf(event.subjectId)}`,
      stream: streamOf(event),
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
