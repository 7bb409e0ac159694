import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type LocalApi, startLocalApi } from './local-api.js';
import { PAID, stateOf } from './paid-orders.js';
import { type PayPalApi, startPayPalApi } from './paypal-api.js';
import { aWebhook, payment, sendCustom, sendRaw, sendStripe } from './senders.js';
import { type StripeApi, startStripeApi } from './stripe-api.js';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const PAYPAL_APP = { clientId: 'AeA1QIZXiflr1_-4hGYSl6', clientSecret: 'EGnHDxD_qRPdaLdZz8iCr8N7_MzF' };

interface Listed {
  readonly provider: string;
  readonly credentials: readonly string[];
  readonly missing: readonly string[];
}
interface Configured extends Listed {
  readonly webhookUrl: string | null;
}
interface Report {
  readonly checks: readonly { name: string; ok: boolean | null; message: string }[];
  readonly canStartPayments: boolean;
  readonly missing: readonly string[];
}

let app: TestApp;
let stripe: StripeApi;
let paypal: PayPalApi;
let others: LocalApi;
/** The status of the other providers. */
let status: number;
let shop: TestShop;

const call = (): { token: string } => ({ token: shop.owner.token });
const base = (): string => `/payments/${shop.shopId}/providers`;
const put = (provider: string, credentials: object, enabled = true): Promise<Response> =>
  app.api.put(`${base()}/${provider}`, { enabled, credentials }, call());
const configured = async (provider: string, credentials: object): Promise<Configured> =>
  expectSuccess<Configured>(await put(provider, credentials), 'Payment provider configured');
const list = async (): Promise<Listed[]> => expectSuccess<Listed[]>(await app.api.get(base(), call()));
const check = async (provider: string): Promise<Report> =>
  expectSuccess<Report>(
    await app.api.post(`${base()}/${provider}/check`, undefined, call()),
    'Payment provider checked',
  );
const pathOf = (url: string | null): string => new URL(url ?? '').pathname.slice('/api/v2'.length);
const pay = ({ id, accessToken }: TestOrder, provider: string): Promise<Response> =>
  app.api.post(`/orders/public/${id}/payment`, { provider }, { headers: { 'X-Order-Token': accessToken } });
async function orderOf(price = 19.99): Promise<TestOrder> {
  const goods = { productId: await aProduct(app.api, shop, { price }), serverId: await aServer(app.api, shop) };
  return anOrder(app.api, shop.shopId, goods);
}

beforeAll(async () => {
  stripe = await startStripeApi();
  paypal = await startPayPalApi();
  others = await startLocalApi(() => ({ status, body: {} }));
  const PROVIDER_URLS = [
    `stripe=${stripe.url}`,
    `paypal=${paypal.url}`,
    ...['mollie', 'yookassa', 'mercadopago', 'coinbase'].map((name) => `${name}=${others.url}`),
  ].join(',');
  app = await startTestApp({ env: { PROVIDER_URLS, PUBLIC_URL: 'https://shops.example.com' } });
});
beforeEach(async () => {
  stripe.mood = 'well';
  stripe.endpoints.length = 0;
  paypal.mood = 'well';
  paypal.clientSecret = null;
  paypal.webhooks.length = 0;
  status = 200;
  shop = await aShop(app.api);
});
afterAll(async () => {
  await app.close();
  await Promise.all([stripe.close(), paypal.close(), others.close()]);
});

