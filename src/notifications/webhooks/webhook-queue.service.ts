import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newObjectId } from '../../lib/ids/object-id.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { OutboxService } from '../../events/outbox/outbox.service.js';
import { orderIdOf, streamOf } from '../../events/shop-events/shop-event-rules.js';
import { type ShopEventType } from '../../events/shop-events/shop-event-details.js';
import { type ShopEventBatch } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { type EventBody, EventBodiesService } from './event-bodies.service.js';
import { type StoredWebhookDelivery, TEST_EVENT, type WebhookDelivery } from './webhook-delivery.types.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { EVERY_EVENT, type Webhook } from './webhook.types.js';
import { WebhooksRepository } from './webhooks.repository.js';

export const WEBHOOK_TOPIC = 'webhook';

/** The payload of the message that sends a delivery. */
export interface QueuedDelivery {
  readonly deliveryId: string;
}

/** Queues what is sent to webhooks: one delivery for each event and webhook, with its message in the outbox. */
@Injectable()
export class WebhookQueueService implements OnModuleInit {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly bodies: EventBodiesService,
    private readonly outbox: OutboxService,
    private readonly subscribers: ShopEventSubscribers,
  ) {}

  onModuleInit(): void {
    this.subscribers.registerSelective('webhooks', {
      subscribedTypes: (shopId, types, transaction) => this.subscribedTypes(shopId, types, transaction),
      handle: (events, transaction) => this.queueEvents(events, transaction),
    });
  }

  /** Queues a test request to a webhook. */
  async test(webhook: Webhook, transaction: Transaction): Promise<WebhookDelivery> {
    const now = new Date();
    const { id, shopId } = webhook;
    const body: EventBody = { type: TEST_EVENT, timestamp: now.toISOString(), shopId, data: { id } };
    const delivery = deliveryOf(webhook, newObjectId(), body, null, now);
    await this.write([delivery], transaction);
    return delivery;
  }

  /**
   * Queues deliveries that have ended once more, with the same ids and bodies.
   * @returns how many had ended: the others wait already
   */
  async requeue(deliveries: readonly WebhookDelivery[], transaction: Transaction): Promise<number> {
    const [first] = deliveries;
    if (first === undefined) return 0;
    const ids = deliveries.map(({ id }) => id);
    const count = await this.deliveries.requeue(first.shopId, ids, transaction);
    if (count !== ids.length) return count;
    await this.deliveries.recordMessages(first.shopId, await this.addMessages(deliveries, transaction), transaction);
    return count;
  }

  private async subscribedTypes(
    shopId: string,
    types: readonly ShopEventType[],
    transaction: Transaction,
  ): Promise<readonly ShopEventType[]> {
    const filters = await this.webhooks.filtersOf(shopId, transaction);
    return filters.has(EVERY_EVENT) ? types : types.filter((type) => filters.has(type));
  }

  private async queueEvents(events: ShopEventBatch, transaction: Transaction): Promise<void> {
    const [{ shopId }] = events;
    const webhooks = await this.webhooks.listeningTo(shopId, new Set(events.map(({ type }) => type)), transaction);
    const selected = events
      .map((event) => ({ event, listening: webhooks.filter((webhook) => isListening(webhook, event.type)) }))
      .filter(({ listening }) => listening.length > 0);
    if (selected.length === 0) return;
    const bodyOf = await this.bodies.bodiesOf(
      shopId,
      selected.map(({ event }) => event),
      transaction,
    );
    const now = new Date();
    const written = selected.flatMap(({ event, listening }) => {
      const body = bodyOf(event);
      return listening.map((webhook) => deliveryOf(webhook, event.id, body, streamOf(event), now));
    });
    await this.write(written, transaction);
  }

  private async write(deliveries: readonly WebhookDelivery[], transaction: Transaction): Promise<void> {
    await this.deliveries.insertAll(await this.addMessages(deliveries, transaction), transaction);
  }

  /** Adds the messages that send deliveries. Returns the deliveries with the ids of their messages. */
  private async addMessages(
    deliveries: readonly WebhookDelivery[],
    transaction: Transaction,
  ): Promise<StoredWebhookDelivery[]> {
    const ids = await this.outbox.add(deliveries.map(messageOf), transaction);
    return deliveries.map((delivery, index) => ({ ...delivery, messageId: ids[index] ?? '' }));
  }
}

function isListening({ events }: Webhook, type: ShopEventType): boolean {
  return events.includes(type) || events.includes(EVERY_EVENT);
}

function deliveryOf(
  { id: webhookId, shopId }: Webhook,
  eventId: string,
  body: EventBody,
  stream: string | null,
  createdAt: Date,
): WebhookDelivery {
  return {
    id: newObjectId(),
    shopId,
    webhookId,
    eventId,
    type: body.type,
    stream,
    body: JSON.stringify(body),
    state: 'waiting',
    attempts: [],
    failures: 0,
    nextAttemptAt: null,
    createdAt,
  };
}

function messageOf({ id, shopId, webhookId, type, stream }: WebhookDelivery) {
  return {
    topic: WEBHOOK_TOPIC,
    shopId,
    // The stream of an event of an order is the order.
    orderId: stream === null ? null : orderIdOf({ type, subjectId: stream }),
    lane: webhookId,
    stream,
    payload: { deliveryId: id } satisfies QueuedDelivery,
  };
}
