import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { DAY_MS, MINUTE_MS } from '../../src/lib/time/durations.js';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createPayment, PAID, payWithStripe, payWithTest, stateOf } from '../payments/paid-orders.js';
import { aWebhook, payment, sendCustom, sendStripe, type TestWebhook } from '../payments/senders.js';
import { type StripeApi, startStripeApi } from '../payments/stripe-api.js';

interface Refund {
  readonly id: string;
  readonly refundId: string | null;
  readonly amount: number;
  readonly state: string;
  readonly failure: string | null;
}

const SIGNING_SECRET = 'whsec_test_secret_of_an_endpoint';
const SECRET_KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

const UNAVAILABLE = 'The payment provider is not available; try again shortly';

let app: TestApp;
let stripe: StripeApi;
let stripeWebhook: TestWebhook;
let custom: TestWebhook;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };
let order: TestOrder;

const token = (): string => shop.owner.token;
const path = ({ id } = order): string => `/payments/${shop.shopId}/${id}`;
const refund = (body: object, key?: string): Promise<Response> =>
  app.api.post(
    `${path()}/refund`,
    { reason: 'Bought twice', ...body },
    { token: token(), ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }) },
  );
const refunds = async (): Promise<Refund[]> =>
  expectSuccess<Refund[]>(await app.api.get(`${path()}/refunds`, { token: token() }), 'Refunds retrieved');
const paymentStatus = async (): Promise<string> => (await stateOf(app.api, order)).paymentStatus;
/** Makes what the jobs wait for due now. */
const letTimePass = (collection: 'payments' | 'refunds', fields: object = {}): Promise<unknown> =>
  inDatabase(app, (database) =>
    database.collection(collection).updateOne({ orderId: idOf(order.id) }, { $set: { dueAt: new Date(0), ...fields } }),
  );

async function payAtStripe(): Promise<string> {
  const intent = await payWithStripe(app.api, stripe, stripeWebhook, order);
  expect(await paymentStatus()).toBe('paid');
  return intent;
}

beforeAll(async () => {
  stripe = await startStripeApi();
  app = await startTestApp({
    env: { PROVIDER_URLS: `stripe=${stripe.url}` },
    config: { sweepIntervalMs: 100 },
  });
  shop = await aShop(app.api);
  orderRequest = { productId: await aProduct(app.api, shop, { price: 19.99 }), serverId: await aServer(app.api, shop) };
  custom = await aWebhook(app.api, shop, 'custom');
  stripeWebhook = await aWebhook(app.api, shop, 'stripe', { signingSecret: SIGNING_SECRET, secretKey: SECRET_KEY });
  await aWebhook(app.api, shop, 'test');
});
beforeEach(async () => {
  stripe.mood = 'well';
  stripe.refundStatus = 'succeeded';
  stripe.requests.length = 0;
  order = await anOrder(app.api, shop.shopId, orderRequest);
});
afterAll(async () => {
  await app.close();
  await stripe.close();
});