describe('PUT /payments/{shopId}/providers/{provider}', () => {
  it('registers the webhook of stripe with all events and stores its signing secret, so that a signed event is accepted', async () => {
    const first = await configured('stripe', { secretKey: KEY });
    expect(first).toMatchObject({
      ...{ credentials: ['secretKey', 'signingSecret'], mode: 'test', checkedAt: anInstant, webhookRegistered: true },
      ...{ missing: [], canStartPayments: true, lastEventAt: null, lastRejectedAt: null, lastError: null },
    });
    expect(stripe.endpoints).toEqual([
      expect.objectContaining({ url: first.webhookUrl, enabled_events: expect.arrayContaining(['charge.refunded']) }),
    ]);
    const signingSecret = stripe.endpointSecrets.at(-1) ?? '';
    const webhook = { provider: 'stripe', path: pathOf(first.webhookUrl), secret: '', signingSecret };
    expectSuccess(await sendStripe(app.api, webhook, 'customer.created', { id: 'cus_1' }));
    expectSuccess(await pay(await orderOf(), 'stripe'));
  });

  it('makes no second webhook when it is repeated, and corrects the address that a rotation could not', async () => {
    await configured('stripe', { secretKey: KEY });
    await configured('stripe', {});
    stripe.mood = 'overloaded';
    const rotated = expectSuccess<Configured>(await app.api.post(`${base()}/stripe/rotate-secret`, {}, call()));
    expect(rotated).toMatchObject({ webhookRegistered: null });
    stripe.mood = 'well';
    expect((await check('stripe')).checks).toContainEqual({
      name: 'webhook',
      ok: false,
      message: 'Stripe has an earlier address of the webhook: save the settings again to correct it',
    });
    expect(await configured('stripe', {})).toMatchObject({ webhookRegistered: true });
    expect(stripe.endpoints.map(({ url }) => url)).toEqual([rotated.webhookUrl]);
    expect((await check('stripe')).checks).toContainEqual({
      name: 'webhook',
      ok: true,
      message: 'Stripe has the webhook',
    });
  });

  it('registers no address but the stored one when several requests configure a provider at once', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => put('stripe', { secretKey: KEY })));
    const saved = responses
      .filter(({ status }) => status === 200)
      .map((response) => expectSuccess<Configured>(response));
    const webhookUrl = saved.map((one) => one.webhookUrl).find((url) => url !== null) ?? '';
    expect([...new Set(stripe.endpoints.map(({ url }) => url))]).toEqual([webhookUrl]);
    expect(await list()).toMatchObject([{ webhookRegistered: true, missing: [] }]);
  });

  it('registers one webhook however many requests save the settings meanwhile, and rejects these', async () => {
    let goOn = (): void => undefined;
    let begun = (): void => undefined;
    const isCreating = new Promise<void>((resolve) => (begun = resolve));
    const isSlow = new Promise<void>((resolve) => (goOn = resolve));
    stripe.beforeEndpoint = () => {
      begun();
      return isSlow;
    };
    const first = put('stripe', { secretKey: KEY }).then((response) => expectSuccess<Configured>(response));
    await isCreating;
    const again =
      'Another request is registering the webhook of this provider. Repeat yours in some seconds, it has changed nothing';
    for (const request of [
      put('stripe', { secretKey: KEY }),
      app.api.post(`${base()}/stripe/rotate-secret`, {}, call()),
      app.api.delete(`${base()}/stripe`, call()),
    ]) {
      expectError(await request, 409, again);
    }
    goOn();
    const { webhookUrl } = await first;
    stripe.beforeEndpoint = () => Promise.resolve();
    await configured('stripe', {});
    expect(stripe.endpoints.map(({ url }) => url)).toEqual([webhookUrl]);
  });

  it('keeps one of several webhooks, whose secret it knows', async () => {
    const { webhookUrl } = await configured('stripe', { secretKey: KEY });
    stripe.endpoints.push({ id: 'we_second', url: webhookUrl ?? '', status: 'enabled', enabled_events: ['*'] });
    await configured('stripe', {});
    expect(stripe.endpoints.map(({ url }) => url)).toEqual([webhookUrl]);
    const signingSecret = stripe.endpointSecrets.at(-1) ?? '';
    const webhook = { provider: 'stripe', path: pathOf(webhookUrl), secret: '', signingSecret };
    expectSuccess(await sendStripe(app.api, webhook, 'customer.created', { id: 'cus_1' }));
  });

  it('finds and removes the webhook of the shop beside others that cannot be read', async () => {
    const unreadable = [
      null,
      5,
      {},
      { id: 'we_1' },
      { id: 'we_2', url: 'https://other.example.com/', enabled_events: 5 },
    ];
    stripe.endpoints.push(...(unreadable as unknown as StripeApi['endpoints']));
    paypal.webhooks.push({ id: '', url: 'https://other.example.com/', event_types: [] });
    for (const [provider, credentials] of [
      ['stripe', { secretKey: KEY }],
      ['paypal', PAYPAL_APP],
    ] as const) {
      expect(await configured(provider, credentials)).toMatchObject({ webhookRegistered: true });
      expect((await check(provider)).checks).toContainEqual(expect.objectContaining({ name: 'webhook', ok: true }));
      expectSuccess(await app.api.delete(`${base()}/${provider}`, call()));
    }
    expect([stripe.endpoints, paypal.webhooks.map(({ id }) => id)]).toEqual([unreadable, ['']]);
  });

  it('pays no order by an event of the test mode at a live key', async () => {
    const { webhookUrl } = await configured('stripe', { secretKey: 'rk_live_12345678' });
    const signingSecret = stripe.endpointSecrets.at(-1) ?? '';
    const webhook = { provider: 'stripe', path: pathOf(webhookUrl), secret: '', signingSecret };
    const order = await orderOf();
    const intent = { id: 'pi_1', amount_received: 1999, currency: 'eur', metadata: { orderId: order.id } };
    const send = (livemode: boolean): Promise<Response> =>
      sendStripe(app.api, webhook, 'payment_intent.succeeded', intent, { more: { livemode } });
    expectSuccess(await send(false));
    expect((await stateOf(app.api, order)).paymentStatus).toBe('pending');
    const events = await app.api.get(`/payments/${shop.shopId}/events`, call());
    expect(expectSuccess(events)).toMatchObject([
      { state: 'ignored', problem: expect.stringContaining('livemode: false') },
    ]);
    expectSuccess(await send(true));
    expect(await stateOf(app.api, order)).toMatchObject(PAID);
  });

  it('keeps the signing secret that the shop sends, and registers nothing', async () => {
    const signingSecret = 'whsec_of_an_endpoint_of_the_shop';
    const { webhookUrl } = await configured('stripe', { secretKey: KEY, signingSecret });
    expect(stripe.endpoints).toEqual([]);
    const webhook = { provider: 'stripe', path: pathOf(webhookUrl), secret: '', signingSecret };
    expectSuccess(await sendStripe(app.api, webhook, 'customer.created', { id: 'cus_1' }));
    expect(await list()).toMatchObject([{ webhookRegistered: false, lastEventAt: anInstant }]);
  });

  it('registers the webhook of paypal, and reads its id and the merchant', async () => {
    expect(await configured('paypal', PAYPAL_APP)).toMatchObject({
      credentials: ['clientId', 'clientSecret', 'merchantId', 'webhookId'],
      ...{ webhookRegistered: true, missing: [], canStartPayments: true },
    });
    await configured('paypal', {});
    expect(paypal.webhooks).toHaveLength(1);
    expect((await check('paypal')).checks.find(({ name }) => name === 'webhook')?.ok).toBe(true);
  });

  it('reads the merchant of paypal when the settings are saved again after an outage, and keeps it when only the webhook changes', async () => {
    paypal.mood = 'overloaded';
    expect(await configured('paypal', PAYPAL_APP)).toMatchObject({ credentials: ['clientId', 'clientSecret'] });
    paypal.mood = 'well';
    expect((await check('paypal')).checks).toContainEqual({
      name: 'credentials',
      ok: false,
      message: 'The service has not read the account from PayPal yet: save the settings again',
    });
    await configured('paypal', {});
    paypal.mood = 'overloaded';
    const credentials = ['clientId', 'clientSecret', 'merchantId', 'webhookId'];
    expect(await configured('paypal', { webhookId: '7HW21342XB983605H' })).toMatchObject({ credentials });
  });

  it('saves a key that is not allowed to register webhooks, and says which credential is missing', async () => {
    stripe.mood = 'no webhooks';
    const saved = await configured('stripe', { secretKey: KEY });
    expect(saved).toMatchObject({ missing: ['signingSecret'], canStartPayments: false, webhookRegistered: null });
    expectError(
      await sendRaw(app.api, pathOf(saved.webhookUrl), '{}'),
      400,
      'The webhook request was rejected: the shop has not saved the signingSecret of this provider',
    );
    expectError(await pay(await orderOf(), 'stripe'), 404, 'The shop has no such payment method');
  });

  it.each<[string, object, string]>([
    ['mollie', { apiKey: `live_${'a'.repeat(30)}` }, 'Mollie rejected this API key'],
    ['yookassa', { shopId: '1', secretKey: `test_${'a'.repeat(30)}` }, 'YooKassa rejected this shop id or secret key'],
    ['mercadopago', { accessToken: `TEST-${'a'.repeat(30)}` }, 'Mercado Pago rejected this access token'],
    [
      'coinbase',
      { apiKeyId: '11111111-2222-3333-4444-555555555555', apiKeySecret: `${'A'.repeat(86)}==` },
      'Coinbase rejected this API key',
    ],
  ])('returns 400 for credentials that %s rejects, and stores nothing', async (provider, credentials, sentence) => {
    status = 401;
    expectError(await put(provider, credentials), 400, sentence);
    expect(await list()).toEqual([]);
  });

  it('returns 400 for a key that stripe rejects or that lacks permissions, and for an app that paypal rejects', async () => {
    stripe.mood = 'rejecting';
    expectError(await put('stripe', { secretKey: KEY }), 400, 'Stripe rejected this secret key');
    paypal.clientSecret = 'another';
    expectError(await put('paypal', PAYPAL_APP), 400, 'PayPal rejected this client id or its secret');
    paypal.clientSecret = null;
    paypal.mood = 'rejecting';
    expectError(await put('paypal', PAYPAL_APP), 400, /^PayPal does not allow this client id or its secret to do/);
    expect(await list()).toEqual([]);
  });

  it('saves the credentials of a provider that cannot be reached as unchecked', async () => {
    stripe.mood = 'overloaded';
    const signingSecret = 'whsec_of_an_endpoint_of_the_shop';
    expect(await configured('stripe', { secretKey: KEY, signingSecret })).toMatchObject({
      ...{ checkedAt: null, webhookRegistered: null, canStartPayments: true },
    });
    expect((await check('stripe')).checks[0]).toEqual({
      name: 'credentials',
      ok: null,
      message: 'Stripe could not be reached: check again later',
    });
  });

  it('switches a provider off although its key no longer works', async () => {
    await configured('stripe', { secretKey: KEY });
    stripe.mood = 'rejecting';
    expectSuccess(await put('stripe', {}, false));
  });
});

