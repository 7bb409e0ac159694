import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { ignored, OPEN, PAID, stateOf } from './paid-orders.js';
import { type PayPalApi, startPayPalApi } from './paypal-api.js';
import { aWebhook, payment, sendCustom, sendRaw, type TestWebhook } from './senders.js';

const APP = { clientId: 'AeA1QIZXiflr1_-4hGYSl6', clientSecret: 'EGnHDxD_qRPdaLdZz8iCr8N7_MzF' };
const WEBHOOK_ID = '8PT597110X687430L';

interface Configured {
  readonly webhookUrl: string;
}

interface Created {
  readonly paymentId: string;
  readonly url: string;
}

let app: TestApp;
let paypal: PayPalApi;
let shop: TestShop;
let webhook: string;
let custom: TestWebhook;
let orderRequest: { productId: string; serverId: string };
let order: TestOrder;

const configure = (credentials: object): Promise<Response> =>
  app.api.put(`/payments/${shop.shopId}/providers/paypal`, { enabled: true, credentials }, { token: shop.owner.token });
const pay = (): Promise<Response> =>
  app.api.post(
    `/orders/public/${order.id}/payment`,
    { provider: 'paypal' },
    { headers: { 'X-Order-Token': order.accessToken } },
  );
const created = async (): Promise<Created> => expectSuccess<Created>(await pay());
const send = (kind: string, resource: object, id = `WH-${randomUUID()}`): Promise<Response> => {
  const body = JSON.stringify({ id, event_type: kind, resource });
  return sendRaw(app.api, webhook, body, paypal.sign(body, WEBHOOK_ID));
};
const approve = (id: string, event?: string): Promise<Response> =>
  send('CHECKOUT.ORDER.APPROVED', { id, intent: 'CAPTURE', purchase_units: [{ custom_id: order.id }] }, event);
const amount = { currency_code: 'EUR', value: '19.99' };

/** Pays the order at PayPal. @returns the id of the capture */
async function paid(): Promise<string> {
  const { paymentId } = await created();
  const { events } = expectSuccess<{ events: { eventId: string }[] }>(await approve(paymentId));
  return events[1]?.eventId.split('-')[0] ?? '';
}

beforeAll(async () => {
  paypal = await startPayPalApi();
  app = await startTestApp({ env: { PROVIDER_URLS: `paypal=${paypal.url}` } });
  shop = await aShop(app.api);
  orderRequest = { productId: await aProduct(app.api, shop, { price: 19.99 }), serverId: await aServer(app.api, shop) };
  const { webhookUrl } = expectSuccess<Configured>(await configure(APP));
  webhook = new URL(webhookUrl).pathname.replace('/api/v2', '');
  expectSuccess(await configure({ webhookId: WEBHOOK_ID }));
  custom = await aWebhook(app.api, shop, 'custom');
});
beforeEach(async () => {
  paypal.mood = 'well';
  paypal.requests.length = 0;
  order = await anOrder(app.api, shop.shopId, orderRequest);
});
afterAll(async () => {
  await app.close();
  await paypal.close();
});

describe('PUT /payments/{shopId}/providers/paypal', () => {
  it("rejects the webhook id of PayPal's simulator", async () => {
    const sentence = /^credentials\.webhookId must be the id of the webhook in your app/;
    expectError(await configure({ webhookId: 'WEBHOOK_ID' }), 400, sentence);
  });
});

describe('POST /orders/public/{orderId}/payment with PayPal', () => {
  it('creates an order at PayPal for the total, with our reference, and the same for a repetition', async () => {
    const first = await created();
    expect(first.url).toBe(`https://www.paypal.com/checkoutnow?token=${first.paymentId}`);
    expect(await created()).toEqual(first);
    const requests = paypal.requests.filter(({ call }) => call === 'POST /v2/checkout/orders');
    expect(requests).toHaveLength(1);
    const home = `https://${shop.uniqueName}.shops.localhost`;
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      intent: 'CAPTURE',
      purchase_units: [{ custom_id: order.id, description: `Order #${order.number}`, amount }],
      payment_source: {
        paypal: {
          experience_context: {
            return_url: home,
            cancel_url: home,
            user_action: 'PAY_NOW',
            shipping_preference: 'NO_SHIPPING',
            payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
          },
        },
      },
    });
  });

  it('returns 503 while PayPal rejects the request, and sends the same request in a repetition', async () => {
    paypal.mood = 'rejecting';
    expectError(await pay(), 503, /^The payment provider rejects the credentials of the shop/);
    paypal.mood = 'well';
    await created();
    const [first, second] = paypal.requests.filter(({ call }) => call === 'POST /v2/checkout/orders');
    expect(second).toEqual(first);
    expect(first?.requestId).toMatch(/^[0-9a-f]{24}$/);
    expect(app.output()).not.toContain(APP.clientSecret);
  });
});

