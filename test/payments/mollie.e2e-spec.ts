import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { DAY_MS } from '../../src/lib/time/durations.js';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { MOLLIE_KEY, type MollieApi, startMollieApi } from './mollie-api.js';
import { OPEN, PAID, received, stateOf } from './paid-orders.js';
import { aWebhook, sendRaw, type TestWebhook } from './senders.js';
import { startStripeApi } from './stripe-api.js';

const PAID_AT = { status: 'paid', paidAt: '2026-11-21T08:01:00+00:00' };
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const EUR = (value: string) => ({ currency: 'EUR', value });

let app: TestApp;
let mollie: MollieApi;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };
let webhook: TestWebhook;
let order: TestOrder;

const pay = ({ id, accessToken } = order): Promise<Response> => {
  const headers = { 'X-Order-Token': accessToken };
  return app.api.post(`/orders/public/${id}/payment`, { provider: 'mollie' }, { headers });
};
const created = async (): Promise<string> => expectSuccess<{ paymentId: string }>(await pay()).paymentId;
/** What Mollie sends: https://docs.mollie.com/reference/webhooks */
const send = (id: string): Promise<Response> =>
  sendRaw(app.api, webhook.path, `id=${id}`, { 'Content-Type': 'application/x-www-form-urlencoded' });

beforeAll(async () => {
  mollie = await startMollieApi();
  app = await startTestApp({ env: { PROVIDER_URLS: `mollie=${mollie.url}` } });
  shop = await aShop(app.api);
  orderRequest = { productId: await aProduct(app.api, shop, { price: 19.99 }), serverId: await aServer(app.api, shop) };
  webhook = await aWebhook(app.api, shop, 'mollie', { apiKey: MOLLIE_KEY });
});
beforeEach(async () => {
  mollie.mood = 'well';
  mollie.creations.length = 0;
  order = await anOrder(app.api, shop.shopId, orderRequest);
});
afterAll(async () => {
  await app.close();
  await mollie.close();
});

describe('A payment at Mollie', () => {
  it('creates a payment with the total of the order and the webhook address of the shop', async () => {
    const methods = await app.api.get(`/payments/public/${shop.shopId}/methods`);
    expect(expectSuccess(methods)).toEqual([{ provider: 'mollie', title: 'Mollie' }]);
    const paymentId = await created();
    const home = `https://${shop.uniqueName}.shops.localhost`;
    expect(expectSuccess(await pay())).toEqual({
      provider: 'mollie',
      paymentId,
      url: `https://www.mollie.com/checkout/select-method/${paymentId.slice(3)}`,
      expiresAt: '2036-11-21T08:15:00.000Z',
    });
    expect(mollie.creations.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      {
        amount: EUR('19.99'),
        description: `Order #${order.number}`,
        redirectUrl: home,
        cancelUrl: home,
        webhookUrl: expect.stringMatching(new RegExp(`^http://[a-z0-9.:]+/api/v2${webhook.path}$`)),
        metadata: { orderId: order.id },
      },
    ]);
  });

  it('repeats the payment with the same key and bytes after a 503', async () => {
    mollie.mood = { status: 503, body: { detail: MOLLIE_KEY } };
    expectError(await pay(), 503, 'The payment provider is not available; try again shortly');
    mollie.mood = 'well';
    await created();
    const [first, second] = mollie.creations;
    expect(second).toEqual(first);
    expect(app.output()).toContain('mollie: status 503');
    expect(app.output()).not.toContain(MOLLIE_KEY);
  });
});

