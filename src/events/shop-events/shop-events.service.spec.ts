import { beforeEach, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { HOUR_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type ApplyingHandler, OutboxHandlers } from '../outbox/outbox-handlers.js';
import { type OutboxService } from '../outbox/outbox.service.js';
import { type OutboxMessage } from '../outbox/outbox.types.js';
import { type ShopEventType } from './shop-event-details.js';
import { type NewShopEvent } from './shop-event.types.js';
import { type SelectiveSubscriber, ShopEventSubscribers } from './shop-event-subscribers.js';
import { ShopEventsService } from './shop-events.service.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const EVENT = '655f1c2ab1e4a9d3f0c812e0';

let calls: Call[];
let subscribers: ShopEventSubscribers;
let handler: ApplyingHandler;
let service: ShopEventsService;

beforeEach(() => {
  calls = [];
  subscribers = new ShopEventSubscribers();
  const handlers = new OutboxHandlers();
  const outbox = recording<OutboxService>(calls, { add: () => Promise.resolve([]) });
  service = new ShopEventsService(outbox, handlers, subscribers);
  service.onModuleInit();
  handler = handlers.find('shop-event') as ApplyingHandler;
});

/** Registers a subscriber to some events of every shop. */
function subscribe(name: string, types: readonly ShopEventType[], handle: SelectiveSubscriber['handle']): void {
  subscribers.register(name, types, handle);
}
const quiet = (): Promise<void> => Promise.resolve();

/** Records an event, and returns the message that the outbox got. */
async function recorded(): Promise<OutboxMessage> {
  const refund = { type: 'order.refunded', subjectId: ORDER, details: { amountMinor: 300 } } as const;
  await service.record(SHOP, [refund], TRANSACTION);
  const [[, messages, transaction] = []] = calls;
  expect(transaction).toBe(TRANSACTION);
  return (messages as OutboxMessage[])[0] as OutboxMessage;
}

it('adds events to the outbox in the transaction of the change, those of one order to one stream of a lane of the shop', async () => {
  subscribe('all', ['api_key.revoked', 'order.refunded'], quiet);
  await service.record(
    SHOP,
    [{ type: 'api_key.revoked', subjectId: ORDER, details: { principal: 'user:1' } }],
    TRANSACTION,
  );
  expect(calls.pop()).toMatchObject(['add', [{ stream: null }], TRANSACTION]);
  expect(await recorded()).toMatchObject({
    topic: 'shop-event',
    shopId: SHOP,
    lane: `shop ${SHOP}`,
    stream: ORDER,
  });
});

it('reads the end of no stream for a new order', async () => {
  subscribe('all', ['order.created', 'order.paid'], quiet);
  const created = { type: 'order.created', subjectId: ORDER, details: { discountId: null } } as const;
  await service.record(SHOP, [created, { type: 'order.paid', subjectId: ORDER }], TRANSACTION);
  expect((calls.pop()?.[1] as OutboxMessage[]).map(({ beginsStream }) => beginsStream)).toEqual([true, false]);
});

it('stores no event without a subscriber, and queries only subscriptions that are not for every shop', async () => {
  const [expired, paid, online] = (['order.expired', 'order.paid', 'server.online'] as const).map((type) => {
    return { type, subjectId: ORDER };
  }) as [NewShopEvent, NewShopEvent, NewShopEvent];
  const queries: unknown[] = [];
  subscribe('emails', ['order.paid'], quiet);
  subscribers.registerSelective('webhooks', {
    subscribedTypes: (...args) => {
      queries.push(args);
      return Promise.resolve(['server.online']);
    },
    handle: quiet,
  });
  const record = async (events: readonly NewShopEvent[]): Promise<unknown> => {
    await service.record(SHOP, events, TRANSACTION);
    return (calls.pop()?.[1] as OutboxMessage[]).map(({ payload }) => (payload as NewShopEvent).type);
  };
  expect(await record([paid])).toEqual(['order.paid']);
  expect(queries).toEqual([]);
  expect(await record([expired, paid, online, expired])).toEqual(['order.paid', 'server.online']);
  expect(await record([expired])).toEqual([]);
  expect(queries).toEqual([
    [SHOP, ['order.expired', 'server.online'], TRANSACTION],
    [SHOP, ['order.expired'], TRANSACTION],
  ]);
});

it('passes an event to its subscribers one after the other, in the transaction that marks it as published', async () => {
  const handled: unknown[] = [];
  const handlerOf =
    (name: string): SelectiveSubscriber['handle'] =>
    (events, transaction) =>
      Promise.resolve(void handled.push([name, events, transaction]));
  subscribe('first', ['order.refunded'], handlerOf('first'));
  subscribe('of others', ['order.paid'], handlerOf('of others'));
  subscribers.registerSelective('second', {
    subscribedTypes: (_, types) => Promise.resolve(types),
    handle: handlerOf('second'),
  });
  const before = Date.now();
  const { payload } = await recorded();
  const stored = JSON.parse(JSON.stringify(payload)) as unknown;
  const item = {
    id: EVENT,
    topic: 'shop-event',
    shopId: SHOP,
    orderId: ORDER,
    attempts: 0,
    createdAt: new Date(),
    payload: stored,
  };
  await handler.apply([item], TRANSACTION);
  const event = {
    id: EVENT,
    shopId: SHOP,
    type: 'order.refunded',
    subjectId: ORDER,
    details: { amountMinor: 300 },
    at: expect.any(Date),
  };
  expect(handled).toEqual([
    ['first', [event], TRANSACTION],
    ['second', [event], TRANSACTION],
  ]);
  expect((handled as [string, [{ at: Date }]][])[0]?.[1][0].at.getTime()).toBeGreaterThanOrEqual(before);
});

it('publishes again after a failure of a subscriber: after seconds at first, at most after an hour, for days', async () => {
  subscribe('broken', ['order.refunded'], () => Promise.reject(new Error('broken')));
  const { payload } = await recorded();
  const item = {
    id: EVENT,
    topic: 'shop-event',
    shopId: SHOP,
    orderId: ORDER,
    attempts: 0,
    createdAt: new Date(),
    payload,
  };
  await expect(handler.apply([item], TRANSACTION)).rejects.toThrow('broken');
  const waits = Array.from({ length: 100 }, (_, index) => handler.retryAfter(index + 1, null));
  expect(waits.slice(0, 3)).toEqual([2 * SECOND_MS, 4 * SECOND_MS, 8 * SECOND_MS]);
  expect([waits[50], waits[98], waits[99]]).toEqual([HOUR_MS, HOUR_MS, null]);
});

it('rejects a second subscriber with the same name', () => {
  subscribe('one', [], quiet);
  expect(() => {
    subscribe('one', [], quiet);
  }).toThrow('one');
});
