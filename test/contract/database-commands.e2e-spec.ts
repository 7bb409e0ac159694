import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { type Response } from 'supertest';
import { aDiscount, aKey, anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { read, table } from './pages.js';

/**
 * The number of database commands of each of the nine endpoints. docs/api.md must list the same numbers. The writes of
 * `lastUsedAt` and `lastActiveAt` (at most one a minute for each credential) are not counted.
 */
describe('A request of the contract needs no more database commands than designed', () => {
  let app: TestApp;
  let shop: TestShop;
  let key: string;
  let keyId: string;
  let productId: string;
  let serverId: string;
  let endpoints: string[][];

  /** The numbers that docs/api.md gives for an endpoint of the contract: usual first, then in the case in brackets. */
  const documented = (endpoint: number): number[] => {
    const [, usual, special] = /^(\d+)(?: \(.*: (\d+)\))?$/.exec(endpoints[endpoint - 1]?.[3] ?? '') ?? [];
    return [usual, special].filter((number) => number !== undefined).map(Number);
  };

  const cost = async (work: () => Promise<Response>): Promise<string[]> =>
    app.commandsOf(async () => {
      expectSuccess(await work());
    });

  beforeAll(async () => {
    endpoints = table(await read('docs/api.md'), 'endpoints');
    // No background job runs during a measurement.
    app = await startTestApp({ watchCommands: true, config: { sweepIntervalMs: 3_600_000 } });
    shop = await aShop(app.api);
    ({ key, id: keyId } = await aKey(app.api, shop));
    productId = await aProduct(app.api, shop);
    serverId = await aServer(app.api, shop);
    expectSuccess(await app.api.get(`/shops/${shop.shopId}/team`, { key }));
    expectSuccess(await app.api.get(`/shops/${shop.shopId}/team`, { token: shop.owner.token }));
  });
  afterAll(() => app.close());

  it('1 team list: credential with membership; members and invitations, then their accounts', async () => {
    const commands = await cost(() => app.api.get(`/shops/${shop.shopId}/team`, { key }));
    expect(commands).toEqual(['aggregate', 'find', 'find', 'find']);
    expect(documented(1)).toEqual([commands.length]);
  });

  it('2 API key update: session; the key, the membership; the key again, the change, its audit entry and who wants its event in a transaction', async () => {
    const body = { name: 'Renamed', permissions: ['team:read'] };
    const { token } = shop.owner;
    const { id } = await aKey(app.api, shop);
    const commands = await cost(() => app.api.patch(`/api-keys/${id}`, body, { token }));
    expect(commands).toEqual(['find', 'find', 'find', 'find', 'findAndModify', 'insert', 'find', 'commitTransaction']);
    const name = await cost(() => app.api.patch(`/api-keys/${keyId}`, { name: 'Renamed' }, { token }));
    expect(name).toEqual(['find', 'find', 'find', 'findAndModify', 'insert', 'find', 'commitTransaction']);
    expect(documented(2)).toEqual([commands.length, name.length]);
  });

  it('3 API key list: session, list', async () => {
    expect(await cost(() => app.api.get('/api-keys', { token: shop.owner.token }))).toEqual(['find', 'find']);
    expect(documented(3)).toEqual([2]);
  });

  it('4 discount validation: credential with membership; code, product and server at once', async () => {
    const { code } = await aDiscount(app.api, shop);
    const path = `/discounts/${shop.shopId}/validate`;
    const commands = await cost(() => app.api.post(path, { code, orderValue: 10, productId, serverId }, { key }));
    expect(commands).toEqual(['aggregate', 'find', 'find', 'find']);
    const alone = await cost(() => app.api.post(path, { code, orderValue: 10 }, { key }));
    expect(alone).toEqual(['aggregate', 'find']);
    expect(documented(4)).toEqual([commands.length, alone.length]);
  });

  it('5 nickname change: order, shop, commands; the try in a transaction; order, code, other codes, order, delivery, audit entry and email in another one', async () => {
    const order = await anOrder(app.api, shop.shopId, { productId, serverId });
    expectSuccess(await app.api.post(`/orders/public/${order.id}/nickname/request`, {}));
    const [verificationCode] = await app.mailbox.next(order.email, /^\d{8}$/m);
    const path = `/orders/public/${order.id}/nickname/change`;
    const commands = await cost(() => app.api.post(path, { verificationCode, newNickname: 'Alex_42' }));
    expect(commands).toEqual([
      'find',
      'find',
      'find',
      'findAndModify',
      'commitTransaction',
      'find',
      'update',
      'update',
      'update',
      'update',
      'insert',
      'insert',
      'commitTransaction',
    ]);
    expect(documented(5)).toEqual([commands.length]);
  });

  it('6 domain removal: credential with membership, shop; with a domain the change and its log entry in a transaction', async () => {
    const path = `/shops/${shop.shopId}/domain`;
    const reads = ['aggregate', 'find'];
    expect(await cost(() => app.api.delete(path, { key }))).toEqual(reads);
    expectSuccess(await app.api.put(path, { hostname: 'shop.example.com' }, { key }));
    const commands = await cost(() => app.api.delete(path, { key }));
    expect(commands).toEqual([...reads, 'findAndModify', 'insert', 'commitTransaction']);
    expect(documented(6)).toEqual([commands.length, reads.length]);
  });

  it('7 period comparison: credential with membership, shop; in a snapshot the state, rollups, and the entries that they lack', async () => {
    const ask = (): Promise<string[]> => cost(() => app.api.get(`/stats/${shop.shopId}/comparison`, { key }));
    const reads = ['aggregate', 'find', 'find'];
    const fromOrders = await ask();
    expect(fromOrders).toEqual([...reads, 'aggregate', 'aggregate', 'aggregate', 'commitTransaction']);
    // No job runs in this spec.
    const ready = { phase: 'ready', cursor: null, buyers: 0, revision: 0, leasedUntil: new Date(0) };
    await inDatabase(app, async (database) => {
      const states = database.collection('stats_states');
      await states.insertOne({ shopId: new ObjectId(shop.shopId), ...ready });
    });
    const commands = await ask();
    expect(commands).toEqual([...reads, 'find', 'find', 'commitTransaction']);
    expect(documented(7)).toEqual([commands.length, fromOrders.length]);
  });

  it('8 public server status: the server, and once in ten seconds the shop', async () => {
    const path = `/servers/public/${serverId}/status`;
    expect(await cost(() => app.api.get(path))).toEqual(['find', 'find']);
    expect(await cost(() => app.api.get(path))).toEqual(['find']);
    expect(documented(8)).toEqual([2, 1]);
  });

  it('9 payment webhook: configuration, inbox; order, ledger, event, deliveries, audit entry and inbox in a transaction', async () => {
    const configured = expectSuccess<{ webhookUrl: string; signingSecret: string }>(
      await app.api.put(`/payments/${shop.shopId}/providers/custom`, { enabled: true, credentials: {} }, { key }),
    );
    const order = await anOrder(app.api, shop.shopId, { productId, serverId });
    const body = JSON.stringify({
      type: 'payment.succeeded',
      orderId: order.id,
      paymentId: 'pay-1',
      amount: order.total,
      currency: 'EUR',
      occurredAt: new Date().toISOString(),
    });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const secret = Buffer.from(configured.signingSecret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', secret).update(`evt-1.${timestamp}.${body}`).digest('base64');
    const headers = {
      'webhook-id': 'evt-1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
      'content-type': 'application/json',
    };
    const path = new URL(configured.webhookUrl).pathname.replace('/api/v2', '');
    const first = await cost(() => app.api.call('post', path, { headers, body }));
    expect(first).toEqual([
      // The configuration; the inbox; the event again, and those of its payment that wait for an order.
      ...['find', 'findAndModify', 'find', 'find'],
      // The order, whether its buyer has paid before, and the claim of a new one; order, statistics.
      ...['find', 'find', 'update', 'update', 'insert'],
      // Earlier events of the order, the event.
      ...['find', 'insert'],
      // The delivery; audit log; inbox.
      ...['update', 'insert', 'update', 'commitTransaction'],
    ]);
    const duplicate = await cost(() => app.api.call('post', path, { headers, body }));
    expect(duplicate).toEqual(['find', 'findAndModify']);
    expect(documented(9)).toEqual([first.length, duplicate.length]);
  });

  it('the public catalogue: the visible servers and the products, or the categories; once in ten seconds the shop', async () => {
    const { shopId } = await aShop(app.api);
    expect(await cost(() => app.api.get(`/products/public/${shopId}`))).toEqual(['find', 'find', 'find']);
    expect(await cost(() => app.api.get(`/products/public/${shopId}`))).toEqual(['find', 'find']);
    expect(await cost(() => app.api.get(`/categories/public/${shopId}`))).toEqual(['find']);
  });

  it('a malformed API key needs no database command', async () => {
    const commands = await app.commandsOf(async () => {
      const response = await app.api.get(`/shops/${shop.shopId}/team`, { key: `${key.slice(0, -1)}-` });
      expect(response.status).toBe(401);
    });
    expect(commands).toEqual([]);
  });
});
