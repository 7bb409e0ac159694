import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeCursor, type Page, type PageRequest } from '../../src/lib/paging/page.js';
import { TIME_POSITION_BYTES } from '../../src/lib/paging/time-position.js';
import {
  WEBHOOK_DELIVERY_MODEL,
  type WebhookDeliveryRecord,
  webhookDeliverySchema,
} from '../../src/notifications/webhooks/webhook-delivery.schema.js';
import {
  type WebhookAttempt,
  MAX_STORED_ATTEMPTS,
  type StoredWebhookDelivery,
  type WebhookDelivery,
} from '../../src/notifications/webhooks/webhook-delivery.types.js';
import { WebhookDeliveriesRepository } from '../../src/notifications/webhooks/webhook-deliveries.repository.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';
import { deliveryWith, WEBHOOK } from '../support/webhooks.js';

// In the future, because the store removes records of the past.
const NOW = new Date('2099-11-22T12:00:00.000Z');
const OTHER_WEBHOOK = '655f1c2ab1e4a9d3f0c812d9';
const MESSAGE = '655f1c2ab1e4a9d3f0c812a0';
const OTHER_MESSAGE = '655f1c2ab1e4a9d3f0c812a1';
const ATTEMPT: WebhookAttempt = { at: NOW, status: 500, error: null, durationMs: 3, response: 'no' };
const WAITING = { state: 'waiting', failures: 1, nextAttemptAt: NOW } as const;
const DELIVERED = { state: 'delivered', failures: 1, nextAttemptAt: null } as const;
const FIRST_PAGE = { after: null, limit: 50 };

let store: TestStore;
let deliveries: WebhookDeliveriesRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<WebhookDeliveryRecord>(store.connection, WEBHOOK_DELIVERY_MODEL, webhookDeliverySchema);
  deliveries = new WebhookDeliveriesRepository(model);
});
beforeEach(() => store.connection.collection('webhook_deliveries').deleteMany({}));
afterAll(() => store.close());

async function insert(fields: Partial<StoredWebhookDelivery> = {}): Promise<StoredWebhookDelivery> {
  const delivery = deliveryWith({ createdAt: NOW, ...fields });
  await store.commit((transaction) => deliveries.insertAll([delivery], transaction));
  return delivery;
}
const find = ({ id }: WebhookDelivery): Promise<WebhookDelivery | null> => deliveries.find(SHOP, id, null);
const endedBetween = (from: Date, to: Date, page: PageRequest): Promise<Page<WebhookDelivery>> =>
  store.commit((transaction) => deliveries.endedBetween(SHOP, WEBHOOK, { from, to, hidden: [] }, page, transaction));
const idsOf = (items: readonly WebhookDelivery[]): string[] => items.map(({ id }) => id);

it('stores deliveries as they are, and nothing when the transaction is rolled back', async () => {
  const delivery = await insert({ attempts: [ATTEMPT], stream: 'order', messageId: MESSAGE });
  await store.rollBack((transaction) => deliveries.insertAll([deliveryWith()], transaction));
  expect((await deliveries.list(SHOP, WEBHOOK, { hidden: [] }, FIRST_PAGE)).items).toEqual([delivery]);
});

it('lists the deliveries of a webhook of the shop page by page, newest first, or those in a state', async () => {
  const [first, second, third] = [await insert(), await insert({ state: 'failed' }), await insert()];
  await insert({ webhookId: OTHER_WEBHOOK });
  await insert({ shopId: OTHER_SHOP });
  const page = await deliveries.list(SHOP, WEBHOOK, { hidden: [] }, { after: null, limit: 2 });
  expect(idsOf(page.items)).toEqual([third.id, second.id]);
  const rest = { after: decodeCursor(page.nextCursor ?? ''), limit: 2 };
  expect(idsOf((await deliveries.list(SHOP, WEBHOOK, { hidden: [] }, rest)).items)).toEqual([first.id]);
  const failed = await deliveries.list(SHOP, WEBHOOK, { state: 'failed', hidden: [] }, FIRST_PAGE);
  expect(idsOf(failed.items)).toEqual([second.id]);
});

it('leaves out the deliveries of hidden events, from the list and from a time range', async () => {
  const { id } = await insert({ state: 'failed', type: 'order.paid' });
  await insert({ state: 'failed', type: 'api_key.created' });
  const hidden = ['api_key.created'] as const;
  expect(idsOf((await deliveries.list(SHOP, WEBHOOK, { hidden }, FIRST_PAGE)).items)).toEqual([id]);
  const range = { from: NOW, to: new Date(NOW.getTime() + 1), hidden };
  const ended = await store.commit((transaction) =>
    deliveries.endedBetween(SHOP, WEBHOOK, range, FIRST_PAGE, transaction),
  );
  expect(idsOf(ended.items)).toEqual([id]);
});