describe('POST /payments/webhooks/paypal/{shopId}/{webhookSecret}', () => {
  it('captures an approved order once, which is then paid', async () => {
    const { paymentId } = await created();
    expect(await stateOf(app.api, order)).toEqual(OPEN);
    const first = expectSuccess<{ events: { eventId: string; duplicate: boolean }[] }>(
      await approve(paymentId, `WH-${paymentId}`),
    );
    expect(first.events).toMatchObject([{ state: 'ignored' }, { state: 'processed', duplicate: false }]);
    expect(await stateOf(app.api, order)).toEqual(PAID);
    const again = expectSuccess<typeof first>(await approve(paymentId, `WH-${paymentId}`));
    expect(again.events).toEqual(first.events.map((event) => ({ ...event, duplicate: true })));
    const captureId = first.events[1]?.eventId.split('-')[0];
    const capture = { id: captureId, amount, custom_id: order.id, create_time: new Date().toISOString() };
    expectSuccess(await send('PAYMENT.CAPTURE.COMPLETED', capture));
    expect(await stateOf(app.api, order)).toEqual(PAID);
  });

  it('captures nothing for an order that staff cancelled, or that was paid in another way', async () => {
    const cancelled = await created();
    const cancel = { reason: 'The buyer asked' };
    expectSuccess(await app.api.post(`/orders/${shop.shopId}/${order.id}/cancel`, cancel, { token: shop.owner.token }));
    expectSuccess(await approve(cancelled.paymentId));
    expect(await stateOf(app.api, order)).toMatchObject({ status: 'cancelled', paymentStatus: 'pending' });
    order = await anOrder(app.api, shop.shopId, orderRequest);
    const second = await created();
    expectSuccess(await sendCustom(app.api, custom, payment(order)));
    expectSuccess(await approve(second.paymentId));
    expect(await stateOf(app.api, order)).toEqual(PAID);
    expect(paypal.requests.filter(({ call }) => call.endsWith('/capture'))).toEqual([]);
  });

  it('returns 503 while PayPal does not capture, and the repetition of the event pays the order', async () => {
    const { paymentId } = await created();
    paypal.mood = 'overloaded';
    expectError(await approve(paymentId), 503, /payment provider/);
    expect(await stateOf(app.api, order)).toEqual(OPEN);
    paypal.mood = 'well';
    expectSuccess(await approve(paymentId));
    expect(await stateOf(app.api, order)).toEqual(PAID);
  });

  it('counts refunds that only name the capture, up to a full refund', async () => {
    const up = { rel: 'up', href: `${paypal.url}/v2/payments/captures/${await paid()}` };
    const refund = (value: string, total: string, minute: number) => ({
      id: `RF${order.id.toUpperCase()}${minute}`,
      status: 'COMPLETED',
      amount: { ...amount, value },
      seller_payable_breakdown: { total_refunded_amount: { ...amount, value: total } },
      create_time: new Date(Date.UTC(2026, 10, 21, 8, minute)).toISOString(),
      links: [up],
    });
    expectSuccess(await send('PAYMENT.CAPTURE.REFUNDED', refund('5.00', '5.00', 1)));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'partially_refunded' });
    expectSuccess(await send('PAYMENT.CAPTURE.REFUNDED', refund('14.99', '19.99', 2)));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'refunded' });
  });

  it('follows a dispute to its end, and counts the reversed money once', async () => {
    const captureId = await paid();
    const create_time = '2026-11-21T08:00:00Z';
    const dispute = {
      dispute_id: `PP-D-${captureId}`,
      disputed_transactions: [{ seller_transaction_id: captureId }],
      dispute_amount: amount,
      create_time,
    };
    expectSuccess(await send('CUSTOMER.DISPUTE.CREATED', dispute));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'disputed' });
    const dispute_outcome = { outcome_code: 'RESOLVED_BUYER_FAVOUR' };
    expectSuccess(await send('CUSTOMER.DISPUTE.RESOLVED', { ...dispute, dispute_outcome }));
    const links = [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${captureId}` }];
    expectSuccess(await send('PAYMENT.CAPTURE.REVERSED', { id: 'RV1', amount, create_time, links }));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'charged_back' });
  });

  it('disputes each of the orders that one dispute is about, and counts for each its share of what went back', async () => {
    const first = { order, captureId: await paid() };
    order = await anOrder(app.api, shop.shopId, orderRequest);
    const second = { order, captureId: await paid() };
    const transaction = ({ captureId }: { captureId: string }) => ({
      seller_transaction_id: captureId,
      gross_amount: amount,
    });
    const dispute = {
      dispute_id: 'PP-D-4012',
      disputed_transactions: [transaction(first), transaction(second)],
      dispute_amount: { currency_code: 'EUR', value: '39.98' },
      create_time: new Date(Date.now() + 1000).toISOString(),
    };
    expectSuccess(await send('CUSTOMER.DISPUTE.CREATED', dispute));
    for (const one of [first, second]) {
      expect(await stateOf(app.api, one.order)).toMatchObject({ paymentStatus: 'disputed' });
    }
    const ended = (refunded: string) => ({
      ...dispute,
      dispute_outcome: {
        outcome_code: 'RESOLVED_BUYER_FAVOUR',
        amount_refunded: { currency_code: 'EUR', value: refunded },
      },
    });
    expectSuccess(
      await send('CUSTOMER.DISPUTE.RESOLVED', {
        ...ended('20.00'),
        update_time: new Date(Date.now() + 2000).toISOString(),
      }),
    );
    for (const one of [first, second]) {
      expect(await stateOf(app.api, one.order)).toEqual({ ...PAID, paymentStatus: 'partially_refunded' });
    }
    // An appeal of the buyer.
    expectSuccess(
      await send('CUSTOMER.DISPUTE.RESOLVED', {
        ...ended('39.98'),
        update_time: new Date(Date.now() + 3000).toISOString(),
      }),
    );
    for (const one of [first, second]) {
      expect(await stateOf(app.api, one.order)).toMatchObject({ paymentStatus: 'charged_back' });
    }
  });

  it('creates a new order at PayPal after a failed capture', async () => {
    const first = await created();
    const capture = {
      id: `CP${order.id.toUpperCase()}`,
      amount,
      custom_id: order.id,
      supplementary_data: { related_ids: { order_id: first.paymentId } },
      create_time: new Date().toISOString(),
    };
    expectSuccess(await send('PAYMENT.CAPTURE.DENIED', capture));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'failed' });
    expect((await created()).paymentId).not.toBe(first.paymentId);
  });

  it('returns 400 for a request that PayPal did not sign, and requests a certificate from no other host', async () => {
    const { paymentId } = await created();
    const body = JSON.stringify({
      id: 'WH-1',
      event_type: 'CHECKOUT.ORDER.APPROVED',
      resource: { id: paymentId, intent: 'CAPTURE', purchase_units: [{ custom_id: order.id }] },
    });
    const other = await startPayPalApi();
    const headers = paypal.sign(body, WEBHOOK_ID);
    for (const forged of [other.sign(body, WEBHOOK_ID), paypal.sign(body, 'WEBHOOK_ID'), {}]) {
      expectError(await sendRaw(app.api, webhook, body, forged), 400, /^The webhook request/);
    }
    expectError(await sendRaw(app.api, webhook, `${body} `, headers), 400, /^The webhook request/);
    await other.close();
    expect(other.requests).toEqual([]);
    expect(await stateOf(app.api, order)).toEqual(OPEN);
  });

  it('ignores an event of a kind that changes no order', async () => {
    expect(expectSuccess(await send('BILLING.PLAN.CREATED', {}, 'WH-other'))).toEqual(ignored('WH-other'));
  });
});
