import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aKey, aServer, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  endLeases,
  deliveryStatusOf,
  lease,
  type Leased,
  type ListedDelivery,
  listed,
  type Outcome,
  redeliver,
  sendAck,
  reportPayment,
} from './delivery-actors.js';

let app: TestApp;
let shop: DeliveringShop;
let order: TestOrder;
let first: Leased;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api);
  order = await aPaidOrder(app.api, shop);
  first = await next();
});
afterAll(() => app.close());

async function next(): Promise<Leased> {
  const [delivery] = await lease(app.api, shop);
  if (delivery === undefined) throw new Error('there is nothing to lease');
  return delivery;
}

/** Ends the leases of the order, as if their time had passed, and leases again. */
async function leaseAgain(): Promise<Leased> {
  await endLeases(app, order);
  return next();
}

const outcome = (attempt: number, status: string, accepted: boolean): Outcome => ({
  deliveryId: first.deliveryId,
  attempt,
  status,
  accepted,
});

const list = (query?: string): Promise<readonly ListedDelivery[]> => listed(app.api, shop, query);

const auditOf = async (action: string): Promise<object[]> => {
  const read = await app.api.get(`/shops/${shop.shopId}/audit`, { token: shop.owner.token });
  return expectSuccess<{ action: string }[]>(read).filter((entry) => entry.action === action);
};

