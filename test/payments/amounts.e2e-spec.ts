import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { type PageLinks } from '../../src/http/addresses/page-links.js';
import { startPages, Visitor } from '../pages/visitor.js';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { type TestApp } from '../support/test-app.js';
import { type LocalApi } from './local-api.js';
import { type PayPalApi, startPayPalApi } from './paypal-api.js';
import { aWebhook } from './senders.js';
import { startStripeApi, type StripeApi } from './stripe-api.js';

const PAYPAL = {
  clientId: 'AeA1QIZXiflr1_-4hGYSl6',
  clientSecret: 'EGnHDxD_qRPdaLdZz8iCr8N7_MzF',
  webhookId: '8PT597110X687430L',
};
const STRIPE = { signingSecret: 'whsec_test_secret_of_an_endpoint', secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc' };

describe('An amount that a provider cannot charge', () => {
  let app: TestApp;
  let links: PageLinks;
  let stripe: StripeApi;
  let paypal: PayPalApi;
  let apis: LocalApi[];

  beforeAll(async () => {
    [stripe, paypal] = await Promise.all([startStripeApi(), startPayPalApi()]);
    apis = [stripe, paypal];
    ({ app, links } = await startPages({ env: { PROVIDER_URLS: `stripe=${stripe.url},paypal=${paypal.url}` } }));
  });
  afterAll(async () => {
    await app.close();
    for (const api of apis) await api.close();
  });

  /** A shop in a currency with providers, and an order of a price. */
  const sell = async (
    currency: string,
    price: number,
    providers: Readonly<Record<string, Record<string, string>>>,
  ): Promise<{ shop: TestShop; order: TestOrder }> => {
    const shop = await aShop(app.api, { currency });
    for (const [name, credentials] of Object.entries(providers)) await aWebhook(app.api, shop, name, credentials);
    const items = { productId: await aProduct(app.api, shop, { price }), serverId: await aServer(app.api, shop) };
    return { shop, order: await anOrder(app.api, shop.shopId, items) };
  };
  const pay = ({ id, accessToken }: TestOrder, provider: string): Promise<Response> =>
    app.api.post(`/orders/public/${id}/payment`, { provider }, { headers: { 'X-Order-Token': accessToken } });
  const methods = async ({ shopId }: TestShop, query = ''): Promise<string[]> => {
    const listed = expectSuccess<{ provider: string }[]>(
      await app.api.get(`/payments/public/${shopId}/methods${query}`),
    );
    return listed.map(({ provider }) => provider);
  };

  it.each([
    ['HUF', 1_234.5, 'paypal', PAYPAL, 'PayPal can charge 1234.00 HUF or 1235.00 HUF, not 1234.50 HUF'],
    ['KWD', 1.234, 'stripe', STRIPE, 'Stripe can charge 1.230 KWD or 1.240 KWD, not 1.234 KWD'],
    ['EUR', 0.49, 'stripe', STRIPE, 'Stripe can charge 0.50 EUR or more, not 0.49 EUR'],
    ['RUB', 500, 'paypal', PAYPAL, 'PayPal cannot charge RUB'],
  ])(
    'rejects the amount %s %s for %s before the provider is called, and offers the other methods',
    async (currency, price, provider, credentials, sentence) => {
      const { shop, order } = await sell(currency, price, { [provider]: credentials, test: {} });
      // Those of the set-up.
      paypal.requests.length = 0;
      const rejected = await pay(order, provider);
      expectError(rejected, 400, sentence);
      expect(rejected.headers['x-error-code']).toBe('amount_not_chargeable');
      expect([stripe.requests, paypal.requests]).toEqual([[], []]);
      expect(await methods(shop, `?amount=${price}`)).toEqual(['test']);

      const visitor = new Visitor(app.baseUrl);
      const { html } = await visitor.go(links.order(shop.uniqueName, order.id));
      expect([html.includes('value="test"'), html.includes(`value="${provider}"`)]).toEqual([true, false]);
      const { status } = await visitor.submit('payment', { provider });
      expect(status).toBe(400);
      expectSuccess(await pay(order, 'test'));
    },
  );

  it('lists no method for a currency that its provider never charges, and lists it for others', async () => {
    const { shop } = await sell('RUB', 500, { paypal: PAYPAL, stripe: STRIPE, test: {} });
    expect(await methods(shop)).toEqual(['stripe', 'test']);
    expect(await methods(shop, '?amount=0.01')).toEqual(['stripe', 'test']);
    const { shop: forints } = await sell('HUF', 1_234, { paypal: PAYPAL });
    expect(await methods(forints)).toEqual(['paypal']);
    expect(await methods(forints, '?amount=1234.50')).toEqual([]);
    expect(await methods(forints, '?amount=1234.00')).toEqual(['paypal']);
  });

  it('reports a problem in the quote and rejects the checkout when no method of the shop can charge the total', async () => {
    const { shop } = await sell('HUF', 1_234, { paypal: PAYPAL });
    const [productId, serverId] = [await aProduct(app.api, shop, { price: 99.5 }), await aServer(app.api, shop)];
    const message = 'No payment method can charge the total: PayPal can charge 99.00 HUF or 100.00 HUF, not 99.50 HUF';
    const quote = async (quantity: number): Promise<unknown> =>
      expectSuccess(await app.api.post(`/checkout/${shop.shopId}/quote`, { items: [{ productId, quantity }] }));
    const problems = [{ code: 'amount_not_chargeable', message }];
    expect(await quote(1)).toMatchObject({ orderable: false, total: 99.5, problems });
    expect(await quote(2)).toMatchObject({ total: 199, problems: [] });
    const buyer = { nickname: 'Steve_42', email: 'steve@example.com' };
    const checkout = { items: [{ productId, quantity: 1 }], serverId, ...buyer };
    const rejected = await app.api.post(`/checkout/${shop.shopId}/orders`, checkout);
    expectError(rejected, 400, message);
    expect(rejected.headers['x-error-code']).toBe('amount_not_chargeable');
    // A payment system of the shop's own may charge what the service does not know.
    await aWebhook(app.api, shop, 'custom');
    expect(await quote(1)).toMatchObject({ problems: [] });
  });

  it.each([
    ['?amount=1.234', 'amount has more decimals than EUR allows'],
    ['?amount=-1', 'amount must be a decimal number such as 19.99'],
    ['?amount=1&amount=2', 'amount must be a string'],
    ['?total=1', /total/],
  ])('rejects the query %s of the methods', async (query, error) => {
    const { shop } = await sell('EUR', 1, { test: {} });
    expectError(await app.api.get(`/payments/public/${shop.shopId}/methods${query}`), 400, error);
  });
});
