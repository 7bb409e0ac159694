import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { deserialize } from 'bson';
import { type Document, ObjectId } from 'mongodb';
import request from 'supertest';
import { aDeliveringShop, aPaidOrder, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** How many orders the service reads at once. */
const PAGE_SIZE = 100;

describe('A long export of orders', () => {
  let app: TestApp;
  const agent = new Agent();
  const opened: IncomingMessage[] = [];

  const pathOf = ({ shopId }: DeliveringShop): string => `/orders/${shopId}/export`;
  /** A client that has got the head of the response, and reads nothing of the file yet. */
  const openExport = async (shop: DeliveringShop): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${shop.owner.token}` };
    const outgoing = get(`${app.baseUrl}/api/v2${pathOf(shop)}`, { headers, agent });
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    opened.push(response);
    return response;
  };
  const read = async (response: IncomingMessage): Promise<string> => {
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return text;
  };
  /** How many pages were read since the last call. */
  const portionsRead = async (): Promise<number> =>
    (await app.commandBodies()).filter((body) => {
      const { find, limit } = deserialize(body);
      return find === 'orders' && limit === PAGE_SIZE + 1;
    }).length;

  /** Waits until 30 other requests in a row went by without another page. Returns how many pages were read meanwhile. */
  const untilQuiet = async ({ shopId, owner }: DeliveringShop): Promise<number> => {
    let pages = 0;
    for (let quiet = 0; quiet < 30; quiet++) {
      expectSuccess(await app.api.get(`/orders/${shopId}?limit=1`, { token: owner.token }));
      const more = await portionsRead();
      pages += more;
      if (more > 0) quiet = 0;
    }
    return pages;
  };

  /** A shop with copies of a paid order, each a second older. @returns the shop, and the ids in the order of the list */
  const aShopWithOrders = async (
    count: number,
    change: (index: number) => object = () => ({}),
  ): Promise<{ shop: DeliveringShop; ids: string[] }> => {
    const shop = await aDeliveringShop(app.api);
    await aPaidOrder(app.api, shop);
    const ids = await inDatabase(app, async (db) => {
      const orders = db.collection('orders');
      const template = (await orders.findOne({ shopId: idOf(shop.shopId) })) as Document;
      const copies = Array.from({ length: count }, (_, index) => ({
        ...template,
        _id: new ObjectId(),
        number: 1_000_000 + index,
        createdAt: new Date(Date.UTC(2026, 0, 1) - index * 1_000),
        ...change(index),
      }));
      for (let from = 0; from < count; from += 500) await orders.insertMany(copies.slice(from, from + 500));
      return [String(template['_id']), ...copies.map(({ _id }) => _id.toHexString())];
    });
    return { shop, ids };
  };

  beforeAll(async () => {
    app = await startTestApp({ watchCommands: true });
  });
  afterEach(() => {
    for (const response of opened.splice(0)) response.destroy();
  });
  afterAll(async () => {
    agent.destroy();
    await app.close();
  });

  it('exports thousands of orders, each once and in order, and reads each page once', async () => {
    const { shop, ids } = await aShopWithOrders(2_599);
    await portionsRead();
    const { status, text } = await app.api.get(pathOf(shop), { token: shop.owner.token });
    const exported = text.split('\r\n').slice(1, -1);
    expect(status).toBe(200);
    expect(exported.map((line) => line.slice(0, 24))).toEqual(ids);
    expect(new Set(exported.map((line) => line.split(',')[1]))).toEqual(new Set([shop.shopId]));
    expect(await portionsRead()).toBe(26);
  });

  it('reads no further than its client, stops when the client leaves, and counts as running until then', async () => {
    // 30 MB: more than the kernel keeps for a client that does not read.
    const pages = 30;
    const name = 'x'.repeat(10_000);
    const { shop } = await aShopWithOrders(pages * PAGE_SIZE, () => ({ items: [anItem(name)] }));
    await portionsRead();
    const clients = [await openExport(shop), await openExport(shop)];
    const call = { token: shop.owner.token };
    const rejected = await app.api.get(pathOf(shop), call);
    expectError(rejected, 429, 'Too many of these requests run at once; wait until one has finished');
    expect(rejected.headers['retry-after']).toBe('10');
    expect(rejected.headers['x-error-code']).toBe('too_many_at_once');
    let pagesTaken = await untilQuiet(shop);
    for (const client of clients) client.destroy();
    await eventually(async () => {
      const { status } = await request(app.baseUrl)
        .head(`/api/v2${pathOf(shop)}`)
        .set('Authorization', `Bearer ${shop.owner.token}`);
      return status === 200;
    });
    pagesTaken += await untilQuiet(shop);
    expect(pagesTaken).toBeLessThan(1.5 * pages);
  });

  it('returns an error like any other when the export cannot begin', async () => {
    const { shop } = await aShopWithOrders(1, () => ({ items: null }));
    const response = await app.api.get(pathOf(shop), { token: shop.owner.token });
    expectError(response, 500, 'Something went wrong on our side');
    expect(response.headers['content-disposition']).toBeUndefined();
  });

  it('closes the connection when the export fails in the middle, so that nobody takes it for complete, and logs it', async () => {
    const { shop, ids } = await aShopWithOrders(3 * PAGE_SIZE, (index) =>
      index === 2 * PAGE_SIZE ? { items: null } : {},
    );
    const response = await openExport(shop);
    expect(response.statusCode).toBe(200);
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await expect(once(response, 'end')).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    expect(text).not.toContain(ids[2 * PAGE_SIZE + 1]);
    await eventually(() => Promise.resolve(/"level":"error".*"context":"StreamableFile"/.test(app.output())));
    expect(await read(await openExport((await aShopWithOrders(1)).shop))).toContain('paid');
  });
});

const anItem = (name: string): Document => ({
  productId: new ObjectId(),
  name,
  quantity: 1,
  listMinor: 999,
  saleMinor: 0,
  unitPriceMinor: 999,
  totalMinor: 999,
  discountMinor: 0,
  netMinor: 999,
  commandListId: new ObjectId(),
  requiresOnline: false,
  takesStock: false,
});
