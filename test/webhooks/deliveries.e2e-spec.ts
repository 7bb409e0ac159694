import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { Webhook as Verifier } from 'standardwebhooks';
import { timePositionOf } from '../../src/lib/paging/time-position.js';
import { payWithTest } from '../payments/paid-orders.js';
import { aWebhook } from '../payments/senders.js';
import { aKey, anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

interface Webhook {
  readonly id: string;
  readonly secret: string;
  readonly isActive: boolean;
  readonly failingSince: string | null;
  readonly disabledAt: string | null;
}

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly eventId: string;
  readonly state: string;
  readonly attempts: {
    readonly status: number | null;
    readonly error: string | null;
    readonly response: string | null;
  }[];
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('Deliveries of webhooks', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let shop: TestShop;
  let token: string;
  let orderRequest: { productId: string; serverId: string };

  const create = async (body: object = {}): Promise<Webhook> =>
    expectSuccess<Webhook>(
      await app.api.post(
        `/webhooks/${shop.shopId}`,
        { url: `${receiver.url}/${shop.shopId}`, events: ['order.created'], ...body },
        { token },
      ),
    );
  const at = ({ id }: Pick<Webhook, 'id'>): string => `/webhooks/${shop.shopId}/${id}`;
  const read = async (webhook: Webhook): Promise<Webhook> =>
    expectSuccess<Webhook>(await app.api.get(at(webhook), { token }));
  const deliveries = async (webhook: Webhook, query = ''): Promise<Delivery[]> =>
    expectSuccess<Delivery[]>(await app.api.get(`${at(webhook)}/deliveries${query}`, { token }));
  const order = (): Promise<TestOrder> => anOrder(app.api, shop.shopId, orderRequest);
  const post = (webhook: Webhook, path: string, body: object = {}): Promise<Response> =>
    app.api.post(`${at(webhook)}/${path}`, body, { token });
  /** The requests of the shop of the test: webhooks of earlier tests may be retried. */
  const ofShop = (): ReceivedWebhook[] => receiver.received.filter(({ path }) => path.endsWith(shop.shopId));
  const received = async (count: number): Promise<ReceivedWebhook[]> => {
    await eventually(() => Promise.resolve(ofShop().length >= count));
    return ofShop();
  };
  const ended = async (webhook: Webhook, state: string): Promise<Delivery[]> => {
    return eventually(async () => {
      const all = await deliveries(webhook);
      return all.length > 0 && all.every((one) => one.state === state) && all;
    });
  };
  const change = (webhook: Webhook, set: object): Promise<unknown> =>
    inDatabase(app, (db) => db.collection('webhooks').updateOne({ _id: idOf(webhook.id) }, { $set: set }));
  /** Rejects what is sent from now on. A retry takes place when the spec makes it due, and not in 5 s, which pass on a slow machine. */
  const reject = (status: number, body = '', headers: object = {}): void =>
    receiver.respond((response) => response.writeHead(status, { 'retry-after': '3600', ...headers }).end(body));
  /** Makes what was rejected due now, as soon as the outbox has recorded that. */
  const makeDue = (fields: object = {}): Promise<true> =>
    eventually(() =>
      inDatabase(app, async (db) => {
        const dueAt = { $gt: new Date(Date.now() + HOUR_MS / 2) };
        const rejected = { topic: 'webhook', state: 'waiting', shopId: idOf(shop.shopId), dueAt };
        const due = { $set: { dueAt: new Date(0), ...fields } };
        return (await db.collection('outbox').updateMany(rejected, due)).modifiedCount > 0;
      }),
    );
  const typeOf = ({ body }: ReceivedWebhook): string => (JSON.parse(body) as { type: string }).type;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    app = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true' }, config: { sweepIntervalMs: 50 } });
  });
  beforeEach(async () => {
    shop = await aShop(app.api);
    token = shop.owner.token;
    orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
    receiver.respond((response) => response.writeHead(200).end('thanks'));
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  it('signs deliveries as the reference library expects, and logs the status, the time and the response', async () => {
    const webhook = await create();
    const { id, total } = await order();
    const [request] = await received(1);
    expect(request).toBeDefined();
    const body = new Verifier(webhook.secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
    expect(body).toEqual({
      type: 'order.created',
      timestamp: anInstant,
      shopId: shop.shopId,
      data: { order: expect.objectContaining({ id, total, paymentStatus: 'pending', nickname: 'Steve_42' }) },
    });
    expect(request?.body).not.toContain('@example.com');
    const [delivery] = await ended(webhook, 'delivered');
    expect(delivery).toEqual({
      id: anId,
      type: 'order.created',
      eventId: request?.headers['webhook-id'],
      state: 'delivered',
      attempts: [{ at: anInstant, status: 200, error: null, durationMs: expect.any(Number), response: 'thanks' }],
      nextAttemptAt: null,
      createdAt: anInstant,
    });
  });

  it('delivers only the events that the webhook selects, in the order in which they happened to an order', async () => {
    const [all, paid] = [await create({ events: ['*'] }), await create({ events: ['order.paid'] })];
    await aWebhook(app.api, shop, 'test');
    const bought = await order();
    await payWithTest(app.api, bought);
    await eventually(async () => (await deliveries(all, '?state=delivered')).length === 2);
    expect((await deliveries(all)).map(({ type }) => type)).toEqual(['order.paid', 'order.created']);
    expect((await ended(paid, 'delivered')).map(({ type }) => type)).toEqual(['order.paid']);
    const ofAll = ofShop().map(typeOf);
    expect(ofAll.indexOf('order.created')).toBeLessThan(ofAll.indexOf('order.paid'));
    const elsewhere = await aShop(app.api);
    await anOrder(app.api, elsewhere.shopId, {
      productId: await aProduct(app.api, elsewhere),
      serverId: await aServer(app.api, elsewhere),
    });
    expect(await deliveries(all)).toHaveLength(2);
  });

  it('delivers events of the team and of API keys, with who changed them', async () => {
    const webhook = await create({ events: ['api_key.created'] });
    const { id } = await aKey(app.api, shop);
    const [request] = await received(1);
    const principal = `user:${shop.owner.userId}`;
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ type: 'api_key.created', data: { id, principal } });
    await ended(webhook, 'delivered');
  });

  it('signs deliveries with both secrets until the grace period of a rotation ends', async () => {
    const webhook = await create();
    const { secret } = expectSuccess<Webhook>(await post(webhook, 'rotate-secret', { graceSeconds: 3_600 }));
    expectSuccess(await post(webhook, 'test'));
    const [both] = await received(1);
    for (const one of [webhook.secret, secret]) {
      expect(new Verifier(one).verify(both?.body ?? '', both?.headers as Record<string, string>)).toBeTruthy();
    }
    await change(webhook, { previousSecretUntil: new Date() });
    expectSuccess(await post(webhook, 'test'));
    const [, alone] = await received(2);
    expect(alone?.headers['webhook-signature']).not.toContain(' ');
    expect(new Verifier(secret).verify(alone?.body ?? '', alone?.headers as Record<string, string>)).toBeTruthy();
  });

  it('retries a delivery with the same id and body until the receiver takes it', async () => {
    const webhook = await create();
    reject(500, 'x'.repeat(2_000));
    await order();
    await received(1);
    await eventually(async () => (await deliveries(webhook))[0]?.attempts.length === 1);
    const [failed] = await deliveries(webhook);
    expect(failed).toMatchObject({
      state: 'waiting',
      nextAttemptAt: anInstant,
      attempts: [{ status: 500, response: 'x'.repeat(1_024) }],
    });
    expect((await read(webhook)).failingSince).toEqual(anInstant);
    receiver.respond((response) => response.writeHead(204).end());
    await makeDue();
    const [first, second] = await received(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    const [delivery] = await ended(webhook, 'delivered');
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 204]);
    expect((await read(webhook)).failingSince).toBeNull();
  });

  it('follows no redirect', async () => {
    const webhook = await create();
    reject(302, '', { location: '/secret' });
    await order();
    await eventually(async () => (await deliveries(webhook))[0]?.attempts.length === 1);
    expect(await deliveries(webhook)).toMatchObject([{ state: 'waiting', attempts: [{ status: 302 }] }]);
    expect(ofShop()).toHaveLength(1);
  });

  it('switches the webhook off at the response 410; the owners get an email, and the shop an entry in its log', async () => {
    const webhook = await create({ description: 'Accounting' });
    receiver.respond((response) => response.writeHead(410).end());
    await order();
    await ended(webhook, 'failed');
    expect(await read(webhook)).toMatchObject({ isActive: false, disabledAt: anInstant });
    const [entry] = expectSuccess<object[]>(await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { token }));
    const [said] = await app.mailbox.next(shop.owner.email, /^.*no longer accepts events.*$/m);
    expect(said).toContain('Accounting');
    expect(entry).toMatchObject({ action: 'webhook.disabled', actor: { type: 'system' }, subjectId: webhook.id });
    await order();
    expect(await deliveries(webhook)).toHaveLength(1);
    expectError(await post(webhook, `deliveries/${webhook.id}/replay`), 409, 'The webhook is switched off');
    const back = await app.api.patch(at(webhook), { isActive: true }, { token });
    expect(expectSuccess(back)).toMatchObject({ isActive: true, disabledAt: null, failingSince: null });
  });

  it('switches the webhook off after five days of failures when the attempts of one delivery are over, and not before', async () => {
    const webhook = await create();
    reject(500);
    const lastAttempt = async (): Promise<void> => {
      await order();
      await eventually(async () => (await deliveries(webhook, '?state=waiting'))[0]?.attempts.length === 1);
      await inDatabase(app, (db) =>
        db.collection('webhook_deliveries').updateMany({ state: 'waiting' }, { $set: { failures: 9 } }),
      );
      await makeDue();
      await ended(webhook, 'failed');
    };
    await lastAttempt();
    expect(await read(webhook)).toMatchObject({ isActive: true, failingSince: anInstant });
    await change(webhook, { failingSince: new Date(Date.now() - 5 * DAY_MS) });
    await lastAttempt();
    expect(await read(webhook)).toMatchObject({ isActive: false, disabledAt: anInstant });
  });

  it('replays deliveries that have ended with the same id and body, one or those of a time range', async () => {
    const webhook = await create();
    await order();
    await order();
    await received(2);
    const [second, first] = await ended(webhook, 'delivered');
    const again = expectSuccess<Delivery>(await post(webhook, `deliveries/${first?.id ?? ''}/replay`));
    expect(again).toMatchObject({ id: first?.id, state: 'waiting' });
    const requests = await received(3);
    const [sent, replayed] = requests.filter(({ headers }) => headers['webhook-id'] === first?.eventId);
    expect(replayed).toBe(requests[2]);
    expect(replayed?.body).toBe(sent?.body);
    await ended(webhook, 'delivered');
    const from = second?.createdAt ?? '';
    const to = new Date(Date.now() + 1_000).toISOString();
    expect(expectSuccess(await post(webhook, 'deliveries/replay', { from, to }))).toEqual({ replayed: 1, next: null });
    expect((await received(4))[3]?.headers['webhook-id']).toBe(second?.eventId);
    const attempts = (await ended(webhook, 'delivered')).map((delivery) => delivery.attempts.length);
    expect(attempts).toEqual([2, 2]);
    const position = timePositionOf({ createdAt: new Date(from), id: second?.id ?? '' });
    const cursor = Buffer.from(position, 'hex').toString('base64url');
    const rest = await post(webhook, 'deliveries/replay', { from: first?.createdAt, to, cursor });
    expect(expectSuccess(rest)).toEqual({ replayed: 0, next: null });
    const forged = await post(webhook, 'deliveries/replay', { from, to, cursor: from });
    expectError(forged, 400, 'cursor must be `next` of a previous response');
    expectError(await post(webhook, 'deliveries/replay', { from: to, to: from }), 400, 'to must be after from');
  });

  it('rejects the replay of a delivery that waits, and hides those of another webhook or shop', async () => {
    const [webhook, other] = [await create(), await create({ events: ['order.paid'] })];
    reject(500);
    await order();
    await eventually(async () => (await deliveries(webhook))[0]?.attempts.length === 1);
    const [delivery] = await deliveries(webhook);
    const path = `deliveries/${delivery?.id ?? ''}/replay`;
    expectError(await post(webhook, path), 409, 'The delivery has not been sent yet');
    expectError(await post(other, path), 404, 'There is no such webhook delivery');
    const stranger = { token: (await aShop(app.api)).owner.token };
    expectError(await app.api.get(`${at(webhook)}/deliveries`, stranger), 403, /.*/);
  });

  it('delivers to a channel of Discord messages that mention nobody', async () => {
    await create({ format: 'discord' });
    await order();
    const [request] = await received(1);
    expect(JSON.parse(request?.body ?? '')).toEqual({
      embeds: [
        {
          title: 'An order was placed',
          description: expect.stringMatching(/^Steve\\_42\n1 × VIP rank\n/),
          timestamp: anInstant,
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  it('sends no delivery of a webhook which staff switched off, and says why in the log until it is replayed', async () => {
    const webhook = await create();
    reject(500);
    await order();
    await eventually(async () => (await deliveries(webhook))[0]?.attempts.length === 1);
    expectSuccess(await app.api.patch(at(webhook), { isActive: false }, { token }));
    await makeDue();
    const [delivery] = await ended(webhook, 'failed');
    const unsent = { at: anInstant, status: null, error: 'switched_off', durationMs: 0, response: null };
    expect(delivery).toMatchObject({ nextAttemptAt: null, attempts: [{ status: 500 }, unsent] });
    expect(ofShop()).toHaveLength(1);
    receiver.respond((response) => response.writeHead(204).end());
    expectSuccess(await app.api.patch(at(webhook), { isActive: true }, { token }));
    expectSuccess(await post(webhook, `deliveries/${delivery?.id ?? ''}/replay`));
    expect((await received(2))[1]?.headers['webhook-id']).toBe(delivery?.eventId);
  });

  it('ends deliveries after days when their messages cannot be decrypted: the log says it, later ones are sent, and they can be replayed', async () => {
    const webhook = await create({ events: ['*'] });
    await aWebhook(app.api, shop, 'test');
    reject(500);
    const bought = await order();
    const untilAttempts = (count: number): Promise<true> =>
      eventually(async () => (await deliveries(webhook, '?state=waiting'))[0]?.attempts.length === count);
    /** What was rejected has its last attempt now, and cannot be decrypted. */
    const damage = (): Promise<true> => makeDue({ sealedPayload: 'damaged', attempts: 99 });
    const given = expect.objectContaining({ status: null, error: 'service_failed' }) as unknown;
    await untilAttempts(1);
    receiver.respond((response) => response.writeHead(204).end());
    await damage();
    const [created] = await ended(webhook, 'failed');
    expect(created).toMatchObject({ type: 'order.created', nextAttemptAt: null, attempts: [{ status: 500 }, given] });
    await payWithTest(app.api, bought);
    await eventually(async () => (await deliveries(webhook, '?state=delivered')).length === 1);
    // A replay has another message.
    reject(500);
    const replay = (): Promise<Response> => post(webhook, `deliveries/${created?.id ?? ''}/replay`);
    expectSuccess(await replay());
    await untilAttempts(3);
    await damage();
    await eventually(async () => (await deliveries(webhook, '?state=failed'))[0]?.attempts.length === 4);
    receiver.respond((response) => response.writeHead(204).end());
    expectSuccess(await replay());
    await ended(webhook, 'delivered');
  });

  it('sends no more deliveries of a deleted webhook', async () => {
    const webhook = await create();
    reject(500);
    await order();
    await eventually(async () => (await deliveries(webhook))[0]?.attempts.length === 1);
    expectSuccess(await app.api.delete(at(webhook), { token }));
    await makeDue();
    await eventually(() =>
      inDatabase(app, async (db) => {
        const waiting = { topic: 'webhook', state: 'waiting', shopId: idOf(shop.shopId) };
        return (await db.collection('outbox').countDocuments(waiting)) === 0;
      }),
    );
    expect(ofShop()).toHaveLength(1);
  });
});
