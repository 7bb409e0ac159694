import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { aSellingShop, payment, type SellingShop, sendCustom } from '../payments/senders.js';
import { anOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const ORDERS = 20;

const env = { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true' };
let first: TestApp;
let second: TestApp;
let receiver: WebhookReceiver;
let shop: SellingShop;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const config = { sweepIntervalMs: 50 };
  first = await startTestApp({ env, config });
  second = await startTestApp({ env, config, databaseUri: first.databaseUri });
  shop = await aSellingShop(first.api);
});
afterAll(async () => {
  await second.close();
  await first.close();
  await receiver.close();
});

async function aWebhookAt(path: string): Promise<string> {
  const body = { url: `${receiver.url}/${path}`, events: ['order.created', 'order.paid'] };
  const { token } = shop.owner;
  const created = await first.api.post(`/webhooks/${shop.shopId}`, body, { token });
  return expectSuccess<{ id: string }>(created).id;
}
const arrivedAt = (path: string): string[] =>
  receiver.received.filter((request) => request.path.endsWith(`/${path}`)).map(({ body }) => body);

it('sends nothing twice from two processes with one database while both live', async () => {
  const webhookId = await aWebhookAt('both');
  const apis = [first.api, second.api] as const;
  await Promise.all(
    Array.from({ length: ORDERS }, async (_, index) => {
      const order = await anOrder(apis[index % 2 === 0 ? 0 : 1], shop.shopId, shop.orderRequest);
      expectSuccess(await sendCustom(apis[index % 2 === 0 ? 1 : 0], shop.custom, payment(order)));
    }),
  );
  const { token } = shop.owner;
  const waiting = `/webhooks/${shop.shopId}/${webhookId}/deliveries?state=waiting&limit=1`;
  await eventually(() => Promise.resolve(arrivedAt('both').length >= 2 * ORDERS));
  await eventually(async () => expectSuccess<object[]>(await first.api.get(waiting, { token })).length === 0);
  expect(arrivedAt('both')).toHaveLength(2 * ORDERS);
  expect(new Set(arrivedAt('both')).size).toBe(2 * ORDERS);
});

it('delivers to others while one receiver hangs', async () => {
  const hanging: ServerResponse[] = [];
  receiver.respond((response, { path }) => {
    if (path.endsWith('/hangs')) hanging.push(response);
    else response.writeHead(204).end();
  });
  await aWebhookAt('hangs');
  await aWebhookAt('responds');
  const orders = Array.from({ length: ORDERS }, () => anOrder(first.api, shop.shopId, shop.orderRequest));
  await Promise.all(orders);
  await eventually(() => Promise.resolve(hanging.length > 0));
  await eventually(() => Promise.resolve(arrivedAt('responds').length === ORDERS));
  expect(arrivedAt('hangs').length).toBeLessThan(ORDERS);
  for (const response of hanging) response.writeHead(204).end();
  receiver.respond((response) => response.writeHead(204).end());
  await eventually(() => Promise.resolve(new Set(arrivedAt('hangs')).size === ORDERS));
});
