import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Collection, MongoClient, ObjectId } from 'mongodb';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aWebhook, sendCustom, sendRaw, sendStripe, type TestWebhook, payment } from './senders.js';

const REJECTED = 'The webhook request has no valid signature, or its body cannot be read';
const STRIPE_SECRET = 'whsec_test_secret_of_an_endpoint';

let app: TestApp;
let database: MongoClient;
let shop: TestShop;
let goods: { productId: string; serverId: string };
let custom: TestWebhook;
let stripe: TestWebhook;

beforeAll(async () => {
  app = await startTestApp();
  database = await MongoClient.connect(app.databaseUri);
  shop = await aShop(app.api);
  goods = { productId: await aProduct(app.api, shop, { price: 19.99 }), serverId: await aServer(app.api, shop) };
  custom = await aWebhook(app.api, shop, 'custom');
  stripe = await aWebhook(app.api, shop, 'stripe', { signingSecret: STRIPE_SECRET });
});
afterAll(async () => {
  await database.close();
  await app.close();
});

interface OrderState {
  readonly status: string;
  readonly paymentStatus: string;
  readonly deliveryStatus: string;
}

const order = (): Promise<TestOrder> => anOrder(app.api, shop.shopId, goods);

/** The order as the public API returns it. */
async function stateOf({ id, accessToken }: TestOrder): Promise<OrderState> {
  const call = { headers: { 'X-Order-Token': accessToken } };
  const { status, paymentStatus, deliveryStatus } = expectSuccess<OrderState>(
    await app.api.get(`/orders/public/${id}`, call),
  );
  return { status, paymentStatus, deliveryStatus };
}

