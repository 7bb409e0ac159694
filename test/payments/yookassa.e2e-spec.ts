import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { OPEN, PAID, received, stateOf } from './paid-orders.js';
import { aWebhook, sendRaw, type TestWebhook } from './senders.js';
import { startYookassaApi, YOOKASSA_ACCOUNT, type YookassaApi } from './yookassa-api.js';

const UNAVAILABLE = 'The payment provider is not available; try again shortly';
const SUCCEEDED = { status: 'succeeded', paid: true, captured_at: '2026-11-21T08:01:00.000Z' };

let app: TestApp;
let yookassa: YookassaApi;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };
let webhook: TestWebhook;
let order: TestOrder;

const pay = ({ id, accessToken } = order): Promise<Response> => {
  const headers = { 'X-Order-Token': accessToken };
  return app.api.post(`/orders/public/${id}/payment`, { provider: 'yookassa' }, { headers });
};
const created = async (): Promise<string> => expectSuccess<{ paymentId: string }>(await pay()).paymentId;
/** What YooKassa sends: https://yookassa.ru/developers/using-api/webhooks */
const send = (event: string, id: string, more: object = {}): Promise<Response> =>
  sendRaw(app.api, webhook.path, JSON.stringify({ type: 'notification', event, object: { id, ...more } }));

beforeAll(async () => {
  yookassa = await startYookassaApi();
  app = await startTestApp({ env: { PROVIDER_URLS: `yookassa=${yookassa.url}` } });
  shop = await aShop(app.api);
  orderRequest = { productId: await aProduct(app.api, shop, { price: 19.99 }), serverId: await aServer(app.api, shop) };
  webhook = await aWebhook(app.api, shop, 'yookassa', YOOKASSA_ACCOUNT);
});
beforeEach(async () => {
  yookassa.mood = 'well';
  yookassa.creations.length = 0;
  order = await anOrder(app.api, shop.shopId, orderRequest);
});
afterAll(async () => {
  await app.close();
  await yookassa.close();
});

describe('A payment at YooKassa', () => {
  it('creates a payment with the total of the order', async () => {
    const methods = await app.api.get(`/payments/public/${shop.shopId}/methods`);
    expect(expectSuccess(methods)).toEqual([{ provider: 'yookassa', title: 'YooKassa' }]);
    const paymentId = await created();
    expect(expectSuccess(await pay())).toMatchObject({
      provider: 'yookassa',
      paymentId,
      url: `https://yoomoney.ru/checkout/payments/v2/contract?orderId=${paymentId}`,
    });
    expect(yookassa.creations.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      {
        amount: { value: '19.99', currency: 'EUR' },
        capture: true,
        confirmation: { type: 'redirect', return_url: `https://${shop.uniqueName}.shops.localhost` },
        description: `Order #${order.number}`,
        metadata: { orderId: order.id },
      },
    ]);
  });

  it('repeats the payment with the same key and bytes after a 503', async () => {
    yookassa.mood = { status: 500, body: { description: YOOKASSA_ACCOUNT.secretKey } };
    expectError(await pay(), 503, UNAVAILABLE);
    yookassa.mood = 'well';
    await created();
    const [first, second] = yookassa.creations;
    expect(second).toEqual(first);
    expect(app.output()).toContain('yookassa: status 500');
    expect(app.output()).not.toContain(YOOKASSA_ACCOUNT.secretKey);
  });

  it('creates a new payment after one has expired at YooKassa', async () => {
    const first = await created();
    yookassa.change(first, { status: 'canceled', cancellation_details: { reason: 'expired_on_confirmation' } });
    expectSuccess(await send('payment.canceled', first));
    const second = await created();
    expect(second).not.toBe(first);
    yookassa.change(second, SUCCEEDED);
    expectSuccess(await send('payment.succeeded', second));
    expect(await stateOf(app.api, order)).toEqual(PAID);
  });
});

describe('POST /payments/webhooks/yookassa/{shopId}/{webhookSecret}', () => {
  it('applies what YooKassa returns: paid, refunded in part, refunded, each once', async () => {
    const id = await created();
    expectSuccess(await send('payment.succeeded', id, SUCCEEDED));
    expect(await stateOf(app.api, order)).toEqual(OPEN);
    yookassa.change(id, SUCCEEDED);
    expect(expectSuccess(await send('payment.succeeded', id))).toEqual(received(`${id}-succeeded`, 'processed'));
    expect(await stateOf(app.api, order)).toEqual(PAID);
    expect(expectSuccess(await send('payment.succeeded', id))).toEqual(received(`${id}-succeeded`, 'processed', true));

    const refund = yookassa.refund(id, '5.00');
    for (let time = 1; time <= 2; time++) expectSuccess(await send('refund.succeeded', refund));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'partially_refunded' });
    expectSuccess(await send('refund.succeeded', yookassa.refund(id, '14.99', 'pending')));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'partially_refunded' });
    expectSuccess(await send('refund.succeeded', yookassa.refund(id, '14.99')));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'refunded' });
  });

  it('applies a refund that is reported before its payment', async () => {
    const id = await created();
    yookassa.change(id, SUCCEEDED);
    expectSuccess(await send('refund.succeeded', yookassa.refund(id, '19.99')));
    expect(await stateOf(app.api, order)).toEqual(OPEN);
    expectSuccess(await send('payment.succeeded', id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'refunded' });
  });

  it('ignores objects that YooKassa does not know, and marks another amount for review', async () => {
    const unknown = await send('payment.succeeded', '2e8dd95a-000f-5000-a000-1e3515f51c18', SUCCEEDED);
    expect(expectSuccess(unknown)).toEqual({ received: true, events: [] });
    const id = await created();
    yookassa.change(id, { ...SUCCEEDED, amount: { value: '0.01', currency: 'EUR' } });
    expectSuccess(await send('payment.succeeded', id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'needs_review' });
  });

  it('returns 503 while YooKassa does not respond, and applies the repetition', async () => {
    const id = await created();
    yookassa.change(id, SUCCEEDED);
    yookassa.mood = { status: 500, body: {} };
    expectError(await send('payment.succeeded', id), 503, UNAVAILABLE);
    yookassa.mood = 'well';
    expectSuccess(await send('payment.succeeded', id));
    expect(await stateOf(app.api, order)).toEqual(PAID);
  });

  it('returns 400 without the id of a payment', async () => {
    for (const id of ['', '1', '../payments']) {
      expectError(await send('payment.succeeded', id), 400, /^The webhook request cannot be read: object\.id must be/);
    }
  });
});