describe('POST /payments/{shopId}/{orderId}/refund', () => {
  it('refunds a part, then all that is left, revokes the deliveries, and records both for staff', async () => {
    await payWithTest(app.api, order);
    const part = expectSuccess(await refund({ amount: 5 }), 'Refund requested');
    expect(part).toEqual({
      ...{ id: anId, orderId: order.id, provider: 'test', paymentId: expect.stringMatching(/^test_/) },
      ...{ refundId: `re_${String(part['id'])}`, amount: 5, currency: 'EUR', reason: 'Bought twice' },
      ...{ state: 'succeeded', failure: null, items: [], takeBack: false, createdAt: anInstant },
    });
    expect(await stateOf(app.api, order)).toMatchObject({
      paymentStatus: 'partially_refunded',
      deliveryStatus: 'queued',
    });
    const rest = expectSuccess<Refund>(await refund({}));
    expect(rest).toMatchObject({ amount: 14.99, state: 'succeeded' });
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'refunded', deliveryStatus: 'revoked' });
    expect(await refunds()).toEqual([part, rest]);
    const { history } = expectSuccess<{ history: object[] }>(
      await app.api.get(`/orders/${shop.shopId}/${order.id}`, { token: token() }),
    );
    const entry = {
      action: 'refund_requested',
      actor: expect.stringMatching(/^user:/),
      detail: '5.00 EUR: Bought twice',
    };
    expect(history).toContainEqual(expect.objectContaining(entry));
    expectError(await refund({}), 409, 'The whole payment went back, or waits for the provider');
  });

  it.each<[string, object, number, string | RegExp]>([
    ['more than was paid', { amount: 20 }, 409, /^At most 19.99 EUR of the payment can still be refunded/],
    ['a fraction of a cent', { amount: 1.001 }, 400, 'amount has more decimals than EUR allows'],
    ['nothing', { amount: 0 }, 400, 'amount must be at least 0.001'],
    ['no reason', { reason: '' }, 400, 'reason must have 1 to 200 characters'],
    ['an unknown payment', { paymentId: 'pay_1' }, 409, 'The order has no such payment'],
  ])('rejects %s, and stores nothing', async (_, body, status, message) => {
    await payWithTest(app.api, order);
    expectError(await refund(body), status, message);
    expect(await refunds()).toEqual([]);
  });

  it('rejects an unpaid order, a disputed payment, and a provider without refunds', async () => {
    expectError(await refund({}), 409, 'Nothing was paid');
    const paid = payment(order);
    expectSuccess(await sendCustom(app.api, custom, paid));
    const sentence =
      'The provider custom does not accept refunds from this service; refund the payment at the provider';
    expectError(await refund({}), 409, sentence);
    order = await anOrder(app.api, shop.shopId, orderRequest);
    await payAtStripe();
    const dispute = { id: 'dp_1', payment_intent: [...stripe.sessions.values()].at(-1)?.['payment_intent'] };
    const intent = (dispute.payment_intent as { id: string }).id;
    const object = { ...dispute, payment_intent: intent, charge: 'ch_1', amount: 1999, currency: 'eur' };
    expectSuccess(await sendStripe(app.api, stripeWebhook, 'charge.dispute.created', object));
    expectError(await refund({}), 409, 'The payment is disputed, so the bank decides about the money');
    expect(await refunds()).toEqual([]);
  });

  it('requires the paymentId when the order was paid twice, and refunds that payment', async () => {
    await payWithTest(app.api, order);
    const { paymentId } = payment(order);
    expectSuccess(await sendCustom(app.api, custom, payment(order)));
    expect(await paymentStatus()).toBe('paid');
    expectError(await refund({}), 409, /send one of them as paymentId/);
    const [{ paymentId: test }] = expectSuccess<{ payments: { paymentId: string }[] }>(
      await app.api.get(`/orders/${shop.shopId}/${order.id}`, { token: token() }),
    ).payments.filter((one) => one.paymentId !== paymentId) as [{ paymentId: string }];
    expect(expectSuccess(await refund({ paymentId: test }))).toMatchObject({ amount: 19.99, paymentId: test });
    expect(await stateOf(app.api, order)).toEqual(PAID);
    expectError(await refund({ paymentId: test }), 409, 'The whole payment went back, or waits for the provider');
  });

  it('refunds no more than was paid, in 50 parallel requests', async () => {
    await payAtStripe();
    const responses = await Promise.all(Array.from({ length: 50 }, () => refund({ amount: 1.5 })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(13);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(37);
    const intent = [...stripe.sessions.values()].at(-1)?.['payment_intent'] as { id: string };
    const made = [...stripe.refunds.values()].filter((one) => one['payment_intent'] === intent.id);
    expect(made).toHaveLength(13);
    expect(expectSuccess<Refund>(await refund({})).amount).toBe(0.49);
    expectError(await refund({ amount: 0.01 }), 409, /^The whole payment/);
  });

  it('frees the amount when the provider rejects the refund, and returns its reason', async () => {
    await payAtStripe();
    stripe.mood = 'declining';
    expectError(await refund({}), 409, 'The provider did not make the refund: charge_already_refunded');
    expect(await refunds()).toMatchObject([{ state: 'failed', failure: 'charge_already_refunded', refundId: null }]);
    stripe.mood = 'well';
    expect(expectSuccess(await refund({}))).toMatchObject({ amount: 19.99, state: 'succeeded' });
  });
});

