import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { SHOP_EVENT_TYPES, SHOP_EVENTS } from '../../src/events/shop-events/shop-event.types.js';
import { read, table } from '../contract/pages.js';
import { anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

interface Event {
  readonly type: string;
  readonly data: { readonly order?: object };
}

let page: string;
let app: TestApp;
let shop: TestShop;

beforeAll(async () => {
  page = await read('docs/webhooks.md');
  app = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true' } });
  shop = await aShop(app.api);
});
afterAll(() => app.close());

const blockOf = (text: string, language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';

async function aWebhookAt(url: string): Promise<{ id: string; secret: string }> {
  const call = { token: shop.owner.token };
  return expectSuccess(await app.api.post(`/webhooks/${shop.shopId}`, { url, events: ['order.created'] }, call));
}

it('lists every event with its permission in docs/webhooks.md, and no other', () => {
  const rows = Object.entries(SHOP_EVENTS).map(([type, { description, permission }]) => [
    `\`${type}\``,
    description,
    `\`${permission}\``,
  ]);
  expect(table(page, 'events')).toEqual(rows);
});

it('shows an example of every event in docs/webhooks.md, with the fields that are really sent', async () => {
  const examples = blockOf(page, 'jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
  expect(examples.map(({ type }) => type)).toEqual(SHOP_EVENT_TYPES);
  const receiver = await startWebhookReceiver();
  await aWebhookAt(receiver.url);
  await anOrder(app.api, shop.shopId, {
    productId: await aProduct(app.api, shop),
    serverId: await aServer(app.api, shop),
  });
  const { body } = await eventually(() => Promise.resolve(receiver.received[0]));
  await receiver.close();
  const sent = JSON.parse(body) as Event;
  for (const example of examples) {
    expect(Object.keys(example)).toEqual(Object.keys(sent));
    if (example.data.order !== undefined)
      expect(Object.keys(example.data.order)).toEqual(Object.keys(sent.data.order ?? {}));
  }
});

it('describes every event with a schema in the section webhooks of the OpenAPI document, which its example follows', async () => {
  const { body } = (await app.api.get('/openapi.json')) as { body: OpenAPIObject };
  expect(Object.keys(body.webhooks ?? {})).toEqual(SHOP_EVENT_TYPES);
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ $id: 'api', components: body.components, webhooks: body.webhooks });
  const examples = new Map(
    blockOf(page, 'jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Event)
      .map((example) => [example.type, example]),
  );
  for (const type of SHOP_EVENT_TYPES) {
    const pointer = `api#/webhooks/${type}/post/requestBody/content/application~1json/schema`;
    const isValid = ajv.validate({ $ref: pointer }, examples.get(type));
    expect({ type, errors: isValid ? [] : ajv.errors }).toEqual({ type, errors: [] });
  }
});

/** The port that the documented receiver prints. */
function portOf(receiver: ChildProcess): Promise<string> {
  let output = '';
  receiver.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return eventually(() => Promise.resolve(/listening (\d+)\n/.exec(output)?.[1]));
}

it('accepts genuine requests once in the receiver of docs/receive-events.md, and rejects others', async () => {
  // The receiver needs the secret at its start, so the webhook gets its URL afterwards.
  const { id, secret } = await aWebhookAt('http://127.0.0.1:9/');
  const script = blockOf(await read('docs/receive-events.md'), 'js');
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'], SIGNING_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = `http://127.0.0.1:${await portOf(receiver)}/`;
  const call = { token: shop.owner.token };
  const path = `/webhooks/${shop.shopId}/${id}`;
  expectSuccess(await app.api.patch(path, { url }, call));
  expectSuccess(await app.api.post(`${path}/test`, {}, call));
  const state = async (): Promise<string | undefined> =>
    expectSuccess<{ state: string }[]>(await app.api.get(`${path}/deliveries`, call))[0]?.state;
  await eventually(async () => (await state()) === 'delivered');
  const forged = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
  for (const headers of [{}, forged, { ...forged, 'webhook-signature': 'v1,AAAA' }]) {
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(400);
  }
  const exited = once(receiver, 'exit');
  receiver.kill();
  await exited;
});
