import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { type PageLinks } from '../../src/http/addresses/page-links.js';
import { startPages, Visitor } from '../pages/visitor.js';
import {
  aDiscount,
  aKey,
  anOrder,
  aProduct,
  aServer,
  aShop,
  type TestOrder,
  type TestShop,
} from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { textOf } from '../support/pages.js';
import { idOf, OVERDUE } from '../support/records.js';
import { type TestApp } from '../support/test-app.js';
import {
  MERCADO_PAGO_ACCOUNT,
  mercadoPagoHeaders,
  type MercadoPagoApi,
  startMercadoPagoApi,
} from './mercadopago-api.js';
import { MOLLIE_KEY, type MollieApi, startMollieApi } from './mollie-api.js';
import { PAID, stateOf } from './paid-orders.js';
import { type PayPalApi, startPayPalApi } from './paypal-api.js';
import { aWebhook, payment, sendCustom, sendRaw, sendStripe, type TestWebhook } from './senders.js';
import { startStripeApi, type StripeApi } from './stripe-api.js';

const WEBHOOK_ID = '8PT597110X687430L';
const DAY_MS = 86_400_000;
const WARNING = 'The bank is confirming a payment; send confirmSecondPayment: true to pay once more';
const PROCESSING = { status: 'open', paymentStatus: 'processing', deliveryStatus: 'none' };

interface Created {
  readonly paymentId: string;
}