describe('A refund whose response was lost', () => {
  it.each(['overloaded', 'garbage', 'rejecting'] as const)(
    'makes a refund once by the job, with its amount, when the provider is %s',
    async (mood) => {
      await payAtStripe();
      stripe.mood = mood;
      const error = mood === 'rejecting' ? /^The payment provider rejects the credentials/ : UNAVAILABLE;
      expectError(await refund({ amount: 10 }), 503, error);
      expect(await refunds()).toMatchObject([{ state: 'requested', amount: 10 }]);
      expectError(await refund({ amount: 10 }), 409, /^At most 9.99 EUR/);
      stripe.mood = 'well';
      await letTimePass('refunds');
      await eventually(async () => (await refunds())[0]?.state === 'succeeded');
      const keys = stripe.requests.flatMap(({ fields, idempotencyKey }) =>
        'amount' in fields ? [idempotencyKey] : [],
      );
      expect(new Set(keys).size).toBe(1);
      expect(keys.length).toBeGreaterThanOrEqual(2);
    },
  );

  it('continues the refund for a repetition with the same Idempotency-Key', async () => {
    await payAtStripe();
    stripe.mood = 'overloaded';
    const key = randomUUID();
    expectError(await refund({}, key), 503, UNAVAILABLE);
    stripe.mood = 'well';
    const again = async (): Promise<Response> => {
      await inDatabase(app, (database) =>
        database.collection('idempotency_records').updateMany({}, { $set: { leaseUntil: new Date(0) } }),
      );
      return refund({}, key);
    };
    await eventually(async () => (await again()).status === 200);
    expect(await refunds()).toMatchObject([{ state: 'succeeded', amount: 19.99 }]);
  });

  it('takes over the refund that the provider has made, when the provider could have forgotten its key', async () => {
    await payAtStripe();
    stripe.mood = 'losing';
    expectError(await refund({ amount: 10 }), 503, UNAVAILABLE);
    stripe.mood = 'well';
    const requests = stripe.requests.length;
    await letTimePass('refunds', { createdAt: new Date(Date.now() - 46 * MINUTE_MS) });
    await eventually(async () => (await refunds())[0]?.state === 'succeeded');
    expect(await refunds()).toMatchObject([{ refundId: [...stripe.refunds.keys()].at(-1), failure: null }]);
    expect(await paymentStatus()).toBe('partially_refunded');
    expect(stripe.requests).toHaveLength(requests);
    expect(expectSuccess(await refund({}))).toMatchObject({ amount: 9.99 });
  });

  it('waits while the provider rejects the credentials, and makes the refund once when it accepts them', async () => {
    const intent = await payAtStripe();
    stripe.mood = 'rejecting';
    expectError(await refund({ amount: 10 }), 503, /^The payment provider rejects the credentials/);
    const checks = (): Promise<number> =>
      inDatabase(app, async (database) => {
        const record = await database.collection('refunds').findOne({ orderId: idOf(order.id) });
        return Number(record?.['checks']);
      });
    // The second check begins when the first one has ended.
    await eventually(async () => {
      await letTimePass('refunds', { createdAt: new Date(Date.now() - 6 * DAY_MS) });
      return (await checks()) >= 2;
    });
    expect(await refunds()).toMatchObject([{ state: 'requested', failure: null }]);
    stripe.mood = 'well';
    await letTimePass('refunds');
    await eventually(async () => (await refunds())[0]?.state === 'succeeded');
    expect([...stripe.refunds.values()].filter((one) => one['payment_intent'] === intent)).toHaveLength(1);
  });

  it('gives the refund up visibly after a week without a response', async () => {
    await payAtStripe();
    stripe.mood = 'overloaded';
    expectError(await refund({}), 503, UNAVAILABLE);
    await letTimePass('refunds', { createdAt: new Date(Date.now() - 7 * DAY_MS) });
    await eventually(async () => (await refunds())[0]?.failure === 'not_confirmed');
    const notice = await eventually(async () =>
      (await app.mailbox.read()).find(
        ({ head, text }) =>
          head.includes('Subject: A refund of €19.99 is not confirmed') && text.includes(`#${order.number}`),
      ),
    );
    expect(notice.head).toContain(shop.owner.email);
    expect(notice.text).toContain('First look at the payment on the pages of the payment provider.');
    expect(notice.text).not.toMatch(/not_confirmed|did not get/);
    const before = stripe.requests.length;
    stripe.mood = 'well';
    expect(expectSuccess(await refund({}))).toMatchObject({ amount: 19.99 });
    expect(stripe.requests).toHaveLength(before + 1);
  });
});

describe('A payment or refund whose webhook was lost', () => {
  it('counts after the job has queried the provider', async () => {
    const { paymentId } = await createPayment(app.api, order, 'stripe');
    const intent = stripe.pay(paymentId);
    expect(await paymentStatus()).toBe('pending');
    await letTimePass('payments');
    await eventually(async () => (await paymentStatus()) === 'paid');
    // The webhook comes in the end: it changes nothing.
    const session = { ...stripe.sessions.get(paymentId), payment_intent: intent };
    expectSuccess(await sendStripe(app.api, stripeWebhook, 'checkout.session.completed', session));
    expect(await paymentStatus()).toBe('paid');
    stripe.refundStatus = 'pending';
    expect(expectSuccess(await refund({}))).toMatchObject({ state: 'pending' });
    expect(await paymentStatus()).toBe('paid');
    const [made] = [...stripe.refunds.values()].filter((one) => one['payment_intent'] === intent);
    stripe.refunds.set(String(made?.['id']), { ...made, status: 'succeeded' });
    await letTimePass('refunds');
    await eventually(async () => (await paymentStatus()) === 'refunded');
    await eventually(async () => (await refunds())[0]?.state === 'succeeded');
    stripe.refunds.set(String(made?.['id']), { ...made, status: 'failed' });
    const failed = { ...made, status: 'failed' };
    expectSuccess(await sendStripe(app.api, stripeWebhook, 'refund.failed', failed));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'paid', deliveryStatus: 'queued' });
    expect(await refunds()).toMatchObject([{ state: 'failed' }]);
  });

  it('queries a payment or refund again after the provider did not respond', async () => {
    const { paymentId } = await createPayment(app.api, order, 'stripe');
    stripe.pay(paymentId);
    stripe.mood = 'overloaded';
    await letTimePass('payments');
    const checks = (): Promise<number> =>
      inDatabase(app, async (database) => {
        const record = await database.collection('payments').findOne({ orderId: idOf(order.id) });
        return Number(record?.['checks']);
      });
    await eventually(async () => (await checks()) === 1);
    expect(await paymentStatus()).toBe('pending');
    stripe.mood = 'well';
    await eventually(async () => {
      await letTimePass('payments');
      return (await paymentStatus()) === 'paid';
    });
  });
});