const OPEN: OrderState = { status: 'open', paymentStatus: 'pending', deliveryStatus: 'none' };
const PAID: OrderState = { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' };

const collection = (name: string): Collection => database.db().collection(name);

/** The ids of the events that were applied to an order. Applying one adds one entry to the audit log. */
async function appliedTo({ id }: TestOrder): Promise<unknown[]> {
  const applied = await collection('payment_events')
    .find({ orderId: new ObjectId(id), state: 'processed' })
    .toArray();
  const entries = { action: 'order.payment_changed', subjectId: id };
  expect(await collection('audit_log').countDocuments(entries)).toBe(applied.length);
  return applied.map(({ eventId }): unknown => eventId);
}

const result = (eventId: string, state: string, duplicate = false) => ({
  received: true,
  events: [{ eventId, state, duplicate }],
});

describe('POST /payments/webhooks/{provider}/{shopId}/{webhookSecret}', () => {
  describe('200', () => {
    it('accepts an empty body as a check that the webhook exists, and changes nothing', async () => {
      for (const body of [undefined, Buffer.alloc(0)]) {
        const response = await app.api.post(custom.path, body);
        expect(expectSuccess(response, 'Notification received')).toEqual({ received: false, events: [] });
      }
    });

    it('marks an order as paid and queues its deliveries', async () => {
      const bought = await order();
      const response = await sendCustom(app.api, custom, payment(bought), { eventId: 'msg_first' });
      expect(expectSuccess(response, 'Notification received')).toEqual(result('msg_first', 'processed'));
      expect(await stateOf(bought)).toEqual(PAID);
    });

    it('returns the same for a repeated event and changes nothing', async () => {
      const bought = await order();
      const again = { eventId: `msg_${bought.id}` };
      await sendCustom(app.api, custom, payment(bought), again);
      const response = await sendCustom(app.api, custom, payment(bought), again);
      expect(expectSuccess(response)).toEqual(result(again.eventId, 'processed', true));
      expect(await appliedTo(bought)).toEqual([again.eventId]);
    });

    it('returns 200 to each of 50 parallel copies of an event, with one effect', async () => {
      const bought = await order();
      const once = { eventId: `msg_${bought.id}` };
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => sendCustom(app.api, custom, payment(bought), once)),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
      expect(responses.filter(({ body }) => body.data.events[0].duplicate === false)).toHaveLength(1);
      expect(responses.every(({ body }) => body.data.events[0].state === 'processed')).toBe(true);
      expect(await appliedTo(bought)).toEqual([once.eventId]);
      const deliveries = { orderId: new ObjectId(bought.id) };
      expect(await collection('deliveries').countDocuments(deliveries)).toBe(1);
    });

    it('applies a repeated event that was stored before the process died', async () => {
      const bought = await order();
      const eventId = `msg_${bought.id}`;
      await sendCustom(app.api, custom, payment(bought, { type: 'payment.pending' }), { eventId });
      // The state after a process was killed between storing and applying the event.
      await collection('payment_events').updateOne({ eventId }, { $set: { state: 'received', settledAt: null } });
      await collection('orders').updateOne({ _id: new ObjectId(bought.id) }, { $set: { payments: [] } });
      await collection('audit_log').deleteMany({ action: 'order.payment_changed', subjectId: bought.id });
      const response = await sendCustom(app.api, custom, payment(bought, { type: 'payment.pending' }), { eventId });
      expect(expectSuccess(response)).toEqual(result(eventId, 'processed', true));
      expect(await appliedTo(bought)).toEqual([eventId]);
    });

    it.each<[string, object]>([
      ['too little', { amount: 19.98 }],
      ['too much', { amount: 20 }],
      ['another currency', { currency: 'USD' }],
    ])('marks an order that is paid with %s for review by a person', async (_, changes) => {
      const bought = await order();
      expectSuccess(await sendCustom(app.api, custom, payment(bought, changes)));
      expect(await stateOf(bought)).toEqual({ ...OPEN, paymentStatus: 'needs_review' });
    });

    it('stores an event of an unknown kind and does not change the order', async () => {
      const response = await sendCustom(app.api, custom, { type: 'customer.updated' }, { eventId: 'msg_unknown' });
      expect(expectSuccess(response)).toEqual(result('msg_unknown', 'ignored'));
    });

    it('stores an event of an unknown order as failed', async () => {
      const nobodys = payment({ ...(await order()), id: '655f1c2ab1e4a9d3f0c80000' });
      const response = await sendCustom(app.api, custom, nobodys, { eventId: 'msg_nobody' });
      expect(expectSuccess(response)).toEqual(result('msg_nobody', 'failed'));
    });

    it('never changes an order of another shop', async () => {
      const bought = await order();
      const elsewhere = await aShop(app.api);
      const theirs = await aWebhook(app.api, elsewhere, 'custom');
      const response = await sendCustom(app.api, theirs, payment(bought), { eventId: 'msg_foreign' });
      expect(expectSuccess(response)).toEqual(result('msg_foreign', 'failed'));
      expect(await stateOf(bought)).toEqual(OPEN);
      expect(await appliedTo(bought)).toEqual([]);
    });

    it('treats the same event id of two shops as two events', async () => {
      const [one, other] = [await order(), await order()];
      const same = { eventId: `evt_${one.id}` };
      await sendCustom(app.api, custom, payment(one), same);
      const intent = { id: 'pi_same', amount_received: 1999, currency: 'eur', metadata: { orderId: other.id } };
      expectSuccess(await sendStripe(app.api, stripe, 'payment_intent.succeeded', intent, same));
      expect([await stateOf(one), await stateOf(other)]).toEqual([PAID, PAID]);
    });

    it('accepts any content type, because the signature covers the bytes', async () => {
      const bought = await order();
      const headers = { 'Content-Type': 'text/plain; charset=latin1' };
      expectSuccess(await sendCustom(app.api, custom, payment(bought), { headers }));
      expect(await stateOf(bought)).toEqual(PAID);
    });

    it('needs no more database commands than designed', async () => {
      const bought = await order();
      const once = { eventId: `msg_${bought.id}` };
      const send = () => sendCustom(app.api, custom, payment(bought), once);
      const first = await app.commandsOf(send);
      // The configuration, into the inbox, the events of the payment; then what the order takes; then the inbox again.
      expect(first.slice(0, 3)).toEqual(['find', 'findAndModify', 'find']);
      expect(first.slice(-2)).toEqual(['update', 'commitTransaction']);
      expect(first.length).toBeLessThanOrEqual(12);
      expect(await app.commandsOf(send)).toEqual(['find', 'findAndModify']);
      expect(await app.commandsOf(() => app.api.post(custom.path, undefined))).toEqual(['find']);
    });
  });

  describe('200, stripe', () => {
    const events = ({ id }: TestOrder) => {
      const common = { payment_intent: `pi_${id}`, currency: 'eur', metadata: {} };
      const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 8, minute));
      return [
        {
          type: 'checkout.session.completed',
          object: { ...common, id: `cs_${id}`, payment_status: 'paid', amount_total: 1999, client_reference_id: id },
          at: at(1),
        },
        {
          type: 'payment_intent.succeeded',
          object: { ...common, id: `pi_${id}`, amount_received: 1999 },
          at: at(2),
        },
        { type: 'charge.refunded', object: { ...common, id: `ch_${id}`, amount_refunded: 500 }, at: at(3) },
        {
          type: 'charge.dispute.created',
          object: { ...common, id: `dp_${id}`, charge: 'ch', amount: 1999 },
          at: at(4),
        },
        {
          type: 'charge.dispute.closed',
          object: { ...common, id: `dp_${id}`, charge: 'ch', amount: 1999, status: 'won' },
          at: at(5),
        },
      ] as const;
    };

    it('counts the session and the intent of one payment as one payment', async () => {
      const bought = await order();
      for (const { type, object, at } of events(bought).slice(0, 2)) {
        expectSuccess(await sendStripe(app.api, stripe, type, object, { at }));
      }
      expect(await stateOf(bought)).toEqual(PAID);
      expect(await appliedTo(bought)).toHaveLength(2);
    });

    it.each([[[0, 1, 2, 3, 4]], [[4, 3, 2, 1, 0]], [[2, 3, 4, 1, 0]], [[3, 0, 4, 2, 1]], [[1, 4, 0, 3, 2]]])(
      'reaches the same state when the events of an order arrive as %j, although only one of them names the order',
      async (arrival) => {
        const bought = await order();
        for (const at of arrival) {
          const event = events(bought)[at];
          if (event) expectSuccess(await sendStripe(app.api, stripe, event.type, event.object, { at: event.at }));
        }
        expect(await appliedTo(bought)).toHaveLength(5);
        expect(await stateOf(bought)).toEqual({ ...PAID, paymentStatus: 'partially_refunded' });
      },
    );

    it('applies all of 120 events that waited for the one that names their order, and keeps the order small', async () => {
      const bought = await order();
      const [paid, , refund] = events(bought);
      const cumulative = (index: number): object => ({ ...refund.object, amount_refunded: index });
      for (let index = 1; index <= 120; index++) {
        expectSuccess(await sendStripe(app.api, stripe, refund.type, cumulative(index), { at: refund.at }));
      }
      expect(await appliedTo(bought)).toEqual([]);
      expectSuccess(await sendStripe(app.api, stripe, paid.type, paid.object, { at: paid.at }));
      expect(await appliedTo(bought)).toHaveLength(121);
      expect(await stateOf(bought)).toMatchObject({ status: 'completed', paymentStatus: 'needs_review' });
      const stored = await collection('orders').findOne({ _id: new ObjectId(bought.id) });
      expect([stored?.['payments'].length, stored?.['history'].length]).toEqual([102, 100]);
    });

    it('reaches the same state when they arrive in parallel', async () => {
      const bought = await order();
      const sent = await Promise.all(
        events(bought).map(({ type, object, at }) => sendStripe(app.api, stripe, type, object, { at })),
      );
      expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(await appliedTo(bought)).toHaveLength(5);
      expect(await stateOf(bought)).toEqual({ ...PAID, paymentStatus: 'partially_refunded' });
    });
  });

  describe('400', () => {
    it.each<[string, (webhook: TestWebhook, body: string) => Promise<Parameters<typeof expectError>[0]>]>([
      ['no signature', ({ path }, body) => sendRaw(app.api, path, body)],
      ['a body of blanks', ({ path }) => sendRaw(app.api, path, '  ')],
      [
        'a signature of another secret',
        (webhook, body) =>
          sendCustom(app.api, { ...webhook, signingSecret: `whsec_${Buffer.alloc(24).toString('base64')}` }, body),
      ],
      [
        'a signature that is 301 seconds old',
        (webhook, body) => sendCustom(app.api, webhook, body, { at: new Date(Date.now() - 301_500) }),
      ],
      [
        "another provider's way to sign",
        ({ path }, body) => sendRaw(app.api, path, body, { 'Stripe-Signature': `t=1,v1=${'0'.repeat(64)}` }),
      ],
    ])('rejects %s, and stores nothing', async (_, send) => {
      const bought = await order();
      const before = await collection('payment_events').countDocuments();
      expectError(await send(custom, JSON.stringify(payment(bought))), 400, REJECTED);
      expect(await collection('payment_events').countDocuments()).toBe(before);
      expect(await stateOf(bought)).toEqual(OPEN);
    });

    it.each<[string, string, string]>([
      ['malformed JSON', '{"type":', 'The webhook request cannot be read: the body must be JSON in UTF-8'],
      ['a list', '[]', 'The webhook request cannot be read: the body must be a JSON object'],
      ['JSON of 5,000 levels', '['.repeat(5_000), 'The body nests deeper than 16 levels or has more than 1000 keys'],
      [
        'an operator for the order',
        '{"type":"payment.succeeded","orderId":{"$ne":1}}',
        'The webhook request cannot be read: orderId must be an ObjectId',
      ],
      [
        'an unknown field',
        '{"type":"payment.succeeded","total":1}',
        'The webhook request cannot be read: total is not a known field',
      ],
    ])('rejects %s although it is signed, and says what is wrong', async (_, body, error) => {
      expectError(await sendCustom(app.api, custom, body), 400, error);
    });

    it('rejects a malformed shop id', async () => {
      const path = `/payments/webhooks/custom/not-an-id/${custom.secret}`;
      expectError(
        await app.api.post(path, undefined),
        400,
        'An identifier in the path is not an ObjectId of 24 hexadecimal digits',
        '/api/v2/payments/webhooks/custom/not-an-id/[redacted]',
      );
    });
  });

  describe('404', () => {
    it('returns the same for a wrong secret, an unknown shop, and a provider that is unknown, not configured or switched off', async () => {
      const off = await aShop(app.api);
      const { secret } = await aWebhook(app.api, off, 'custom');
      await app.api.put(`/payments/${off.shopId}/providers/custom`, { enabled: false }, { token: off.owner.token });
      const paths = [
        `custom/${shop.shopId}/${'A'.repeat(43)}`,
        `custom/${shop.shopId}/${custom.secret.slice(0, -1)}`,
        `custom/${shop.shopId}/${custom.secret}A`,
        `custom/${shop.shopId}/${custom.secret.toLowerCase()}`,
        `custom/655f1c2ab1e4a9d3f0c80000/${custom.secret}`,
        `stripe/${shop.shopId}/${custom.secret}`,
        `stripe/${off.shopId}/${secret}`,
        `venmo/${shop.shopId}/${custom.secret}`,
        `custom/${off.shopId}/${secret}`,
      ];
      for (const path of paths) {
        const [provider = '', shopId = ''] = path.split('/');
        const constant = [
          404,
          'There is no such webhook',
          `/api/v2/payments/webhooks/${provider}/${shopId}/[redacted]`,
        ] as const;
        expectError(await app.api.post(`/payments/webhooks/${path}`, undefined), ...constant);
        expectError(await sendRaw(app.api, `/payments/webhooks/${path}`, '{}'), ...constant);
      }
    });
  });

  it('returns 405 for other methods, 413 for a large body, 415 for compression, and never the secret', async () => {
    const shown = `/api/v2/payments/webhooks/custom/${shop.shopId}/[redacted]`;
    expectError(await app.api.get(custom.path), 405, 'The endpoint does not support this method', shown);
    expectError(await app.api.get(`${custom.path}/more`), 404, 'There is no such endpoint', `${shown}/more`);
    expectError(await sendRaw(app.api, custom.path, 'x'.repeat(256 * 1024 + 1)), 413, 'The body is too large', shown);
    const zipped = await sendRaw(app.api, custom.path, '{}', { 'Content-Encoding': 'gzip' });
    expectError(zipped, 415, /./, shown);
  });

  it('logs neither a path secret, nor a signing secret, nor a body', () => {
    const all = app.output();
    expect(all).toContain('/api/v2/payments/webhooks/:provider/:shopId/:webhookSecret');
    for (const secret of [custom.secret, custom.signingSecret, STRIPE_SECRET, stripe.secret, 'client_reference_id']) {
      expect(all).not.toContain(secret);
    }
  });

  it('stores the event with its times and its state', async () => {
    const stored = await collection('payment_events').findOne({ eventId: 'msg_first' }, { projection: { _id: 0 } });
    expect(JSON.parse(JSON.stringify(stored))).toEqual({
      shopId: shop.shopId,
      provider: 'custom',
      eventId: 'msg_first',
      kind: 'payment.succeeded',
      state: 'processed',
      failure: null,
      attempts: 1,
      orderId: expect.any(String),
      paymentId: expect.stringMatching(/^pay_/),
      payment: {
        type: 'payment.succeeded',
        amountMinor: 1999,
        currency: 'EUR',
        occurredAt: '2026-11-21T08:00:00.000Z',
        cumulative: false,
      },
      receivedAt: anInstant,
      settledAt: anInstant,
      forgetAt: null,
    });
  });
});