describe('A payment whose money is on its way', () => {
  let app: TestApp;
  let links: PageLinks;
  let stripe: StripeApi;
  let paypal: PayPalApi;
  let mercadopago: MercadoPagoApi;
  let mollie: MollieApi;
  let shop: TestShop;
  let key: string;
  let orderRequest: { readonly productId: string; readonly serverId: string };
  let webhooks: Record<'stripe' | 'paypal' | 'mercadopago' | 'mollie' | 'custom', TestWebhook>;
  let order: TestOrder;

  beforeAll(async () => {
    [stripe, paypal, mercadopago, mollie] = await Promise.all([
      startStripeApi(),
      startPayPalApi(),
      startMercadoPagoApi(),
      startMollieApi(),
    ]);
    const urls = Object.entries({ stripe, paypal, mercadopago, mollie }).map(([name, { url }]) => `${name}=${url}`);
    const env = { PROVIDER_URLS: urls.join(',') };
    ({ app, links } = await startPages({ env, config: { sweepIntervalMs: 100 } }));
    shop = await aShop(app.api);
    ({ key } = await aKey(app.api, shop));
    orderRequest = {
      productId: await aProduct(app.api, shop, { price: 19.99 }),
      serverId: await aServer(app.api, shop),
    };
    const paypalApp = { clientId: 'AeA1QIZXiflr1_-4hGYSl6', clientSecret: 'EGnHDxD_qRPdaLdZz8iCr8N7_MzF' };
    webhooks = {
      stripe: await aWebhook(app.api, shop, 'stripe', {
        signingSecret: 'whsec_test_secret_of_an_endpoint',
        secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
      }),
      paypal: await aWebhook(app.api, shop, 'paypal', { ...paypalApp, webhookId: WEBHOOK_ID }),
      mercadopago: await aWebhook(app.api, shop, 'mercadopago', MERCADO_PAGO_ACCOUNT),
      mollie: await aWebhook(app.api, shop, 'mollie', { apiKey: MOLLIE_KEY }),
      custom: await aWebhook(app.api, shop, 'custom', { paymentUrl: 'https://pay.example.com/{paymentId}' }),
    };
    await aWebhook(app.api, shop, 'test');
  });
  beforeEach(async () => {
    order = await anOrder(app.api, shop.shopId, orderRequest);
  });
  afterAll(async () => {
    await app.close();
    for (const api of [stripe, paypal, mercadopago, mollie]) await api.close();
  });

  const pay = (provider: string, more: object = {}): Promise<Response> =>
    app.api.post(
      `/orders/public/${order.id}/payment`,
      { provider, ...more },
      { headers: { 'X-Order-Token': order.accessToken } },
    );
  const created = async (provider: string, more: object = {}): Promise<string> =>
    expectSuccess<Created>(await pay(provider, more)).paymentId;
  const state = () => stateOf(app.api, order);
  const sendSession = (type: string, id: string, status: string): Promise<Response> => {
    const session = { id, payment_intent: `pi_${id}`, amount_total: 1999, currency: 'eur', metadata: {} };
    return sendStripe(app.api, webhooks.stripe, type, {
      ...session,
      payment_status: status,
      client_reference_id: order.id,
    });
  };
  const custom = (type: string, changes: object = {}): Promise<Response> =>
    sendCustom(app.api, webhooks.custom, payment(order, { type, ...changes }));
  const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
  const changeOrder = (fields: object): Promise<unknown> =>
    inDatabase(app, (database) => database.collection('orders').updateOne({ _id: idOf(order.id) }, { $set: fields }));

  it.each<[string, () => Promise<Response>]>([
    [
      'a Stripe session that completes unpaid',
      async () => sendSession('checkout.session.completed', await created('stripe'), 'unpaid'),
    ],
    [
      'a Stripe payment intent that is processing',
      () =>
        sendStripe(app.api, webhooks.stripe, 'payment_intent.processing', {
          ...{ id: `pi_${order.id}`, amount: 1999, currency: 'eur', metadata: { orderId: order.id } },
        }),
    ],
    [
      'a PayPal capture that is pending',
      () => {
        const amount = { currency_code: 'EUR', value: '19.99' };
        const times = { create_time: '2026-11-21T08:00:00Z', update_time: '2026-11-21T08:00:00Z' };
        const resource = { id: '42311647XV020574X', status: 'PENDING', amount, custom_id: order.id, ...times };
        const details = { status_details: { reason: 'ECHECK' } };
        const event = { event_type: 'PAYMENT.CAPTURE.PENDING', resource: { ...resource, ...details } };
        const body = JSON.stringify({ id: `WH-${order.id}`, ...event });
        return sendRaw(app.api, webhooks.paypal.path, body, paypal.sign(body, WEBHOOK_ID));
      },
    ],
    ...(['pending', 'in_process'] as const).map((status): [string, () => Promise<Response>] => [
      `a Mercado Pago payment that is ${status}`,
      () => {
        const id = mercadopago.pay(order.id, { status, currency_id: 'EUR', transaction_amount: 19.99 });
        const path = `${webhooks.mercadopago.path}?data.id=${id}&type=payment`;
        return sendRaw(app.api, path, JSON.stringify({ type: 'payment', data: { id } }), mercadoPagoHeaders(id));
      },
    ]),
    [
      'a Mollie payment that is pending',
      async () => {
        const id = await created('mollie');
        mollie.change(id, { status: 'pending' });
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
        return sendRaw(app.api, webhooks.mollie.path, `id=${id}`, headers);
      },
    ],
    ["an event of the shop's own payment system", () => custom('payment.processing')],
  ])('makes the order processing: %s', async (_, send) => {
    expectSuccess(await send());
    expect(await state()).toEqual(PROCESSING);
    expectError(await pay('test'), 409, WARNING);
  });

  it('requires a confirmation for a second payment, which never has the address of the finished one', async () => {
    const first = await created('stripe');
    expectSuccess(await sendSession('checkout.session.completed', first, 'unpaid'));
    const rejected = await pay('stripe');
    expectError(rejected, 409, WARNING);
    expect(rejected.headers['x-error-code']).toBe('payment_processing');
    expectError(
      await pay('stripe', { confirmSecondPayment: 'yes' }),
      400,
      /confirmSecondPayment must be true or false/,
    );
    const second = await created('stripe', { confirmSecondPayment: true });
    expect(second).not.toBe(first);
    expect(await created('stripe', { confirmSecondPayment: true })).toBe(second);
    // The buyer leaves it, and the bank fails the first one.
    expectSuccess(await sendSession('checkout.session.async_payment_failed', first, 'unpaid'));
    expect(await state()).toMatchObject({ status: 'open', paymentStatus: 'failed' });
    expect(await created('stripe')).toBe(second);
  });

  it('offers a payment no more after the bank has failed it, whatever happened at another provider in between', async () => {
    const first = await created('stripe');
    expectSuccess(await sendSession('checkout.session.completed', first, 'unpaid'));
    expectSuccess(await sendSession('checkout.session.async_payment_failed', first, 'unpaid'));
    expectSuccess(await custom('payment.failed', { occurredAt: inSeconds(60) }));
    expect(await created('stripe')).not.toBe(first);
  });

  it('keeps the order, its stock and its discount until the limit of the provider, and no longer', async () => {
    const { code } = await aDiscount(app.api, shop, { maxUses: 1 });
    const productId = await aProduct(app.api, shop, { price: 19.99, stock: 1 });
    order = await anOrder(app.api, shop.shopId, { ...orderRequest, productId, discountCode: code });
    const other = await anOrder(app.api, shop.shopId, orderRequest);
    expectSuccess(await custom('payment.processing', { occurredAt: inSeconds(0) }));
    const stored = await inDatabase(app, (db) => db.collection('orders').findOne({ _id: idOf(order.id) }));
    expect((stored?.['awaitedUntil'] as Date).getTime()).toBeGreaterThan(Date.now() + 13 * DAY_MS);
    expect(stored?.['expiryDueAt']).toEqual(stored?.['awaitedUntil']);

    // The time to pay is over, and the job has come by, as for the other order.
    await changeOrder(OVERDUE);
    await inDatabase(app, (db) => db.collection('orders').updateOne({ _id: idOf(other.id) }, { $set: OVERDUE }));
    await eventually(async () => (await stateOf(app.api, other)).status === 'expired');
    expect(await state()).toEqual(PROCESSING);
    expectError(await pay('test', { confirmSecondPayment: true }), 409, /^The order cannot be paid/);
    const stock = async (): Promise<unknown> => {
      const products = expectSuccess<{ id: string }[]>(await app.api.get(`/products/public/${shop.shopId}`));
      return products.find(({ id }) => id === productId);
    };
    expect(await stock()).toMatchObject({ stock: 0 });
    const validation = { code, orderValue: 19.99 };
    const valid = await app.api.post(`/discounts/${shop.shopId}/validate`, validation, { key });
    expect(expectSuccess(valid)).toMatchObject({ valid: false });

    await changeOrder({ awaitedUntil: new Date(), expiryDueAt: new Date() });
    await eventually(async () => (await state()).status === 'expired');
    expect(await stock()).toMatchObject({ stock: 1 });
  });

  it('keeps the order processing when a second payment fails', async () => {
    expectSuccess(await custom('payment.processing', { occurredAt: inSeconds(-60) }));
    const second = await created('stripe', { confirmSecondPayment: true });
    expectSuccess(await sendSession('checkout.session.async_payment_failed', second, 'unpaid'));
    expect(await state()).toEqual(PROCESSING);
    expectSuccess(await custom('payment.failed', { occurredAt: inSeconds(0) }));
    expect(await state()).toMatchObject({ paymentStatus: 'failed' });
  });

  it('lets the order expire as soon as the bank fails its payment after the time to pay', async () => {
    expectSuccess(await custom('payment.processing', { occurredAt: inSeconds(-60) }));
    await changeOrder({ expiresAt: new Date() });
    expectSuccess(await custom('payment.failed', { occurredAt: inSeconds(0) }));
    await eventually(async () => (await state()).status === 'expired');
  });

  it('completes the order when the bank confirms its payment, whichever report arrives first', async () => {
    const first = await created('stripe');
    expectSuccess(await sendSession('checkout.session.async_payment_succeeded', first, 'paid'));
    expectSuccess(await sendSession('checkout.session.completed', first, 'unpaid'));
    expect(await state()).toEqual(PAID);
  });

  it('explains money on its way on the page of the order, which takes a second payment only after a warning', async () => {
    const visitor = new Visitor(app.baseUrl);
    expectSuccess(await custom('payment.processing'));
    const { html } = await visitor.go(links.order(shop.uniqueName, order.id));
    expect(textOf(html, 'payment')).toBe('Your bank is confirming the payment. This can take several days');
    expect(html).toContain('If you pay now, you may pay twice');
    const unconfirmed = await visitor.submit('payment', { provider: 'test', confirmSecondPayment: 'false' });
    expect([unconfirmed.status, textOf(unconfirmed.html, 'alert')]).toEqual([
      409,
      expect.stringContaining('If you pay now, you may pay twice'),
    ]);
    const confirmed = await visitor.submit('payment', { provider: 'test' });
    expect(confirmed.html).toContain('http-equiv="refresh"');
    const german = await visitor.go(links.order(shop.uniqueName, order.id), { 'Accept-Language': 'de' });
    expect(textOf(german.html, 'payment')).toBe('Deine Bank bestätigt die Zahlung gerade. Das kann einige Tage dauern');
  });

  it('sets an order to processing with the test provider', async () => {
    const { url } = expectSuccess<{ url: string }>(await pay('test'));
    const page = new URL(url).pathname.replace('/api/v2', '');
    expect((await app.api.call('post', `${page}/process`, {})).status).toBe(303);
    expect(await state()).toEqual(PROCESSING);
    expect((await app.api.call('post', `${page}/succeed`, {})).status).toBe(303);
    expect(await state()).toEqual(PAID);
  });
});