describe('POST /deliveries/{shopId}/ack', () => {
  it('marks the items as delivered in the order, stores the console output, and adds one entry to the history and to the audit log', async () => {
    const results = [{ deliveryId: first.deliveryId, attempt: 1, status: 'delivered', output: 'Gave\u001b[0m\nit' }];
    const response = await sendAck(app.api, shop, results);
    expect(expectSuccess(response, 'Deliveries acknowledged')).toEqual({ results: [outcome(1, 'delivered', true)] });
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
    const attempt = {
      attempt: 1,
      serverId: shop.serverId,
      nickname: 'Steve_42',
      leasedBy: `key:${shop.pluginKeyId}`,
      leasedAt: expect.any(String),
      leaseUntil: first.leaseUntil,
      result: 'delivered',
      output: 'Gave[0m\nit',
      acknowledgedAt: expect.any(String),
    };
    expect(await list()).toEqual([
      {
        id: first.deliveryId,
        orderId: order.id,
        serverId: shop.serverId,
        kind: 'purchase',
        position: 0,
        nickname: 'Steve_42',
        rehearsal: false,
        requiresOnline: false,
        state: 'delivered',
        dueAt: null,
        leaseUntil: null,
        commands: expect.any(Array),
        attempts: [attempt],
        createdAt: expect.any(String),
      },
    ]);
    expect(await auditOf('order.delivery_changed')).toMatchObject([
      {
        subjectId: order.id,
        actor: { type: 'api_key', id: shop.pluginKeyId, name: 'plugin key' },
        changes: [{ field: 'deliveryStatus', before: 'leased', after: 'delivered' }],
      },
    ]);
    const record = await inDatabase(app, (db) => db.collection('orders').findOne({ _id: idOf(order.id) }));
    const newest = (record?.['history'] as { action: string; actor: string }[]).at(-1);
    expect(newest).toMatchObject({ action: 'goods_delivered', actor: `key:${shop.pluginKeyId}` });
    expect(await lease(app.api, shop)).toEqual([]);
  });

  it('accepts the results of 100 attempts, each with as much output as is kept', async () => {
    const output = 'x'.repeat(2_000);
    const report = (deliveryId: string): object => ({ deliveryId, attempt: 1, status: 'delivered', output });
    const unknown = Array.from({ length: 99 }, (_, index) => String(index).padStart(24, '0'));
    const response = await sendAck(app.api, shop, [...unknown, first.deliveryId].map(report));
    const { results } = expectSuccess<{ results: Outcome[] }>(response, 'Deliveries acknowledged');
    expect(results).toHaveLength(100);
    expect(results.at(-1)).toEqual(outcome(1, 'delivered', true));
    const [delivery] = await list();
    expect(delivery?.attempts).toMatchObject([{ output }]);
  });

  it('changes nothing the second time, also when the second report is different (complaint 1)', async () => {
    await acknowledge(app.api, shop, first, 'delivered', 'one');
    const [before] = await list();
    expect(await acknowledge(app.api, shop, first, 'delivered', 'two')).toEqual(outcome(1, 'delivered', true));
    expect(await acknowledge(app.api, shop, first, 'failed', 'three')).toEqual(outcome(1, 'delivered', false));
    expect(await list()).toEqual([before]);
    expect(await auditOf('order.delivery_changed')).toHaveLength(1);
  });

  it('counts once when the same report comes many times at once', async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => acknowledge(app.api, shop, first)));
    expect(responses).toEqual(Array.from({ length: 12 }, () => outcome(1, 'delivered', true)));
    expect(await auditOf('order.delivery_changed')).toHaveLength(1);
  });

  it('accepts a report of an older attempt until a newer one is reported', async () => {
    const second = await leaseAgain();
    expect(second).toMatchObject({ attempt: 2, possiblyExecuted: true });
    expect(await acknowledge(app.api, shop, first)).toEqual(outcome(1, 'delivered', true));
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
    expect(await acknowledge(app.api, shop, second, 'failed')).toEqual(outcome(2, 'delivered', true));
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');

    order = await aPaidOrder(app.api, shop);
    first = await next();
    const newer = await leaseAgain();
    expect(await acknowledge(app.api, shop, newer)).toEqual(outcome(2, 'delivered', true));
    expect(await acknowledge(app.api, shop, first, 'failed')).toEqual(outcome(1, 'delivered', false));
  });

  it('keeps the newer attempt when an older one is reported as failed', async () => {
    const second = await leaseAgain();
    expect(await acknowledge(app.api, shop, first, 'failed')).toEqual(outcome(1, 'leased', true));
    expect(await deliveryStatusOf(app.api, order)).toBe('leased');
    expect(await acknowledge(app.api, shop, second)).toEqual(outcome(2, 'delivered', true));
  });

  it('accepts a late report after a refund: the buyer has the items, and staff can see this', async () => {
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    expect(await deliveryStatusOf(app.api, order)).toBe('revoked');
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await acknowledge(app.api, shop, first)).toEqual(outcome(1, 'delivered', true));
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
  });

  it('returns a result for each report: attempts without a lease and deliveries that are unknown or of another shop do not stop the others', async () => {
    const other = await aDeliveringShop(app.api);
    await aPaidOrder(app.api, other);
    const [foreign] = await lease(app.api, other);
    const unknown = { deliveryId: '655f1c2ab1e4a9d3f0c8ffff', attempt: 1, status: 'delivered' };
    const ofOther = { deliveryId: foreign?.deliveryId ?? '', attempt: 1, status: 'failed' };
    const never = { deliveryId: first.deliveryId, attempt: 2, status: 'failed' };
    const good = { deliveryId: first.deliveryId, attempt: 1, status: 'delivered' };
    const { results } = expectSuccess<{ results: Outcome[] }>(
      await sendAck(app.api, shop, [unknown, ofOther, never, good]),
    );
    expect(results).toEqual([
      { ...unknown, status: 'unknown', accepted: false },
      { ...ofOther, status: 'unknown', accepted: false },
      outcome(2, 'leased', false),
      outcome(1, 'delivered', true),
    ]);
    expect(await lease(app.api, other)).toEqual([]);
    expect(foreign && (await acknowledge(app.api, other, foreign))?.accepted).toBe(true);
  });

  it('rejects a report about a server that the key is not bound to', async () => {
    const { id, key } = await aKey(app.api, shop, 'plugin', ['deliveries:write', 'deliveries:read']);
    const restrictions = { serverIds: [await aServer(app.api, shop)], ipAllowlist: null };
    expectSuccess(await app.api.put(`/api-keys/${id}/restrictions`, restrictions, { token: shop.owner.token }));
    const results = [{ deliveryId: first.deliveryId, attempt: 1, status: 'delivered' }];
    const response = await app.api.post(`/deliveries/${shop.shopId}/ack`, { results }, { key });
    expect(expectSuccess(response)).toEqual({ results: [outcome(1, 'unknown', false)] });
    expect(expectSuccess(await app.api.get(`/deliveries/${shop.shopId}`, { key }))).toEqual([]);
    expect(await deliveryStatusOf(app.api, order)).toBe('leased');
  });

  it('cuts a long output instead of losing the report', async () => {
    await acknowledge(app.api, shop, first, 'delivered', 'x'.repeat(20_000));
    const [delivery] = await list();
    expect(delivery?.attempts[0]?.output).toMatch(/^x{1900,}\n\.\.\. \(cut\)$/);
  });

  it.each([
    [[], 'results must have at least 1 entry'],
    ['x', 'results must be a list'],
    [[{ deliveryId: 'x', attempt: 1, status: 'delivered' }], /deliveryId must be an ObjectId/],
    [[{ deliveryId: '655f1c2ab1e4a9d3f0c8ffff', attempt: 0, status: 'delivered' }], /attempt must be between 1/],
    [
      [{ deliveryId: '655f1c2ab1e4a9d3f0c8ffff', attempt: 1, status: 'done' }],
      /status must be one of begun, delivered, handed_over, failed, uncertain, released/,
    ],
    [[{ deliveryId: '655f1c2ab1e4a9d3f0c8ffff', attempt: 1, status: 'failed', output: 5 }], /output must be a string/],
  ])('rejects the acknowledgement %j', async (results, sentence) => {
    const response = await app.api.post(`/deliveries/${shop.shopId}/ack`, { results }, { key: shop.pluginKey });
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toMatch(sentence);
  });
});

