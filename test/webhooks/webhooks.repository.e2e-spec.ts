import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { decodeCursor } from '../../src/lib/paging/page.js';
import { WEBHOOK_MODEL, type WebhookRecord, webhookSchema } from '../../src/notifications/webhooks/webhook.schema.js';
import { type Webhook } from '../../src/notifications/webhooks/webhook.types.js';
import { WebhooksRepository } from '../../src/notifications/webhooks/webhooks.repository.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';
import { webhookWith } from '../support/webhooks.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const TEXTS = { sealedUrl: 'url 2', sealedSecret: 'secret 2', sealedPreviousSecret: 'secret 1' };

let store: TestStore;
let webhooks: WebhooksRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<WebhookRecord>(store.connection, WEBHOOK_MODEL, webhookSchema);
  webhooks = new WebhooksRepository(model);
});
beforeEach(() => store.connection.collection('webhooks').deleteMany({}));
afterAll(() => store.close());

const valuesWith = (fields: Partial<Webhook> = {}): Omit<Webhook, 'shopId'> => {
  const { shopId: _, ...values } = webhookWith({
    id: newObjectId(),
    events: ['order.paid', 'order.refunded'],
    ...fields,
  });
  return values;
};
const insert = (fields: Partial<Webhook> = {}, shopId = SHOP): Promise<Webhook> =>
  store.commit((transaction) => webhooks.insert(shopId, valuesWith(fields), transaction));
const idsOf = (items: readonly Webhook[]): string[] => items.map(({ id }) => id);

it('stores a webhook with its id', async () => {
  const values = valuesWith({ description: 'Accounting', previousSecretUntil: NOW });
  const webhook = await store.commit((transaction) => webhooks.insert(SHOP, values, transaction));
  expect(webhook).toEqual({ ...values, shopId: SHOP });
  expect(await webhooks.find(SHOP, webhook.id, null)).toEqual(webhook);
  await store.rollBack((transaction) => webhooks.insert(SHOP, valuesWith(), transaction));
  expect((await webhooks.list(SHOP, [], { after: null, limit: 50 })).items).toEqual([webhook]);
});

it('counts the webhooks of the shop up to a number, with those of its transaction', async () => {
  await insert();
  await insert({}, OTHER_SHOP);
  const count = (upTo: number): Promise<number> =>
    store.commit(async (transaction) => {
      await webhooks.insert(SHOP, valuesWith(), transaction);
      return webhooks.countAll(SHOP, upTo, transaction);
    });
  expect([await count(5), await count(2)]).toEqual([2, 2]);
});

it('lists the webhooks of the shop page by page, newest first', async () => {
  const [first, second, third] = [await insert(), await insert(), await insert()];
  await insert({}, OTHER_SHOP);
  const page = await webhooks.list(SHOP, [], { after: null, limit: 2 });
  expect(idsOf(page.items)).toEqual([third.id, second.id]);
  const next = await webhooks.list(SHOP, [], { after: decodeCursor(page.nextCursor ?? ''), limit: 2 });
  expect([idsOf(next.items), next.nextCursor]).toEqual([[first.id], null]);
});

it('returns what the active webhooks of the shop select', async () => {
  const filtersOf = (shopId: string): Promise<ReadonlySet<string>> =>
    store.commit((transaction) => webhooks.filtersOf(shopId, transaction));
  expect(await filtersOf(SHOP)).toEqual(new Set());
  await insert({ events: ['order.paid', 'order.created'] });
  await insert({ events: ['order.paid', 'server.offline'] });
  await insert({ events: ['member.left'], isActive: false });
  await insert({ events: ['*'] }, OTHER_SHOP);
  const both = await Promise.all([SHOP, OTHER_SHOP].map(filtersOf));
  expect(both).toEqual([new Set(['order.paid', 'order.created', 'server.offline']), new Set(['*'])]);
});

describe('A webhook of another shop', () => {
  it('neither finds, changes nor deletes a webhook of another shop', async () => {
    const webhook = await insert();
    await store.commit(async (transaction) => {
      expect(await webhooks.find(OTHER_SHOP, webhook.id, transaction)).toBeNull();
      expect(await webhooks.update(OTHER_SHOP, webhook.id, { isActive: false }, transaction)).toBeNull();
      expect(await webhooks.delete(OTHER_SHOP, webhook.id, transaction)).toBeNull();
      expect(await webhooks.reseal({ ...webhook, shopId: OTHER_SHOP }, TEXTS, transaction)).toBe(false);
    });
    expect(await webhooks.find(SHOP, webhook.id, null)).toEqual(webhook);
  });
});

it('changes the named fields and returns the webhook; a deletion returns what it deleted', async () => {
  const webhook = await insert();
  await store.rollBack((transaction) => webhooks.update(SHOP, webhook.id, { isActive: false }, transaction));
  await store.rollBack((transaction) => webhooks.delete(SHOP, webhook.id, transaction));
  const change = { isActive: false, events: ['*'] } as const;
  const after = await store.commit((transaction) => webhooks.update(SHOP, webhook.id, change, transaction));
  expect(after).toEqual({ ...webhook, ...change });
  expect(await store.commit((transaction) => webhooks.delete(SHOP, webhook.id, transaction))).toEqual(after);
  expect(await webhooks.find(SHOP, webhook.id, null)).toBeNull();
});

it('switches a webhook off once, and keeps when it was', async () => {
  const webhook = await insert();
  const disable = (at: Date, shopId = SHOP): Promise<boolean> =>
    store.commit((transaction) => webhooks.disable(shopId, webhook.id, at, transaction));
  const [first, second] = [new Date('2026-11-28T12:00:00.000Z'), new Date('2026-11-28T13:00:00.000Z')];
  expect(await disable(first, OTHER_SHOP)).toBe(false);
  expect([await disable(first), await disable(second)]).toEqual([true, false]);
  expect(await webhooks.find(SHOP, webhook.id, null)).toMatchObject({ isActive: false, disabledAt: first });
});

it('lists the webhooks of all shops in the order of their ids', async () => {
  const [first, second, third] = [await insert(), await insert({}, OTHER_SHOP), await insert()];
  expect(idsOf(await webhooks.listAfter(null, 2))).toEqual([first.id, second.id]);
  expect(idsOf(await webhooks.listAfter(second.id, 2))).toEqual([third.id]);
});

it('replaces the encrypted strings only if none of them has changed', async () => {
  const webhook = await insert({ sealedPreviousSecret: 'secret 0' });
  const reseal = (read: Webhook): Promise<boolean> =>
    store.commit((transaction) => webhooks.reseal(read, TEXTS, transaction));
  for (const name of ['sealedUrl', 'sealedSecret', 'sealedPreviousSecret'] as const) {
    expect(await reseal({ ...webhook, [name]: 'other' })).toBe(false);
  }
  expect(await reseal(webhook)).toBe(true);
  expect(await webhooks.find(SHOP, webhook.id, null)).toEqual({ ...webhook, ...TEXTS });
});
