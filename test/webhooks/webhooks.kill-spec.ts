import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { Webhook as Verifier } from 'standardwebhooks';
import { aSellingShop, payment, type SellingShop, sendCustom } from '../payments/senders.js';
import { anOrder, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

/** `npm run long -- kill-webhooks` has more. */
const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 3);
const ORDERS_PER_LIFE = 6;
const LONGEST_LIFE_MS = 1_500;
const SLOWEST_ANSWER_MS = 30;

const databaseUri = testDatabaseUri();
const env = { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true' };
const config = { sweepIntervalMs: 50 };
let app: TestApp;
let records: Records;
let receiver: WebhookReceiver;
let shop: SellingShop;
/** The events in the order in which each arrived first, and what the library said about each request. */
const arrived: { readonly id: string; readonly type: string; readonly orderId: string }[] = [];
const rejected: string[] = [];

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  app = await startTestApp({ databaseUri, env, config });
  records = await recordsOf(app);
  shop = await aSellingShop(app.api);
  const body = { url: receiver.url, events: ['order.created', 'order.paid', 'order.refunded'] };
  const created = await app.api.post(`/webhooks/${shop.shopId}`, body, { token: shop.owner.token });
  const verifier = new Verifier(expectSuccess<{ secret: string }>(created).secret);
  // Slow, and fails at random: with an error, or without a response.
  receiver.respond((response, request) => {
    const id = String(request.headers['webhook-id']);
    try {
      const event = verifier.verify(request.body, request.headers as Record<string, string>) as {
        type: string;
        data: { order: { id: string } };
      };
      const isKnown = arrived.some((one) => one.id === id);
      if (!isKnown) arrived.push({ id, type: event.type, orderId: event.data.order.id });
    } catch (error) {
      rejected.push(String(error));
    }
    const chance = Math.random();
    setTimeout(() => {
      if (chance < 0.1) response.destroy();
      else response.writeHead(chance < 0.25 ? 503 : 204).end();
    }, Math.random() * SLOWEST_ANSWER_MS);
  });
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await records.db.dropDatabase();
  await records.close();
});

/** Repeats what a provider reports until the service has accepted it. */
async function report(order: TestOrder, eventId: string, fields: Parameters<typeof payment>[1]): Promise<void> {
  const body = payment(order, fields);
  await eventually(async () => {
    const response = await sendCustom(app.api, shop.custom, body, { eventId }).catch(() => null);
    return response?.status === 200;
  });
}

/** An order, its payment, and two refunds. An order whose response was lost exists too, and is not paid. */
async function sell(): Promise<void> {
  const order = await eventually(() => anOrder(app.api, shop.shopId, shop.orderRequest).catch(() => null));
  await report(order, `${order.id}-paid`, {});
  const refund = { type: 'refund.succeeded', amount: 5 } as const;
  await report(order, `${order.id}-refund-1`, refund);
  await report(order, `${order.id}-refund-2`, refund);
}

/** Waits of minutes between two attempts take no time here. */
const hurry = (): Promise<unknown> =>
  records.db
    .collection('outbox')
    .updateMany({ topic: 'webhook', state: 'waiting' }, { $set: { dueAt: new Date(0) } })
    .catch(() => null);

function expectedOf({ paidAt, reversals }: Document): string[] {
  const refunds = (reversals as { kind: string }[]).map(() => 'order.refunded');
  return ['order.created', ...(paidAt === null ? [] : ['order.paid']), ...refunds];
}

it('delivers every committed change of an order at least once and in order, and no other one, while the service is killed', async () => {
  const sales: Promise<void>[] = [];
  let done = 0;
  for (let kills = 0; kills <= KILLS; kills++) {
    // More sales at once would only repeat their requests all the time, and keep the service from its work.
    await eventually(() => Promise.resolve(sales.length - done <= 2 * ORDERS_PER_LIFE));
    for (let count = 0; count < ORDERS_PER_LIFE; count++) sales.push(sell().finally(() => done++));
    if (kills === KILLS) break;
    await hurry();
    await sleep(Math.random() * LONGEST_LIFE_MS);
    await app.kill();
    app = await startTestApp({ databaseUri, env, config });
  }
  await Promise.all(sales);
  await eventually(async () => {
    await hurry();
    return (await records.db.collection('outbox').countDocuments({ state: 'waiting' })) === 0;
  });
  const orders = await records.db
    .collection('orders')
    .find({ shopId: idOf(shop.shopId) })
    .toArray();
  const expected = Object.fromEntries(orders.map((order) => [String(order._id), expectedOf(order)]));
  const actual: Record<string, string[]> = {};
  for (const { orderId, type } of arrived) actual[orderId] = [...(actual[orderId] ?? []), type];
  expect(actual).toEqual(expected);
  expect(orders.length).toBeGreaterThanOrEqual(sales.length);
  expect(rejected).toEqual([]);
  const states = await records.db.collection('webhook_deliveries').distinct('state');
  expect(states).toEqual(['delivered']);
});
