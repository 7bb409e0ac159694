import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  MERCADO_PAGO_ACCOUNT,
  mercadoPagoHeaders,
  type MercadoPagoApi,
  startMercadoPagoApi,
} from './mercadopago-api.js';
import { OPEN, PAID, received, stateOf } from './paid-orders.js';
import { aWebhook, sendRaw, type TestWebhook } from './senders.js';

const UNAVAILABLE = 'The payment provider is not available; try again shortly';

let app: TestApp;
let mercadopago: MercadoPagoApi;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };
let webhook: TestWebhook;
let order: TestOrder;

const pay = ({ id, accessToken } = order): Promise<Response> => {
  const headers = { 'X-Order-Token': accessToken };
  return app.api.post(`/orders/public/${id}/payment`, { provider: 'mercadopago' }, { headers });
};
/** What Mercado Pago sends: https://www.mercadopago.com.br/developers/en/docs/your-integrations/notifications/webhooks */
const send = (id: string, type = 'payment', headers = mercadoPagoHeaders(id)): Promise<Response> => {
  const body = { id: 12345, live_mode: true, type, api_version: 'v1', action: `${type}.updated`, data: { id } };
  return sendRaw(app.api, `${webhook.path}?data.id=${id}&type=${type}`, JSON.stringify(body), headers);
};

beforeAll(async () => {
  mercadopago = await startMercadoPagoApi();
  app = await startTestApp({ env: { PROVIDER_URLS: `mercadopago=${mercadopago.url}` } });
  shop = await aShop(app.api, { currency: 'BRL' });
  orderRequest = { productId: await aProduct(app.api, shop, { price: 19.99 }), serverId: await aServer(app.api, shop) };
  webhook = await aWebhook(app.api, shop, 'mercadopago', MERCADO_PAGO_ACCOUNT);
});
beforeEach(async () => {
  mercadopago.mood = 'well';
  mercadopago.creations.length = 0;
  order = await anOrder(app.api, shop.shopId, orderRequest);
});
afterAll(async () => {
  await app.close();
  await mercadopago.close();
});

describe('A payment at Mercado Pago', () => {
  it('creates a payment with the total of the order, and repeats it with the same key and bytes after a 503', async () => {
    const methods = await app.api.get(`/payments/public/${shop.shopId}/methods`);
    expect(expectSuccess(methods)).toEqual([{ provider: 'mercadopago', title: 'Mercado Pago' }]);
    mercadopago.mood = { status: 503, body: { message: MERCADO_PAGO_ACCOUNT.accessToken } };
    expectError(await pay(), 503, UNAVAILABLE);
    mercadopago.mood = 'well';
    const created = expectSuccess<{ paymentId: string; expiresAt: string }>(await pay());
    expect(created).toMatchObject({
      provider: 'mercadopago',
      url: `https://www.mercadopago.com.br/checkout/v1/redirect?pref_id=${created.paymentId}`,
    });
    expect(expectSuccess(await pay())).toEqual(created);
    const [first, second, ...more] = mercadopago.creations;
    expect(second).toEqual(first);
    expect(more).toEqual([]);
    const home = `https://${shop.uniqueName}.shops.localhost`;
    expect(JSON.parse(first?.body ?? '')).toEqual({
      items: [{ id: order.id, title: `Order #${order.number}`, quantity: 1, currency_id: 'BRL', unit_price: 19.99 }],
      external_reference: order.id,
      back_urls: { success: home, pending: home, failure: home },
      auto_return: 'approved',
      expires: true,
      expiration_date_to: created.expiresAt,
    });
    expect(app.output()).toContain('mercadopago: status 503');
    for (const secret of Object.values(MERCADO_PAGO_ACCOUNT)) expect(app.output()).not.toContain(secret);
  });

  it('keeps the preference of a payment after a rejected card', async () => {
    const first = expectSuccess(await pay());
    expectSuccess(await send(mercadopago.pay(order.id, { status: 'rejected' })));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'failed' });
    expect(expectSuccess(await pay())).toEqual(first);
    expectSuccess(await send(mercadopago.pay(order.id)));
    expect(await stateOf(app.api, order)).toEqual(PAID);
  });
});

