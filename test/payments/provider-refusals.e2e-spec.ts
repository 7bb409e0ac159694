import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { MOLLIE_KEY, type MollieApi, startMollieApi } from './mollie-api.js';
import { PAID, stateOf } from './paid-orders.js';
import { type PayPalApi, startPayPalApi } from './paypal-api.js';
import { aWebhook, sendRaw, sendStripe, type TestWebhook } from './senders.js';
import { type StripeApi, startStripeApi } from './stripe-api.js';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const SIGNING_SECRET = 'whsec_of_an_endpoint_of_the_shop';
const REFUSED = 'Stripe refused a payment: Not possible with Bearer [redacted]';
const FAILING = /Subject: Buyers cannot pay with/;

let app: TestApp;
let stripe: StripeApi;
let paypal: PayPalApi;
let mollie: MollieApi;
let shop: TestShop;

const call = (): { token: string } => ({ token: shop.owner.token });
const path = (provider: string, action = ''): string => `/payments/${shop.shopId}/providers/${provider}${action}`;
const listed = async (): Promise<unknown> =>
  expectSuccess<unknown[]>(await app.api.get(`/payments/${shop.shopId}/providers`, call()))[0];
const order = async (): Promise<TestOrder> =>
  anOrder(app.api, shop.shopId, {
    productId: await aProduct(app.api, shop, { price: 19.99 }),
    serverId: await aServer(app.api, shop),
  });
const pay = ({ id, accessToken }: TestOrder, provider: string): Promise<Response> =>
  app.api.post(`/orders/public/${id}/payment`, { provider }, { headers: { 'X-Order-Token': accessToken } });
const withStripe = (): Promise<TestWebhook> =>
  aWebhook(app.api, shop, 'stripe', { secretKey: KEY, signingSecret: SIGNING_SECRET });
const mails = async (pattern: RegExp): Promise<string[]> =>
  (await app.mailbox.all()).filter((mail) => mail.includes(shop.owner.email) && pattern.test(mail));

beforeAll(async () => {
  stripe = await startStripeApi();
  paypal = await startPayPalApi();
  mollie = await startMollieApi();
  const PROVIDER_URLS = `stripe=${stripe.url},paypal=${paypal.url},mollie=${mollie.url}`;
  app = await startTestApp({ env: { PROVIDER_URLS, PUBLIC_URL: 'https://shops.example.com' } });
});
beforeEach(async () => {
  stripe.mood = 'well';
  paypal.mood = 'well';
  mollie.mood = 'well';
  shop = await aShop(app.api);
});
afterAll(async () => {
  await app.close();
  await Promise.all([stripe.close(), paypal.close(), mollie.close()]);
});

describe('a provider that accepts the credentials and refuses the payments', () => {
  it('gives the buyer an error that is no outage, and the owner the reason, until a payment works', async () => {
    await withStripe();
    const bought = await order();
    stripe.mood = 'not activated';
    const refused = await pay(bought, 'stripe');
    expectError(refused, 503, 'The payment provider refuses this payment; pay in another way, or contact the shop');
    expect(refused.headers['x-error-code']).toBe('provider_refused');
    const failing = { lastError: REFUSED, failingSince: anInstant, checkedAt: anInstant, canStartPayments: false };
    expect(await listed()).toMatchObject(failing);
    const [mail] = await app.mailbox.next(shop.owner.email, /Stripe refused a payment to your shop[^]*/);
    expect(mail).toContain('/docs#/Payments/PaymentProviders_check');
    expect(mail).not.toContain(KEY);

    // The credentials are right, so the check alone does not show that buyers can pay again.
    const report = expectSuccess<{ checks: unknown[] }>(await app.api.post(path('stripe', '/check'), {}, call()));
    expect(report).toMatchObject({ canStartPayments: false });
    const message = `Stripe accepts this secret key, but the last payment failed: ${REFUSED}`;
    expect(report.checks[0]).toEqual({ name: 'credentials', ok: false, message });

    stripe.mood = 'well';
    expectSuccess(await pay(bought, 'stripe'));
    expect(await listed()).toMatchObject({ lastError: null, failingSince: null, canStartPayments: true });
  });

  it('is heard at Mollie too, without the key that the sentence repeats', async () => {
    await aWebhook(app.api, shop, 'mollie', { apiKey: MOLLIE_KEY });
    mollie.mood = { status: 422, body: { title: 'Unprocessable Entity', detail: `No method for ${MOLLIE_KEY}` } };
    expect((await pay(await order(), 'mollie')).headers['x-error-code']).toBe('provider_refused');
    expect(await listed()).toMatchObject({ lastError: 'Mollie refused a payment: No method for [redacted]' });
  });

  it('is heard when PayPal refuses the capture after the buyer has approved, and PayPal reports the approval again', async () => {
    const app_ = { clientId: 'AeA1QIZXiflr1_-4hGYSl6', clientSecret: 'EGnHDxD_qRPdaLdZz8iCr8N7_MzF' };
    const webhook = await aWebhook(app.api, shop, 'paypal', app_);
    const bought = await order();
    const { paymentId } = expectSuccess<{ paymentId: string }>(await pay(bought, 'paypal'));
    const purchase_units = [{ custom_id: bought.id, payee: { merchant_id: paypal.merchantId } }];
    const resource = { id: paymentId, intent: 'CAPTURE', status: 'APPROVED', purchase_units };
    const body = JSON.stringify({ id: 'WH-1', event_type: 'CHECKOUT.ORDER.APPROVED', resource });
    const webhookId = paypal.webhooks.at(-1)?.id ?? '';
    const send = (): Promise<Response> => sendRaw(app.api, webhook.path, body, paypal.sign(body, webhookId));
    paypal.mood = 'restricted';
    expect((await send()).headers['x-error-code']).toBe('provider_refused');
    expect(await listed()).toMatchObject({
      lastError: 'PayPal refused a payment: Not possible',
      canStartPayments: false,
    });
    paypal.mood = 'well';
    expectSuccess(await send());
    expect(await stateOf(app.api, bought)).toMatchObject(PAID);
  });
});

describe('a key that lacks only the permission for refunds', () => {
  it('fails the refund at once, and says nothing about the payments of buyers', async () => {
    const webhook = await withStripe();
    const bought = await order();
    const paid = { payment_intent: 'pi_1', currency: 'eur', payment_status: 'paid', amount_total: 1999 };
    const session = { ...paid, id: 'cs_1', client_reference_id: bought.id };
    expectSuccess(await sendStripe(app.api, webhook, 'checkout.session.completed', session));
    stripe.mood = 'no refunds';
    const refund = await app.api.post(
      `/payments/${shop.shopId}/${bought.id}/refund`,
      { reason: 'Bought twice' },
      {
        ...call(),
        headers: { 'Idempotency-Key': `refund-${bought.id}` },
      },
    );
    expectError(refund, 409, /not_permitted/);
    expect(await listed()).toMatchObject({ lastError: null, failingSince: null, canStartPayments: true });
    // The email about the failed refund is later than one about the provider would be.
    await eventually(async () => ((await mails(/refund/i)).length > 0 ? true : undefined));
    expect(await mails(FAILING)).toEqual([]);
  });
});