it('returns the deliveries that ended in a time range, oldest first', async () => {
  const at = (minute: number): Date => new Date(NOW.getTime() + minute * 60_000);
  const [late, early] = [
    await insert({ state: 'failed', createdAt: at(2) }),
    await insert({ state: 'delivered', createdAt: at(1) }),
  ];
  await insert({ createdAt: at(1) });
  await insert({ state: 'failed', createdAt: at(3) });
  await insert({ state: 'failed', createdAt: at(0) });
  await insert({ state: 'failed', createdAt: at(1), webhookId: OTHER_WEBHOOK });
  await insert({ state: 'failed', createdAt: at(1), shopId: OTHER_SHOP });
  const { items, nextCursor } = await endedBetween(at(1), at(3), FIRST_PAGE);
  expect([idsOf(items), nextCursor]).toEqual([[early.id, late.id], null]);
});

it('continues behind a position, also among deliveries of one millisecond', async () => {
  const next = new Date(NOW.getTime() + 1);
  const same = [
    await insert({ state: 'failed' }),
    await insert({ state: 'failed' }),
    await insert({ state: 'failed' }),
  ];
  // Its id is older than those of the others.
  const last = await insert({ id: '000000000000000000000001', state: 'failed', createdAt: next });
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page = await endedBetween(NOW, new Date(NOW.getTime() + 2), { after, limit: 2 });
    found.push(...idsOf(page.items));
    after = decodeCursor(page.nextCursor ?? '', TIME_POSITION_BYTES);
  } while (after !== null && found.length < 10);
  expect(found).toEqual(idsOf([...same, last]));
});

describe('addAttempt', () => {
  const add = (delivery: WebhookDelivery, outcome: typeof WAITING | typeof DELIVERED): Promise<boolean> =>
    store.commit((transaction) => deliveries.addAttempt(delivery, ATTEMPT, outcome, transaction));

  it('adds an attempt with its outcome, and keeps the latest ones', async () => {
    const delivery = await insert();
    expect(await add(delivery, WAITING)).toBe(true);
    expect(await find(delivery)).toEqual({ ...delivery, ...WAITING, attempts: [ATTEMPT] });
    for (let count = 0; count < MAX_STORED_ATTEMPTS; count++) await add(delivery, WAITING);
    expect((await find(delivery))?.attempts).toHaveLength(MAX_STORED_ATTEMPTS);
  });

  it('changes no delivery that has ended, and none of another shop', async () => {
    const delivery = await insert();
    expect(await add({ ...delivery, shopId: OTHER_SHOP }, DELIVERED)).toBe(false);
    expect(await add(delivery, DELIVERED)).toBe(true);
    expect(await add(delivery, WAITING)).toBe(false);
    expect(await find(delivery)).toMatchObject(DELIVERED);
  });
});

it('queues ended deliveries again from the beginning, and returns how many', async () => {
  const [failed, waiting] = [
    await insert({ state: 'failed', failures: 10, attempts: [ATTEMPT] }),
    await insert(WAITING),
  ];
  const foreign = await insert({ state: 'failed', shopId: OTHER_SHOP });
  const ids = idsOf([failed, waiting, foreign]);
  expect(await store.commit((transaction) => deliveries.requeue(SHOP, ids, transaction))).toBe(1);
  expect(await find(failed)).toEqual({ ...failed, state: 'waiting', failures: 0 });
  expect(await find(waiting)).toEqual(waiting);
  expect((await deliveries.find(OTHER_SHOP, foreign.id, null))?.state).toBe('failed');
});

it('returns the delivery of the shop that waits for a message', async () => {
  const delivery = await insert({ messageId: MESSAGE });
  await insert();
  await insert({ messageId: MESSAGE, state: 'failed' });
  const findByMessage = (shopId: string, messageId: string): Promise<WebhookDelivery | null> =>
    store.commit((transaction) => deliveries.findByMessage(shopId, messageId, transaction));
  expect(await findByMessage(SHOP, MESSAGE)).toEqual(delivery);
  expect(await findByMessage(OTHER_SHOP, MESSAGE)).toBeNull();
  expect(await findByMessage(SHOP, OTHER_MESSAGE)).toBeNull();
});

it('stores the message of each delivery, and of none of another shop', async () => {
  const [first, second] = [await insert({ messageId: MESSAGE }), await insert()];
  const foreign = await insert({ shopId: OTHER_SHOP });
  const messages = [
    { id: first.id, messageId: OTHER_MESSAGE },
    { id: second.id, messageId: MESSAGE },
    { id: foreign.id, messageId: MESSAGE },
  ];
  await store.commit((transaction) => deliveries.recordMessages(SHOP, messages, transaction));
  expect([await find(first), await find(second)]).toEqual([
    { ...first, messageId: OTHER_MESSAGE },
    { ...second, messageId: MESSAGE },
  ]);
  expect(await deliveries.find(OTHER_SHOP, foreign.id, null)).toEqual(foreign);
});
