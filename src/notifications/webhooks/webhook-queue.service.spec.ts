import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { deliveryWith, WEBHOOK, webhookWith } from '../../../test/support/webhooks.js';
import { type OutboxService } from '../../events/outbox/outbox.service.js';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { type EventBodiesService, type EventBody } from './event-bodies.service.js';
import { type StoredWebhookDelivery, type WebhookDelivery } from './webhook-delivery.types.js';
import { type WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WebhookQueueService } from './webhook-queue.service.js';
import { type Webhook, type WebhookFilter } from './webhook.types.js';
import { type WebhooksRepository } from './webhooks.repository.js';

const OTHER_WEBHOOK = '655f1c2ab1e4a9d3f0c812d9';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const EVENT: ShopEvent = { id: 'event', type: 'order.paid', shopId: SHOP, subjectId: ORDER, at: new Date() };
const BODY: EventBody = { type: 'order.paid', timestamp: '', shopId: SHOP, data: { id: ORDER } };

let calls: Call[];
let listening: Webhook[];
let filters: ReadonlySet<WebhookFilter>;
let ended: number;
let subscribers: ShopEventSubscribers;
let service: WebhookQueueService;

const named = (name: string): Call[] => calls.filter(([called]) => called === name);
const stored = (): StoredWebhookDelivery[] =>
  named('insertAll').flatMap(([, deliveries]) => deliveries as StoredWebhookDelivery[]);
/** The message in the outbox for a delivery. */
const messageFor = ({ id, webhookId, stream }: WebhookDelivery): object => {
  return { topic: 'webhook', shopId: SHOP, orderId: stream, lane: webhookId, stream, payload: { deliveryId: id } };
};

beforeEach(() => {
  [calls, listening, ended, subscribers] = [[], [webhookWith()], 1, new ShopEventSubscribers()];
  filters = new Set();
  service = new WebhookQueueService(
    recording<WebhooksRepository>(calls, {
      listeningTo: () => Promise.resolve(listening),
      filtersOf: () => Promise.resolve(filters),
    }),
    recording<WebhookDeliveriesRepository>(calls, {
      insertAll: () => Promise.resolve(),
      requeue: () => Promise.resolve(ended),
      recordMessages: () => Promise.resolve(),
    }),
    recording<EventBodiesService>(calls, {
      bodiesOf: () => Promise.resolve(({ type }) => ({ ...BODY, type })),
    }),
    recording<OutboxService>(calls, {
      add: (messages) => Promise.resolve(messages.map((_, index) => `message ${index}`)),
    }),
    subscribers,
  );
  service.onModuleInit();
});

describe('an event', () => {
  it('stores an event once for each webhook that receives it, with a message in the lane of the webhook and the stream of the order', async () => {
    listening = [webhookWith(), webhookWith({ id: OTHER_WEBHOOK })];
    await subscribers.publish([EVENT], TRANSACTION);
    expect(named('listeningTo')).toEqual([['listeningTo', SHOP, new Set(['order.paid']), TRANSACTION]]);
    const [first, second] = stored();
    const common = {
      shopId: SHOP,
      eventId: EVENT.id,
      type: 'order.paid',
      body: JSON.stringify(BODY),
      state: 'waiting',
    };
    expect([first, second]).toMatchObject([
      { ...common, webhookId: WEBHOOK },
      { ...common, webhookId: OTHER_WEBHOOK },
    ]);
    expect(first?.id).not.toBe(second?.id);
    expect([first?.stream, second?.stream]).toEqual([ORDER, ORDER]);
    expect([first?.messageId, second?.messageId]).toEqual(['message 0', 'message 1']);
    expect(named('add')).toEqual([['add', stored().map(messageFor), TRANSACTION]]);
  });

  it.each<[string, WebhookFilter[], string[]]>([
    [
      'subscribes to an event if an active webhook of the shop selects it',
      ['order.paid', 'member.joined'],
      ['order.paid'],
    ],
    [
      'subscribes to an event if an active webhook of the shop receives every event',
      ['*'],
      ['order.paid', 'order.expired'],
    ],
    ['subscribes to no event without such a webhook', [], []],
  ])('%s', async (_, selected, subscribed) => {
    filters = new Set(selected);
    expect([...(await subscribers.subscribedTypes(SHOP, ['order.paid', 'order.expired'], TRANSACTION))]).toEqual(
      subscribed,
    );
  });

  it('stores several events with one write, each for the webhooks that select it', async () => {
    listening = [
      webhookWith({ events: ['order.expired'] }),
      webhookWith({ id: OTHER_WEBHOOK, events: ['order.expired', 'order.paid'] }),
    ];
    const expired: ShopEvent = { ...EVENT, id: 'later', type: 'order.expired' };
    await subscribers.publish([EVENT, expired, { ...expired, type: 'order.delivered' }], TRANSACTION);
    expect(stored().map(({ eventId, webhookId, type }) => [eventId, webhookId, type])).toEqual([
      ['event', OTHER_WEBHOOK, 'order.paid'],
      ['later', WEBHOOK, 'order.expired'],
      ['later', OTHER_WEBHOOK, 'order.expired'],
    ]);
    expect(calls.map(([name]) => name)).toEqual(['listeningTo', 'bodiesOf', 'add', 'insertAll']);
  });

  it('costs one read for an event that no webhook receives', async () => {
    listening = [];
    await subscribers.publish([EVENT], TRANSACTION);
    expect(calls.map(([name]) => name)).toEqual(['listeningTo']);
  });
});

it('queues a test as an event of its own, for this webhook alone and in no order', async () => {
  const delivery = await service.test(webhookWith({ isActive: false }), TRANSACTION);
  expect(stored()).toEqual([{ ...delivery, messageId: 'message 0' }]);
  expect(delivery).toMatchObject({ webhookId: WEBHOOK, type: 'webhook.test', stream: null, state: 'waiting' });
  expect(JSON.parse(delivery.body)).toMatchObject({ type: 'webhook.test', shopId: SHOP, data: { id: WEBHOOK } });
  expect(named('add')).toEqual([['add', [messageFor(delivery)], TRANSACTION]]);
});

describe('a replay', () => {
  const [first, second] = [deliveryWith({ stream: `order ${ORDER}` }), deliveryWith()];

  it('queues the same deliveries again', async () => {
    ended = 2;
    expect(await service.requeue([first, second], TRANSACTION)).toBe(2);
    expect(calls).toEqual([
      ['requeue', SHOP, [first.id, second.id], TRANSACTION],
      ['add', [messageFor(first), messageFor(second)], TRANSACTION],
      [
        'recordMessages',
        SHOP,
        [
          { ...first, messageId: 'message 0' },
          { ...second, messageId: 'message 1' },
        ],
        TRANSACTION,
      ],
    ]);
  });

  it('adds no second message for the replay of a delivery that waits already', async () => {
    ended = 0;
    expect(await service.requeue([first], TRANSACTION)).toBe(0);
    expect(named('add')).toEqual([]);
  });

  it('writes nothing for an empty replay', async () => {
    expect(await service.requeue([], TRANSACTION)).toBe(0);
    expect(calls).toEqual([]);
  });
});