describe('POST /payments/{shopId}/providers/{provider}/rotate-secret', () => {
  const rotate = async (provider: string, graceSeconds = 0): Promise<Configured> =>
    expectSuccess<Configured>(await app.api.post(`${base()}/${provider}/rotate-secret`, { graceSeconds }, call()));

  it('corrects the address at stripe and at paypal at once, so that no report is lost', async () => {
    await configured('stripe', { secretKey: KEY });
    await configured('paypal', PAYPAL_APP);
    const [atStripe, atPayPal] = [await rotate('stripe'), await rotate('paypal')];
    expect([atStripe, atPayPal]).toMatchObject([{ webhookRegistered: true }, { webhookRegistered: true }]);
    expect(stripe.endpoints.map(({ url }) => url)).toEqual([atStripe.webhookUrl]);
    expect(paypal.webhooks.map(({ url }) => url)).toEqual([atPayPal.webhookUrl]);
    expect(await list()).toMatchObject([{ webhookRegistered: true }, { webhookRegistered: true }]);
  });

  it('informs the owners about reports to an earlier address, also one before several rotations, and says what to do', async () => {
    const webhook = await aWebhook(app.api, shop, 'custom');
    await rotate('custom');
    await rotate('custom');
    const body = payment(await orderOf());
    expectError(await sendCustom(app.api, webhook, body), 404, 'There is no such webhook');
    const reason = /^The request came to an earlier address of the webhook, .*: enter the present address/;
    expect(await list()).toMatchObject([{ lastRejectedAt: anInstant, lastRejection: expect.stringMatching(reason) }]);
    const [mail] = await app.mailbox.next(shop.owner.email, /Reports of payments from custom are rejected[^]*/);
    expect(mail).toContain('an earlier address');
    const events = await app.api.get(`/payments/${shop.shopId}/events?state=rejected`, call());
    expect(expectSuccess(events)).toMatchObject([{ attempts: 1, problem: expect.stringMatching(reason) }]);
  });
});