describe('POST /orders/{shopId}/{orderId}/redeliver', () => {
  it('queues what failed again, with a reason in the audit log, and the plugin runs it (complaint 28: control of the queue)', async () => {
    await acknowledge(app.api, shop, first, 'failed', 'Unknown command');
    expect(await deliveryStatusOf(app.api, order)).toBe('failed');
    const seen = expectSuccess(await redeliver(app.api, shop, order), 'Order queued again');
    expect(seen).toMatchObject({ id: order.id, deliveryStatus: 'queued', paymentStatus: 'paid', email: order.email });
    const again = await next();
    // The failure was reported, so no plugin has to check its journal.
    expect(again).toMatchObject({ deliveryId: first.deliveryId, attempt: 2, possiblyExecuted: false });
    await acknowledge(app.api, shop, again);
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
    expect(await auditOf('order.redelivered')).toMatchObject([
      {
        subjectId: order.id,
        actor: { type: 'user', id: shop.owner.userId, name: 'Olivia' },
        changes: [
          { field: 'reason', before: null, after: 'The server had crashed' },
          { field: 'deliveries', before: null, after: '1' },
        ],
      },
    ]);
  });

  it('delivers everything again when nothing failed', async () => {
    await acknowledge(app.api, shop, first);
    expectSuccess(await redeliver(app.api, shop, order));
    expect(await next()).toMatchObject({ attempt: 2, possiblyExecuted: false });
  });

  it('rejects a redelivery while deliveries wait, for an order that is no longer paid, and for the second of two parallel requests', async () => {
    const sentence = 'The order has no delivery that can be queued again';
    expectError(await redeliver(app.api, shop, order), 409, sentence);
    await acknowledge(app.api, shop, first, 'failed');
    const responses = await Promise.all([1, 2, 3].map(() => redeliver(app.api, shop, order)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await acknowledge(app.api, shop, await next(), 'failed');
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    expectError(await redeliver(app.api, shop, order), 409, sentence);
  });

  it('rejects a redelivery without a reason, and of an order of another shop', async () => {
    expectError(await redeliver(app.api, shop, order, ''), 400, 'reason must have 1 to 200 characters');
    order = await aPaidOrder(app.api, await aDeliveringShop(app.api));
    expectError(await redeliver(app.api, shop, order), 404, 'There is no such order');
  });
});

describe('GET /deliveries/{shopId}', () => {
  it('lists the shop, newest first, by state, server and order, in pages', async () => {
    const other = { ...shop, serverId: await aServer(app.api, shop) };
    const second = await aPaidOrder(app.api, other);
    const third = await aPaidOrder(app.api, shop);
    const orders = async (query: string): Promise<string[]> => (await list(query)).map(({ orderId }) => orderId);
    expect(await orders('')).toEqual([third.id, second.id, order.id]);
    expect(await orders('?state=queued')).toEqual([third.id, second.id]);
    expect(await orders(`?serverId=${shop.serverId}`)).toEqual([third.id, order.id]);
    expect(await orders(`?serverId=${shop.serverId}&state=leased`)).toEqual([order.id]);
    expect(await orders(`?orderId=${second.id}`)).toEqual([second.id]);
    expect(await orders('?limit=1')).toEqual([third.id]);
    const page = await app.api.get(`/deliveries/${shop.shopId}?limit=2`, { token: shop.owner.token });
    const cursor = /cursor=([\w-]+)/.exec(String(page.headers['link']))?.[1] ?? '';
    expect(await orders(`?limit=2&cursor=${cursor}`)).toEqual([order.id]);
    expect((await list('?state=leased')).map(({ leaseUntil }) => leaseUntil)).toEqual([first.leaseUntil]);
    expect((await app.api.get(`/deliveries/${shop.shopId}?state=lost`, { token: shop.owner.token })).status).toBe(400);
  });
});