describe('POST /payments/webhooks/mercadopago/{shopId}/{webhookSecret}', () => {
  it('applies what Mercado Pago returns for the payment: paid, refunded in part, refunded, each once', async () => {
    const id = mercadopago.pay(order.id, { status: 'pending' });
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toEqual({ ...OPEN, paymentStatus: 'processing' });
    mercadopago.change(id, { status: 'approved' });
    expect(expectSuccess(await send(id))).toEqual(received(`${id}-approved`, 'processed'));
    expect(await stateOf(app.api, order)).toEqual(PAID);
    expect(expectSuccess(await send(id))).toEqual(received(`${id}-approved`, 'processed', true));

    const refund = { id: Number(id) + 1, amount: 5, status: 'approved', date_created: '2026-11-21T09:00:00.000-04:00' };
    const waiting = { ...refund, id: Number(id) + 2, amount: 14.99, status: 'in_process' };
    mercadopago.change(id, { refunds: [refund, waiting] });
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'partially_refunded' });
    mercadopago.change(id, { status: 'refunded', refunds: [refund, { ...waiting, status: 'approved' }] });
    expectSuccess(await send(id));
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'refunded' });
  });

  it('opens a dispute for a payment that was charged back, and ends it when Mercado Pago covers it', async () => {
    const id = mercadopago.pay(order.id, { status: 'charged_back' });
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'disputed' });
    const chargeback = `9${id}`;
    mercadopago.chargeBack(chargeback, id);
    expectSuccess(await send(chargeback, 'topic_chargebacks_wh'));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'disputed' });
    mercadopago.chargeBack(chargeback, id, true);
    expectSuccess(await send(chargeback, 'topic_chargebacks_wh'));
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'paid' });
  });

  it('counts for each order its own share of a chargeback about two payments', async () => {
    const other = await anOrder(app.api, shop.shopId, orderRequest);
    const payments = [mercadopago.pay(order.id), mercadopago.pay(other.id)];
    for (const id of payments) expectSuccess(await send(id));
    const chargeback = `8${payments.join('').slice(0, 12)}`;
    mercadopago.chargeBack(chargeback, '1', false);
    const record = mercadopago.records.get(`chargebacks/${chargeback}`);
    mercadopago.records.set(`chargebacks/${chargeback}`, { ...record, payments: payments.map(Number), amount: 20 });
    expectSuccess(await send(chargeback, 'topic_chargebacks_wh'));
    for (const { id } of [order, other]) {
      const events = expectSuccess<{ kind: string; payment: { amount: number } }[]>(
        await app.api.get(`/payments/${shop.shopId}/events?orderId=${id}`, { token: shop.owner.token }),
      );
      expect(events.find(({ kind }) => kind === 'chargeback.lost')?.payment.amount).toBe(10);
    }
    expect(await stateOf(app.api, order)).toEqual({ ...PAID, paymentStatus: 'partially_refunded' });
  });

  it('holds back the deliveries of a paid order after a fraud alert', async () => {
    const id = mercadopago.pay(order.id);
    expectSuccess(await send(id));
    const body = { type: 'stop_delivery_op_wh', action: 'Created', data: { payment_id: Number(id) } };
    const headers = mercadoPagoHeaders(undefined);
    expectSuccess(await sendRaw(app.api, webhook.path, JSON.stringify(body), headers));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'needs_review' });
  });

  it('ignores a payment that Mercado Pago does not know, and marks another amount for review', async () => {
    expect(expectSuccess(await send('123456'))).toEqual({ received: true, events: [] });
    expect(await stateOf(app.api, order)).toEqual(OPEN);
    expectSuccess(await send(mercadopago.pay(order.id, { transaction_amount: 0.01 })));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'needs_review' });
  });

  it('returns 503 while Mercado Pago does not respond, and applies the repetition', async () => {
    const id = mercadopago.pay(order.id);
    mercadopago.mood = { status: 500, body: {} };
    expectError(await send(id), 503, UNAVAILABLE);
    mercadopago.mood = 'well';
    expectSuccess(await send(id));
    expect(await stateOf(app.api, order)).toEqual(PAID);
  });

  it('returns 400 and changes nothing without a valid signature over the id and the time', async () => {
    const id = mercadopago.pay(order.id);
    const other = mercadopago.pay(order.id);
    const now = Date.now();
    const mismatch = /^The webhook request was rejected: the signature in x-signature does not match the body/;
    for (const [headers, sentence] of [
      [{}, 'The webhook request was rejected: it has no header x-signature'],
      [mercadoPagoHeaders(other), mismatch],
      [mercadoPagoHeaders(id, String(now), 'another secret of a webhook'), mismatch],
      [
        mercadoPagoHeaders(id, String(now - 301_500)),
        /^The webhook request was rejected: its timestamp is 30\d seconds /,
      ],
    ] as const) {
      expectError(await send(id, 'payment', headers), 400, sentence);
    }
    expect(await stateOf(app.api, order)).toEqual(OPEN);
    expectSuccess(await send(id, 'payment', mercadoPagoHeaders(id, String(Math.floor(now / 1000)))));
    expect(await stateOf(app.api, order)).toEqual(PAID);
  });
});