describe('a provider that is switched off', () => {
  it('starts no payment, and still reports about the earlier ones', async () => {
    const paymentUrl = 'https://pay.example.com/{orderId}';
    const webhook = await aWebhook(app.api, shop, 'custom', { paymentUrl });
    const order = await orderOf();
    expectSuccess(await pay(order, 'custom'));
    expect(expectSuccess(await put('custom', {}, false))).toMatchObject({ enabled: false, canStartPayments: false });
    expectError(await pay(await orderOf(), 'custom'), 404, 'The shop has no such payment method');
    expectSuccess(await sendCustom(app.api, webhook, payment(order)));
    expect(await stateOf(app.api, order)).toMatchObject(PAID);
    expectSuccess(await sendCustom(app.api, webhook, payment(order, { type: 'refund.succeeded', refundId: 'r1' })));
    expect((await stateOf(app.api, order)).paymentStatus).toBe('refunded');
  });
});

describe('POST /payments/{shopId}/providers/{provider}/check', () => {
  it('reports each check of a provider that works', async () => {
    await configured('stripe', { secretKey: KEY });
    expect(await check('stripe')).toEqual({
      checks: [
        { name: 'credentials', ok: true, message: 'Stripe accepts this secret key' },
        { name: 'mode', ok: true, message: 'Test mode: buyers can pay without money' },
        { name: 'webhook', ok: true, message: 'Stripe has the webhook' },
        { name: 'currency', ok: true, message: 'Stripe can charge EUR, the currency of the shop' },
        { name: 'minimum', ok: true, message: 'Stripe charges 0.50 EUR or more' },
        { name: 'last_event', ok: null, message: 'No event has arrived yet' },
      ],
      canStartPayments: true,
      missing: [],
    });
  });

  it('says what is wrong: a product below the minimum, a webhook that is gone, a key that no longer works', async () => {
    await orderOf(0.2);
    await configured('stripe', { secretKey: KEY });
    stripe.endpoints.length = 0;
    expect((await check('stripe')).checks).toEqual(
      expect.arrayContaining([
        {
          name: 'webhook',
          ok: false,
          message: 'Stripe does not have the webhook: save the settings again to register it',
        },
        {
          name: 'minimum',
          ok: false,
          message: 'Stripe charges 0.50 EUR or more, and the cheapest product costs 0.20 EUR',
        },
      ]),
    );
    stripe.mood = 'rejecting';
    expect(await check('stripe')).toMatchObject({
      checks: [{ ok: false, message: 'Stripe rejected this secret key' }, {}, {}, {}, {}, {}],
      canStartPayments: false,
    });
    expect(await list()).toMatchObject([{ lastError: 'Stripe rejected this secret key', failingSince: anInstant }]);
    stripe.mood = 'well';
    expect(await check('stripe')).toMatchObject({ canStartPayments: true });
    expect(await list()).toMatchObject([{ lastError: null, failingSince: null }]);
  });

  it('names the page that custom lacks, and the requests that were rejected', async () => {
    const webhook = await aWebhook(app.api, shop, 'custom');
    expect(await check('custom')).toMatchObject({ canStartPayments: false, missing: ['paymentUrl'] });
    expectError(await sendRaw(app.api, webhook.path, '{}'), 400, /./);
    expect(await list()).toMatchObject([{ missing: ['paymentUrl'], lastRejectedAt: anInstant, lastEventAt: null }]);
    expect((await check('custom')).checks.at(-1)).toEqual({
      name: 'last_event',
      ok: false,
      message: expect.stringMatching(
        /^Every request has been rejected since .*Z: The webhook request was rejected: it has no header/,
      ),
    });
    expectSuccess(await sendCustom(app.api, webhook, payment(await orderOf())));
    expect((await check('custom')).checks.at(-1)).toMatchObject({ ok: true });
  });

  it('returns 404 for a provider that is unknown or not configured', async () => {
    const path = (provider: string): string => `${base()}/${provider}/check`;
    expectError(await app.api.post(path('venmo'), undefined, call()), 404, 'There is no such payment provider');
    expectError(
      await app.api.post(path('stripe'), undefined, call()),
      404,
      'The shop has not configured this provider',
    );
  });
});