describe('POST /payments/webhooks/mollie/{shopId}/{webhookSecret}', () => {
  it('applies what Mollie returns for the payment: paid, refunded in part, refunded, each once', async () => {
    const id = await created();
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toEqual(OPEN);
    mollie.change(id, PAID_AT);
    expect(expectSuccess(await send(id))).toEqual(received(`${id}-paid`, 'processed'));
    expect(await stateOf(app.api, order)).toEqual(PAID);
    expect(expectSuccess(await send(id))).toEqual(received(`${id}-paid`, 'processed', true));

    const refund = { id: 're_1', status: 'refunded', amount: EUR('5.00'), createdAt: '2026-11-21T09:00:00+00:00' };
    const waiting = { ...refund, id: 're_2', status: 'pending', amount: EUR('14.99') };
    mollie.change(id, { _embedded: { refunds: [refund, waiting] } });
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'partially_refunded' });
    mollie.change(id, { _embedded: { refunds: [refund, { ...waiting, status: 'refunded' }] } });
    expectSuccess(await send(id));
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'refunded' });
  });

  const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

  it('opens a dispute for each chargeback, also of an unreported payment, and ends it by its reversal', async () => {
    const id = await created();
    const chargeback = { id: `chb_${id}`, amount: EUR('19.99'), createdAt: daysAgo(7) };
    mollie.change(id, { ...PAID_AT, _embedded: { chargebacks: [{ ...chargeback, reversedAt: null }] } });
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'disputed' });
    const reversed = { ...chargeback, reversedAt: daysAgo(6) };
    const second = { ...chargeback, id: `chb_2${id}`, amount: EUR('5.00'), createdAt: daysAgo(6.5) };
    mollie.change(id, { _embedded: { chargebacks: [reversed, second] } });
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'disputed' });
    mollie.change(id, { _embedded: { chargebacks: [reversed, { ...second, reversedAt: reversed.reversedAt }] } });
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'paid' });
  });

  it('has lost a dispute when its chargeback was not reversed within 120 days, without another webhook', async () => {
    const id = await created();
    const chargeback = { id: `chb_${id}`, amount: EUR('19.99'), createdAt: daysAgo(7), reversedAt: null };
    mollie.change(id, { ...PAID_AT, _embedded: { chargebacks: [chargeback] } });
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'disputed' });
    const { _id } = await eventually(() =>
      inDatabase(app, (db) => db.collection('payments').findOne({ paymentId: id, dueAt: { $gt: inDays(119) } })),
    );
    mollie.change(id, { _embedded: { chargebacks: [{ ...chargeback, createdAt: daysAgo(120) }] } });
    await inDatabase(app, (db) => db.collection('payments').updateOne({ _id }, { $set: { dueAt: new Date() } }));
    const job = await startTestApp({
      env: { PROVIDER_URLS: `mollie=${mollie.url}` },
      config: { sweepIntervalMs: 100 },
      databaseUri: app.databaseUri,
    });
    await eventually(async () => (await stateOf(app.api, order)).paymentStatus === 'charged_back');
    await job.close();
  });

  it('is reported at its own webhook address for ever, however often the secret is rotated, also when Mollie is switched off', async () => {
    const id = await created();
    mollie.change(id, PAID_AT);
    expectSuccess(await send(id));
    const provider = `/payments/${shop.shopId}/providers/mollie`;
    const call = { token: shop.owner.token };
    expectSuccess(await app.api.post(`${provider}/rotate-secret`, { graceSeconds: 0 }, call));
    expectSuccess(await app.api.post(`${provider}/rotate-secret`, { graceSeconds: 0 }, call));
    expectSuccess(await app.api.put(provider, { enabled: false, credentials: {} }, call));
    const refund = { id: `re_${id}`, status: 'refunded', amount: EUR('19.99'), createdAt: '2026-11-21T10:00:00+00:00' };
    mollie.change(id, { _embedded: { refunds: [refund] } });
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'refunded' });
    expectSuccess(await app.api.put(provider, { enabled: true, credentials: {} }, call));
  });

  it('ignores a payment that Mollie does not know, and marks another amount for review', async () => {
    expect(expectSuccess(await send('tr_d0b0E3EA3v'))).toEqual({ received: true, events: [] });
    expect(await stateOf(app.api, order)).toEqual(OPEN);
    const id = await created();
    mollie.change(id, { ...PAID_AT, amount: EUR('0.01') });
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'needs_review' });
  });

  it('returns 503 while Mollie does not respond, and applies the repetition', async () => {
    const id = await created();
    mollie.change(id, PAID_AT);
    mollie.mood = { status: 500, body: {} };
    expectError(await send(id), 503, 'The payment provider is not available; try again shortly');
    mollie.mood = 'well';
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toEqual(PAID);
  });

  it('returns 400 without the id of a payment', async () => {
    for (const id of ['', 're_1', 'tr_1/refunds']) {
      expectError(await send(id), 400, /^The webhook request cannot be read: the field id must be/);
    }
  });
});

it('is queried about a lost webhook while 1,000 payments of a provider that does not respond are due', async () => {
  const silent = await startStripeApi();
  const env = { PROVIDER_URLS: `mollie=${mollie.url},stripe=${silent.url}` };
  const job = await startTestApp({ env, config: { sweepIntervalMs: 100 }, databaseUri: app.databaseUri });
  const credentials = { signingSecret: 'whsec_of_the_shop', secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc' };
  await aWebhook(job.api, shop, 'stripe', credentials);
  silent.mood = 'never';
  const other = await anOrder(app.api, shop.shopId, orderRequest);
  const id = await created();
  mollie.change(id, PAID_AT);
  await inDatabase(app, async (db) => {
    const payments = db.collection('payments');
    const { _id: _, ...payment } = (await payments.findOne({ paymentId: id })) ?? { _id: undefined };
    const longDue = Array.from({ length: 1_000 }, (_, attempt) => ({
      ...payment,
      ...{ provider: 'stripe', orderId: idOf(other.id), attempt, paymentId: `cs_${attempt}`, dueAt: new Date(attempt) },
    }));
    await payments.insertMany(longDue);
    await payments.updateOne({ paymentId: id }, { $set: { dueAt: new Date() } });
  });
  await eventually(async () => (await stateOf(app.api, order)).paymentStatus === 'paid');
  const left = await inDatabase(app, (db) =>
    db.collection('payments').countDocuments({ provider: 'stripe', dueAt: { $lt: new Date(1_000) } }),
  );
  expect(left).toBeGreaterThan(900);
  await job.close();
  await silent.close();
});
