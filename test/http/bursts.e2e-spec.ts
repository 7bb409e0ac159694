import { get } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { CONCURRENCY, REQUEST_SLOTS } from '../../src/domain/limits/concurrency.js';
import { type DatabaseGate, databaseGate } from '../payments/database-gate.js';
import { aWebhook, payment, sendCustom } from '../payments/senders.js';
import { aKey, anOrder, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { type Held } from '../support/gate.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

const { perCaller, total, waiting } = REQUEST_SLOTS;
const TOO_MANY =
  'At most 16 requests of one API key, person or address run at once, and 64 more wait; send the next one when one has finished';

let addresses = 0;
/** An address that no other test uses. */
const anAddress = (): string => `203.0.113.${++addresses}`;

/** Requests that are sent at once. */
class Burst {
  readonly responses: Response[] = [];
  readonly all: Promise<unknown>;

  constructor(count: number, send: (index: number) => Promise<Response>) {
    const sends = Array.from({ length: count }, async (_, index) => this.responses.push(await send(index)));
    this.all = Promise.all(sends);
  }

  /** The statuses so far, each with its number. */
  get statuses(): Record<number, number> {
    const counts: Record<number, number> = {};
    for (const { status } of this.responses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }
}

/** Commands about one product reach the database only when the test says so. So requests for it run as long as a test needs. */
describe('A burst of one caller', () => {
  let databaseUri: string;
  let gate: DatabaseGate;
  let app: TestApp;
  let shop: TestShop;
  let slow: string;
  let fast: string;
  let held: Held;
  let address: string;

  const from = (ip = address): { headers: Record<string, string> } => ({ headers: { 'X-Forwarded-For': ip } });
  const read = (key: string, productId = slow, ip = address): Promise<Response> =>
    app.api.get(`/products/${shop.shopId}/${productId}`, { key, ...from(ip) });
  /** Waits for something while health checks are served. */
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) expectSuccess(await app.api.get('/health/live'));
  };
  const newKey = async (): Promise<string> => (await aKey(app.api, shop)).key;

  beforeAll(async () => {
    databaseUri = testDatabaseUri();
    gate = await databaseGate(databaseUri);
    const env = { TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '1', TIME_LIMIT_FACTOR: '100' };
    app = await startTestApp({ databaseUri: gate.uri, env });
    shop = await aShop(app.api);
    [slow, fast] = [await aProduct(app.api, shop), await aProduct(app.api, shop)];
    await aWebhook(app.api, shop, 'test');
  });
  beforeEach(() => {
    address = anAddress();
    held = gate.hold(Buffer.from(slow, 'hex'));
  });
  afterEach(() => {
    held.release();
  });
  afterAll(async () => {
    await app.close();
    await gate.close();
    await inDatabase({ databaseUri }, (db) => db.dropDatabase());
  });

  it('makes only this key wait, and is rejected in part: other keys at the same address, people and health checks are served', async () => {
    const [key, other] = [await newKey(), await newKey()];
    const burst = new Burst(perCaller + waiting + 5, () => read(key));
    await until(() => burst.responses.length === 5);
    expect(held.count()).toBe(perCaller);
    for (let number = 0; number < 30; number++) expectSuccess(await read(other, fast));
    expectSuccess(await app.api.get(`/shops/${shop.shopId}`, { token: shop.owner.token, ...from() }));
    expectSuccess(await app.api.get('/health/ready', from()));
    for (const rejected of burst.responses) {
      expectError(rejected, 429, TOO_MANY);
      expect([rejected.headers['retry-after'], rejected.headers['x-error-code']]).toEqual(['1', 'too_many_at_once']);
    }
    held.release();
    await burst.all;
    expect(burst.statuses).toEqual({ 200: perCaller + waiting, 429: 5 });
  });

  it('gains nothing when its clients leave at once: a request counts until its handler has ended', async () => {
    const key = await newKey();
    const leaving = Array.from({ length: perCaller + 10 }, () => {
      const headers = { 'X-API-Key': key, 'X-Forwarded-For': address };
      return get(`${app.baseUrl}/api/v2/products/${shop.shopId}/${slow}`, { headers }).on('error', () => undefined);
    });
    await until(() => held.count() === perCaller);
    await Promise.all(leaving.map((request) => new Promise((resolve) => request.on('close', resolve).destroy())));
    const next = new Burst(1, () => read(key));
    for (let number = 0; number < 30; number++) expectSuccess(await read(await newKey(), fast));
    expect([held.count(), next.responses]).toEqual([perCaller, []]);
    held.release();
    await next.all;
    expect(next.statuses).toEqual({ 200: 1 });
  });

  it('waits with the bursts of others for the slots of all, and nobody is rejected who sends little', async () => {
    const keys = await Promise.all(Array.from({ length: total / perCaller }, newKey));
    const stranger = await newKey();
    const bursts = keys.map((key) => new Burst(perCaller + 10, () => read(key, slow, anAddress())));
    await until(() => held.count() === total);
    const [reads, ready] = [new Burst(5, () => read(stranger, fast)), await app.api.get('/health/ready')];
    expectSuccess(ready);
    expect(reads.responses).toEqual([]);
    held.release();
    await Promise.all([reads, ...bursts].map(({ all }) => all));
    expect(reads.statuses).toEqual({ 200: 5 });
    for (const { statuses } of bursts) expect(statuses).toEqual({ 200: perCaller + 10 });
  });

  /** A visitor who has filled the basket of the storefront, from an address of its own. @returns sends its form */
  const aVisitor = async (serverId: string): Promise<() => Promise<Response>> => {
    const start = `/shops/${shop.uniqueName}`;
    let cookie = '';
    const visit = async (method: 'get' | 'post', path: string, form: object = {}): Promise<Response> => {
      const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie, 'X-Forwarded-For': visitor };
      const sent = request(app.baseUrl)
        [method](start + path)
        .set(headers);
      const response = await (method === 'get' ? sent : sent.type('form').send(form));
      cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? cookie;
      return response;
    };
    const [visitor, nickname] = [anAddress(), `N${unique()}`];
    await visit('post', '/basket/items', { productId: slow, serverId });
    await visit('post', '/name', { nickname });
    const { text } = await visit('get', '/basket');
    const hidden = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
    const form = { nickname, code: '', email: `${nickname}@example.com`, provider: 'test' };
    return () => visit('post', '/checkout', { ...form, digest: hidden('digest'), key: hidden('key') });
  };

  it('runs a number of checkouts of a shop at once, those of its storefront too, and those of another shop meanwhile', async () => {
    const other = await aShop(app.api);
    const place = async (of: TestShop, productId: string): Promise<() => Promise<Response>> => {
      const serverId = await aServer(app.api, of);
      return () => {
        const nickname = `N${unique()}`;
        const buyer = { nickname, email: `${nickname}@example.com` };
        const body = { items: [{ productId, quantity: 1 }], serverId, ...buyer };
        return app.api.post(`/checkout/${of.shopId}/orders`, body, from(anAddress()));
      };
    };
    const elsewhere = await place(other, await aProduct(app.api, other));
    const [byApi, serverId] = [await place(shop, slow), await aServer(app.api, shop)];
    held.release();
    const visitors = await Promise.all(Array.from({ length: 6 }, () => aVisitor(serverId)));
    held = gate.hold(Buffer.from(slow, 'hex'));
    const checkouts = new Burst(CONCURRENCY.checkout.running + 8, (index) => visitors[index]?.() ?? byApi());
    await until(() => held.count() === CONCURRENCY.checkout.running);
    for (let number = 0; number < 10; number++) expectSuccess(await elsewhere());
    expect([held.count(), checkouts.responses]).toEqual([CONCURRENCY.checkout.running, []]);
    held.release();
    await checkouts.all;
    expect(checkouts.statuses).toEqual({ 200: CONCURRENCY.checkout.running + 8 });
  });

  it('counts the webhooks of payments for their path secret, so that another one at the same address does not wait', async () => {
    const serverId = await aServer(app.api, shop);
    const [webhook, other] = [
      await aWebhook(app.api, shop, 'custom'),
      await aWebhook(app.api, await aShop(app.api), 'custom'),
    ];
    const order = await anOrder(app.api, shop.shopId, { productId: fast, serverId });
    held.release();
    held = gate.hold(Buffer.from('payment_events'), Buffer.from(order.id, 'hex'));
    const burst = new Burst(perCaller + waiting + 5, () => sendCustom(app.api, webhook, payment(order), from()));
    await until(() => burst.responses.length === 5);
    expect(held.count()).toBe(perCaller);
    for (let number = 0; number < 10; number++) {
      expectSuccess(await sendCustom(app.api, other, { type: 'anything' }, from()));
      expectSuccess(await read(await newKey(), fast));
    }
    held.release();
    await burst.all;
    expect(burst.statuses).toEqual({ 200: perCaller + waiting, 429: 5 });
  });

  it('takes no slot for the calls of the service to itself, which the provider `test` makes', async () => {
    const serverId = await aServer(app.api, shop);
    const pages = await Promise.all(
      Array.from({ length: perCaller + 8 }, async () => {
        const ip = anAddress();
        const order = await anOrder(app.api, shop.shopId, { productId: fast, serverId }, from(ip));
        const headers = { 'X-Order-Token': order.accessToken, ...from(ip).headers };
        const started = await app.api.post(`/orders/public/${order.id}/payment`, { provider: 'test' }, { headers });
        return { path: new URL(expectSuccess<{ url: string }>(started).url).pathname.replace('/api/v2', ''), ip };
      }),
    );
    held.release();
    // What the webhook stores, and not what the page reads before it.
    held = gate.hold(
      ...['findAndModify', 'payment_events'].map((name) => Buffer.from(name)),
      Buffer.from(shop.shopId, 'hex'),
    );
    const burst = new Burst(pages.length, (index) => {
      const { path = '', ip } = pages[index] ?? {};
      return app.api.call('post', `${path}/succeed`, from(ip));
    });
    // One more than the slots of an address. Not all of them: a notification ends 6 s after it was sent.
    await until(() => held.count() > perCaller);
    held.release();
    await burst.all;
    expect(burst.statuses).toEqual({ 303: pages.length });
  });
});