describe('DELETE /payments/{shopId}/providers/{provider}', () => {
  it('removes the credentials and the webhook at the provider, and tells the owners', async () => {
    const { webhookUrl } = await configured('stripe', { secretKey: KEY });
    const removed = expectSuccess(await app.api.delete(`${base()}/stripe`, call()), 'Payment provider removed');
    expect(removed).toMatchObject({ provider: 'stripe', canStartPayments: false });
    expect(await list()).toEqual([]);
    expect(stripe.endpoints).toEqual([]);
    expectError(await app.api.post(pathOf(webhookUrl), undefined), 404, 'There is no such webhook');
    await app.mailbox.next(shop.owner.email, /A payment provider of [^]* was removed/);
    const again = await app.api.delete(`${base()}/stripe`, call());
    expectError(again, 404, 'The shop has not configured this provider');
    expect((await configured('stripe', { secretKey: KEY })).webhookUrl).not.toBe(webhookUrl);
  });
});

describe('a key that no longer works', () => {
  it('gives a buyer another error than an outage', async () => {
    await configured('stripe', { secretKey: KEY });
    const order = await orderOf();
    stripe.mood = 'rejecting';
    const rejected = await pay(order, 'stripe');
    expectError(rejected, 503, /^The payment provider rejects the credentials of the shop/);
    expect(rejected.headers['x-error-code']).toBe('provider_credentials_rejected');
    stripe.mood = 'overloaded';
    expect((await pay(order, 'stripe')).headers['x-error-code']).toBe('provider_unavailable');
    stripe.mood = 'well';
    expectSuccess(await pay(order, 'stripe'));
    expect(await list()).toMatchObject([{ lastError: null, failingSince: null }]);
  });
});

