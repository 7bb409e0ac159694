import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf, OVERDUE } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aWebhook, payment, sendCustom, sendStripe, type TestWebhook } from './senders.js';
import { type StripeApi, startStripeApi } from './stripe-api.js';

interface Created {
  readonly provider: string;
  readonly paymentId: string;
  readonly url: string;
  readonly expiresAt: string;
}

const SECRET_KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const SIGNING_SECRET = 'whsec_test_secret_of_an_endpoint';

let app: TestApp;
let stripe: StripeApi;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };
let custom: TestWebhook;
let stripeWebhook: TestWebhook;
let order: TestOrder;

const configure = (provider: string, credentials: object, enabled = true): Promise<Response> =>
  app.api.put(`/payments/${shop.shopId}/providers/${provider}`, { enabled, credentials }, { token: shop.owner.token });
const pay = (body: object, { id, accessToken } = order): Promise<Response> =>
  app.api.post(`/orders/public/${id}/payment`, body, { headers: { 'X-Order-Token': accessToken } });
const created = async (body: object, paid = order): Promise<Created> => expectSuccess<Created>(await pay(body, paid));
const methods = async (shopId = shop.shopId): Promise<unknown> =>
  expectSuccess(await app.api.get(`/payments/public/${shopId}/methods`), 'Payment methods retrieved');

beforeAll(async () => {
  stripe = await startStripeApi();
  app = await startTestApp({ env: { PROVIDER_URLS: `stripe=${stripe.url}` } });
  shop = await aShop(app.api);
  orderRequest = { productId: await aProduct(app.api, shop, { price: 19.99 }), serverId: await aServer(app.api, shop) };
  custom = await aWebhook(app.api, shop, 'custom');
  stripeWebhook = await aWebhook(app.api, shop, 'stripe', { signingSecret: SIGNING_SECRET, secretKey: SECRET_KEY });
  await configure('test', {});
});
beforeEach(async () => {
  stripe.mood = 'well';
  stripe.requests.length = 0;
  order = await anOrder(app.api, shop.shopId, orderRequest);
});
afterAll(async () => {
  await app.close();
  await stripe.close();
});

describe('GET /payments/public/{shopId}/methods', () => {
  it('lists the providers with which a buyer can pay, in the order of their configuration', async () => {
    const other = await aShop(app.api);
    const path = `/payments/${other.shopId}/providers`;
    const { token } = other.owner;
    expect(await methods(other.shopId)).toEqual([]);
    // Neither of them can create a payment.
    await app.api.put(`${path}/stripe`, { enabled: true, credentials: { signingSecret: SIGNING_SECRET } }, { token });
    await app.api.put(`${path}/custom`, { enabled: true, credentials: {} }, { token });
    expect(await methods(other.shopId)).toEqual([]);
    const paymentUrl = 'https://pay.example.com/{orderId}';
    await app.api.put(`${path}/custom`, { enabled: true, credentials: { paymentUrl } }, { token });
    await app.api.put(`${path}/test`, { enabled: true, credentials: {} }, { token });
    await app.api.put(`${path}/stripe`, { enabled: true, credentials: { secretKey: SECRET_KEY } }, { token });
    expect(await methods(other.shopId)).toEqual([
      { provider: 'stripe', title: 'Stripe' },
      { provider: 'custom', title: 'Online payment' },
      { provider: 'test', title: 'Test payment' },
    ]);
    await app.api.put(`${path}/stripe`, { enabled: false, credentials: {} }, { token });
    expect(await methods(other.shopId)).toEqual([expect.objectContaining({ provider: 'custom' }), expect.anything()]);
    await app.api.delete(`/shops/${other.shopId}`, { token });
    expectError(await app.api.get(`/payments/public/${other.shopId}/methods`), 404, 'There is no such shop');
  });
});

