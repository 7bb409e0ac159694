import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { type Response } from 'supertest';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  lease,
  type Leased,
  sendAck,
} from '../deliveries/delivery-actors.js';
import { payment, sendCustom } from '../payments/senders.js';
import {
  aDiscount,
  aKey,
  anOrder,
  aProduct,
  aServer,
  aShop,
  type TestOrder,
  type TestShop,
} from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { read, table } from './pages.js';

/** Counts the commands of an endpoint: of a usual request, then in the context that docs/api.md names in brackets. */
type Measure = () => Promise<number[]>;

describe('An endpoint of the contract', () => {
  let app: TestApp;
  let shop: TestShop;
  let key: string;
  let productId: string;
  let serverId: string;
  let endpoints: string[][];

  /** The numbers of docs/api.md for an endpoint, in the same order. */
  const documented = (endpoint: number): number[] => {
    const [, usual, special] = /^(\d+)(?: \(.*: (\d+)\))?$/.exec(endpoints[endpoint - 1]?.[3] ?? '') ?? [];
    return [usual, special].filter((number) => number !== undefined).map(Number);
  };
  /** Without the writes of `lastUsedAt` and `lastActiveAt`, of which there is at most one a minute for each credential. */
  const count = async (work: () => Promise<Response>): Promise<number> => {
    const commands = await app.commandsOf(async () => expectSuccess(await work()));
    return commands.length;
  };

  const team: Measure = async () => [await count(() => app.api.get(`/shops/${shop.shopId}/team`, { key }))];

  const keyUpdate: Measure = async () => {
    const { token } = shop.owner;
    const { id } = await aKey(app.api, shop);
    const update = (body: object) => count(() => app.api.patch(`/api-keys/${id}`, body, { token }));
    return [await update({ name: 'Renamed', permissions: ['team:read'] }), await update({ name: 'Renamed again' })];
  };

  const keyList: Measure = async () => [await count(() => app.api.get('/api-keys', { token: shop.owner.token }))];

  const validation: Measure = async () => {
    const { code } = await aDiscount(app.api, shop);
    const basket = { code, orderValue: 10 };
    const validate = (body: object) => count(() => app.api.post(`/discounts/${shop.shopId}/validate`, body, { key }));
    // The first request after a change of what the shop sells reads all of it.
    await validate({ ...basket, productId, serverId });
    return [await validate({ ...basket, productId, serverId }), await validate(basket)];
  };

  const nicknameChange: Measure = async () => {
    const order = await anOrder(app.api, shop.shopId, { productId, serverId });
    expectSuccess(await app.api.post(`/orders/public/${order.id}/nickname/request`, {}));
    const [verificationCode] = await app.mailbox.next(order.email, /^\d{8}$/m);
    const body = { verificationCode, newNickname: 'Alex_42' };
    return [await count(() => app.api.post(`/orders/public/${order.id}/nickname/change`, body))];
  };

  const domainRemoval: Measure = async () => {
    const path = `/shops/${shop.shopId}/domain`;
    expectSuccess(await app.api.put(path, { hostname: 'shop.example.com' }, { key }));
    const remove = () => count(() => app.api.delete(path, { key }));
    return [await remove(), await remove()];
  };

  const comparison: Measure = async () => {
    const compare = () => count(() => app.api.get(`/stats/${shop.shopId}/comparison`, { key }));
    const ofLedger = await compare();
    // No job runs in this spec.
    const ready = { phase: 'ready', cursor: null, buyers: 0, revision: 0, leasedUntil: new Date(0) };
    const shopId = new ObjectId(shop.shopId);
    await inDatabase(app, (database) => database.collection('stats_states').insertOne({ shopId, ...ready }));
    return [await compare(), ofLedger];
  };

  const publicStatus: Measure = async () => {
    const get = () => count(() => app.api.get(`/servers/public/${serverId}/status`));
    return [await get(), await get()];
  };

  /** Sends an authentic event that changes nothing. */
  const aRecentEvent = async (webhook: string, secret: Buffer): Promise<void> => {
    const body = JSON.stringify({ type: 'something.else' });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret).update(`evt-0.${timestamp}.${body}`).digest('base64');
    const headers = {
      'webhook-id': 'evt-0',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
      'content-type': 'application/json',
    };
    expectSuccess(await app.api.call('post', webhook, { headers, body }));
  };

  const paymentWebhook: Measure = async () => {
    const path = `/payments/${shop.shopId}/providers/custom`;
    const configured = expectSuccess<{ webhookUrl: string; signingSecret: string }>(
      await app.api.put(path, { enabled: true, credentials: {} }, { key }),
    );
    const order = await anOrder(app.api, shop.shopId, { productId, serverId });
    const paid = { type: 'payment.succeeded', orderId: order.id, paymentId: 'pay-1' };
    const occurredAt = new Date().toISOString();
    const body = JSON.stringify({ ...paid, amount: order.total, currency: 'EUR', occurredAt });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const secret = Buffer.from(configured.signingSecret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', secret).update(`evt-1.${timestamp}.${body}`).digest('base64');
    const headers = {
      'webhook-id': 'evt-1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
      'content-type': 'application/json',
    };
    const webhook = new URL(configured.webhookUrl).pathname.replace('/api/v2', '');
    // The first event of a minute is also written to the configuration of the provider.
    await aRecentEvent(webhook, secret);
    const send = () => count(() => app.api.call('post', webhook, { headers, body }));
    return [await send(), await send()];
  };

  beforeAll(async () => {
    endpoints = table(await read('docs/api.md'), 'endpoints');
    app = await startTestApp({ watchCommands: true });
    shop = await aShop(app.api);
    ({ key } = await aKey(app.api, shop));
    productId = await aProduct(app.api, shop);
    serverId = await aServer(app.api, shop);
  });
  afterAll(() => app.close());

  it.each<[endpoint: number, name: string, measure: Measure]>([
    [1, 'team list', team],
    [2, 'API key update', keyUpdate],
    [3, 'API key list', keyList],
    [4, 'discount validation', validation],
    [5, 'nickname change', nicknameChange],
    [6, 'domain removal', domainRemoval],
    [7, 'period comparison', comparison],
    [8, 'public server status', publicStatus],
    [9, 'payment webhook', paymentWebhook],
  ])('sends at most as many database commands as docs/api.md says: %i %s', async (endpoint, _name, measure) => {
    const most = documented(endpoint);
    const counts = await measure();
    expect(counts).toHaveLength(most.length);
    const tooMany = counts.flatMap((needed, index) => (needed > (most[index] ?? 0) ? [{ needed, most }] : []));
    expect(tooMany).toEqual([]);
  });

  it('sends no database command for a malformed API key', async () => {
    const commands = await app.commandsOf(async () => {
      const response = await app.api.get(`/shops/${shop.shopId}/team`, { key: `${key.slice(0, -1)}-` });
      expect(response.status).toBe(401);
    });
    expect(commands).toEqual([]);
  });
});