describe('a capture of PayPal for another account', () => {
  it('is ignored, and one for the account of the shop pays the order', async () => {
    const { webhookUrl } = await configured('paypal', PAYPAL_APP);
    const order = await orderOf();
    const [{ id: webhookId } = { id: '' }] = paypal.webhooks;
    const capture = (id: string, merchant_id: string): Promise<Response> => {
      const amount = { currency_code: 'EUR', value: '19.99' };
      const at = new Date().toISOString();
      const resource = {
        id,
        status: 'COMPLETED',
        custom_id: order.id,
        amount,
        payee: { merchant_id },
        create_time: at,
      };
      const body = JSON.stringify({ id: `WH-${id}`, event_type: 'PAYMENT.CAPTURE.COMPLETED', resource });
      return sendRaw(app.api, pathOf(webhookUrl), body, paypal.sign(body, webhookId));
    };
    expect(expectSuccess(await capture('CAPTURE1', 'A2B3C4D5E6F7G'))).toMatchObject({
      events: [{ state: 'ignored', problem: expect.stringMatching(/^The money went to another PayPal account/) }],
    });
    expect((await stateOf(app.api, order)).paymentStatus).toBe('pending');
    expectSuccess(await capture('CAPTURE2', paypal.merchantId));
    expect(await stateOf(app.api, order)).toMatchObject(PAID);
  });
});

describe('the owners of a shop', () => {
  const mails = async (pattern: RegExp): Promise<string[]> =>
    (await app.mailbox.all()).filter((mail) => mail.includes(shop.owner.email) && pattern.test(mail));

  it('get one email an hour when a provider rejects the credentials, and none for an outage', async () => {
    await configured('stripe', { secretKey: KEY });
    const order = await orderOf();
    stripe.mood = 'overloaded';
    expectError(await pay(order, 'stripe'), 503, /not available/);
    stripe.mood = 'rejecting';
    await Promise.all([pay(order, 'stripe'), pay(order, 'stripe'), pay(order, 'stripe')]);
    const [mail] = await app.mailbox.next(shop.owner.email, /Buyers cannot pay with Stripe[^]*/);
    for (const part of ['Stripe rejected this secret key', 'Since', '/docs#/Payments/PaymentProviders_configure'])
      expect(mail).toContain(part);
    expect(mail).not.toContain(KEY);
    expectError(await pay(order, 'stripe'), 503, /rejects the credentials/);
    await untilLater();
    expect(await mails(/Buyers cannot pay/)).toHaveLength(1);
  });

  it('get one email an hour about rejected requests to a webhook, with the reason', async () => {
    const { path } = await aWebhook(app.api, shop, 'custom');
    await Promise.all(Array.from({ length: 5 }, () => sendRaw(app.api, path, '{}')));
    const [mail] = await app.mailbox.next(shop.owner.email, /Reports of payments from custom are rejected[^]*/);
    for (const part of ['it has no header webhook-signature', '/docs#/Payments/PaymentProviders_check'])
      expect(mail).toContain(part);
    expect(mail).not.toContain(path.split('/').at(-1));
    expectError(await sendRaw(app.api, path, '{}'), 400, /./);
    await untilLater();
    expect(await mails(/Reports of payments/)).toHaveLength(1);
  });

  /** Waits for an email that was caused later than all others. */
  async function untilLater(): Promise<void> {
    expectSuccess(await app.api.post(`${base()}/${(await list())[0]?.provider ?? ''}/rotate-secret`, {}, call()));
    await app.mailbox.next(shop.owner.email, /The webhook address of [^]* was changed/);
  }
});