describe('POST /orders/public/{orderId}/payment', () => {
  it('returns the payment address, and the same one while the buyer can still pay there', async () => {
    const first = await created({ provider: 'test' });
    expect(first).toEqual({
      provider: 'test',
      paymentId: expect.stringMatching(/^test_[A-Za-z0-9_-]{43}$/),
      url: `${app.baseUrl.replace('127.0.0.1', 'localhost')}/api/v2/test-payments/${first.paymentId}`,
      expiresAt: anInstant,
    });
    expect(await created({ provider: 'test' })).toEqual(first);
  });

  it('creates one payment for parallel requests', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => created({ provider: 'stripe' })));
    expect(new Set(all.map(({ paymentId }) => paymentId)).size).toBe(1);
    expect(new Set(stripe.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    const count = await inDatabase(app, (database) =>
      database.collection('payments').countDocuments({ orderId: idOf(order.id) }),
    );
    expect(count).toBe(1);
  });

  it('creates a checkout session at Stripe for the total of the order, with our reference in all three places', async () => {
    const home = `https://${shop.uniqueName}.shops.localhost`;
    const { paymentId, url, expiresAt } = await created({ provider: 'stripe', successUrl: `${home}/thanks?a=1` });
    expect([paymentId, url]).toEqual([
      expect.stringMatching(/^cs_test_/),
      expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//),
    ]);
    const [request] = stripe.requests;
    expect(request?.authorization).toBe(`Bearer ${SECRET_KEY}`);
    expect(request?.fields).toEqual({
      mode: 'payment',
      client_reference_id: order.id,
      'metadata[orderId]': order.id,
      'payment_intent_data[metadata][orderId]': order.id,
      success_url: `${home}/thanks?a=1`,
      cancel_url: home,
      expires_at: String(Math.floor(Date.parse(expiresAt) / 1000)),
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '1999',
      'line_items[0][price_data][product_data][name]': `Order #${order.number}`,
    });
  });

  it("returns the shop's own page with a signed amount", async () => {
    const paymentUrl =
      'https://pay.example.com/p/{paymentId}?o={orderId}&a={amount}{currency}&s={signature}&b={cancelUrl}';
    expectSuccess(await configure('custom', { paymentUrl }));
    const { paymentId, url } = await created({ provider: 'custom' });
    const signed = `payment-page.${paymentId}.${order.id}.19.99.EUR`;
    const signature = createHmac('sha256', custom.signingSecret).update(signed).digest('base64url');
    const back = encodeURIComponent(`https://${shop.uniqueName}.shops.localhost`);
    expect(url).toBe(`https://pay.example.com/p/${paymentId}?o=${order.id}&a=19.99EUR&s=${signature}&b=${back}`);
  });

  it.each<StripeApi['mood']>(['never', 'overloaded', 'rejecting', 'garbage', 'no address'])(
    'returns 503 while the response of the provider is %s, and creates one payment when the request is repeated',
    async (mood) => {
      stripe.mood = mood;
      const failed = await pay({ provider: 'stripe' });
      const isRejected = mood === 'rejecting';
      expectError(failed, 503, isRejected ? /^The payment provider rejects/ : /^The payment provider is not available/);
      expect(failed.headers).toMatchObject({
        'x-error-code': isRejected ? 'provider_credentials_rejected' : 'provider_unavailable',
        'retry-after': expect.anything(),
      });
      if (mood === 'no address') return;
      stripe.mood = 'well';
      await created({ provider: 'stripe' });
      const [first, second] = stripe.requests;
      expect(second).toEqual(first);
    },
  );

  it('writes no credential to the log', () => {
    expect(app.output()).toContain('stripe: ');
    expect(app.output()).not.toContain(SECRET_KEY);
  });

  it('creates a new payment after the provider reported the end of the previous one', async () => {
    expectSuccess(await configure('custom', { paymentUrl: 'https://pay.example.com/{orderId}' }));
    const first = await created({ provider: 'custom' });
    const failed = payment(order, { type: 'payment.failed', paymentId: first.paymentId });
    expectSuccess(await sendCustom(app.api, custom, failed));
    const second = await created({ provider: 'custom' });
    expect(second.paymentId).not.toBe(first.paymentId);
    expect(await created({ provider: 'custom' })).toEqual(second);
  });

  it('creates a new payment after a failed one, whatever another provider reported in between', async () => {
    expectSuccess(await configure('custom', { paymentUrl: 'https://pay.example.com/{orderId}' }));
    const first = await created({ provider: 'custom' });
    const { paymentId: atStripe } = await created({ provider: 'stripe' });
    const failed = payment(order, { type: 'payment.failed', paymentId: first.paymentId });
    expectSuccess(await sendCustom(app.api, custom, failed));
    const session = { ...stripe.sessions.get(atStripe), status: 'expired', amount_total: 1999, currency: 'eur' };
    expectSuccess(await sendStripe(app.api, stripeWebhook, 'checkout.session.expired', session));
    for (const [provider, ended] of [
      ['custom', first.paymentId],
      ['stripe', atStripe],
    ] as const) {
      expect((await created({ provider })).paymentId).not.toBe(ended);
    }
  });

  it('returns 409 for an order that is paid, cancelled or expired', async () => {
    expectSuccess(await sendCustom(app.api, custom, payment(order)));
    const [cancelled, over] = [
      await anOrder(app.api, shop.shopId, orderRequest),
      await anOrder(app.api, shop.shopId, orderRequest),
    ];
    const { token } = shop.owner;
    const path = `/orders/${shop.shopId}/${cancelled.id}/cancel`;
    expectSuccess(await app.api.post(path, { reason: 'Asked for' }, { token }));
    await inDatabase(app, (database) =>
      database.collection('orders').updateOne({ _id: idOf(over.id) }, { $set: OVERDUE }),
    );
    for (const ended of [order, cancelled, over]) {
      const sentence = 'The order cannot be paid, because it is already paid, cancelled or expired';
      expectError(await pay({ provider: 'test' }, ended), 409, sentence);
    }
  });

  it('returns 404 without the token of the order, and for a provider that the shop has not configured', async () => {
    expectError(await pay({ provider: 'test' }, { ...order, accessToken: 'x' }), 404, 'There is no such order');
    const other = await aShop(app.api);
    const theirs = { productId: await aProduct(app.api, other), serverId: await aServer(app.api, other) };
    const foreign = await anOrder(app.api, other.shopId, theirs);
    expectError(await pay({ provider: 'test' }, foreign), 404, 'The shop has no such payment method');
  });

  it('returns 400 for an unknown provider, and for return addresses outside the front end of the shop', async () => {
    expectError(await pay({ provider: 'venmo' }), 400, /^provider must be one of /);
    const home = `https://${shop.uniqueName}.shops.localhost`;
    for (const address of [
      'https://evil.example.com/',
      `${home}.evil.example.com/`,
      'javascript:alert(1)',
      '//x',
      `http://${shop.uniqueName}.shops.example.com/`,
    ]) {
      const rejected = await pay({ provider: 'test', successUrl: address, cancelUrl: address });
      expectError(rejected, 400, /successUrl must be/);
      expect((rejected.body as { error: string }).error).toMatch(/cancelUrl must be/);
    }
    expect(stripe.requests).toEqual([]);
  });

  it('returns to an origin that the shop lists, and to the computer of a developer', async () => {
    const change = { origins: ['https://preview.example.com'] };
    expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, change, { token: shop.owner.token }));
    const addresses = { successUrl: 'https://preview.example.com/thanks', cancelUrl: 'http://localhost:5173/basket' };
    expectSuccess(await pay({ provider: 'test', ...addresses }));
  });
});