/** Adds what a request of an order's way needs to be sent. Returns the names of its commands, and of those that follow it. */
type Step = () => Promise<[commands: string[], followUps: string[]]>;

describe('The way of an order', () => {
  let app: TestApp;
  let shop: DeliveringShop;
  let rows: string[][];
  let steps: Record<string, Step>;

  beforeAll(async () => {
    rows = table(await read('docs/api.md'), 'order-commands');
    app = await startTestApp({ watchCommands: true });
    shop = await aDeliveringShop(app.api);
    const { shopId, productId, serverId } = shop;
    // What is written once a minute or once a shop is written now.
    await acknowledge(app.api, shop, await leasedOf(await aPaidOrder(app.api, shop)));
    // The first request after a change of what the shop sells reads all of it.
    expectSuccess(await app.api.get(`/products/public/${shopId}`));
    const basket = { items: [{ productId, quantity: 1 }], serverId, nickname: 'Alex_42', email: 'alex@example.com' };
    const order = await anOrder(app.api, shopId, { productId, serverId });
    const ofWork = (work: () => Promise<Response>) =>
      app.commandsAndFollowUpsOf(async () => expectSuccess(await work()));
    let leased: Awaited<ReturnType<typeof leasedOf>>;
    steps = {
      quote: () => ofWork(() => app.api.post(`/checkout/${shopId}/quote`, basket)),
      checkout: () => ofWork(() => app.api.post(`/checkout/${shopId}/orders`, basket)),
      payment: () => ofWork(() => sendCustom(app.api, shop.webhook, payment(order))),
      lease: () =>
        app.commandsAndFollowUpsOf(async () => {
          leased = await leasedOf(order);
        }),
      acknowledgement: () => ofWork(() => sendAck(app.api, shop, [{ ...leased, status: 'delivered' }])),
      'public catalogue': () => ofWork(() => app.api.get(`/products/public/${shopId}`)),
      'page of the order': () =>
        ofWork(() => app.api.get(`/orders/public/${order.id}`, { headers: { 'x-order-token': order.accessToken } })),
    };
  });
  afterAll(() => app.close());

  const leasedOf = async ({ id }: TestOrder): Promise<Pick<Leased, 'deliveryId' | 'attempt'>> => {
    const found = (await lease(app.api, shop)).find(({ orderId }) => orderId === id);
    return { deliveryId: found?.deliveryId ?? '', attempt: found?.attempt ?? 0 };
  };

  it('sends at most as many database commands as docs/api.md says', async () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(steps));
    const tooMany: object[] = [];
    for (const [name = '', , most, mostAfter] of rows) {
      const [commands, followUps] = (await steps[name]?.()) ?? [];
      for (const [needed = [], limit] of [
        [commands, most],
        [followUps, mostAfter],
      ] as const)
        if (needed.length > Number(limit)) tooMany.push({ name, limit, needed });
    }
    expect(tooMany).toEqual([]);
  });
});
