import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { COINBASE_ACCOUNT, coinbaseHeaders } from './coinbase-api.js';
import { type LocalApi } from './local-api.js';
import {
  MERCADO_PAGO_ACCOUNT,
  mercadoPagoHeaders,
  type MercadoPagoApi,
  startMercadoPagoApi,
} from './mercadopago-api.js';
import { MOLLIE_KEY, type MollieApi, startMollieApi } from './mollie-api.js';
import { OPEN, stateOf } from './paid-orders.js';
import { type PayPalApi, startPayPalApi } from './paypal-api.js';
import { aWebhook, payment, sendCustom, sendRaw, sendStripe, type TestWebhook } from './senders.js';
import { startYookassaApi, YOOKASSA_ACCOUNT, type YookassaApi } from './yookassa-api.js';

const WEBHOOK_ID = '8PT597110X687430L';
const UNKNOWN = 'Events of this kind, or in this state, change no order';

interface Result {
  readonly received: boolean;
  readonly events: readonly { readonly eventId: string; readonly state: string }[];
}

interface ListedEvent {
  readonly eventId: string;
  readonly state: string;
  readonly problem: string | null;
  readonly payment: unknown;
}

describe('An authentic event that is about nothing of the shop', () => {
  let app: TestApp;
  let paypal: PayPalApi;
  let mercadopago: MercadoPagoApi;
  let mollie: MollieApi;
  let yookassa: YookassaApi;
  let apis: LocalApi[];
  let shop: TestShop;
  let orderRequest: { readonly productId: string; readonly serverId: string };
  let webhooks: Record<string, TestWebhook>;

  beforeAll(async () => {
    [paypal, mercadopago, mollie, yookassa] = await Promise.all([
      startPayPalApi(),
      startMercadoPagoApi(),
      startMollieApi(),
      startYookassaApi(),
    ]);
    apis = [paypal, mercadopago, mollie, yookassa];
    const urls = { paypal, mercadopago, mollie, yookassa };
    const PROVIDER_URLS = Object.entries(urls)
      .map(([name, { url }]) => `${name}=${url}`)
      .join(',');
    app = await startTestApp({ env: { PROVIDER_URLS } });
    shop = await aShop(app.api);
    orderRequest = {
      productId: await aProduct(app.api, shop, { price: 19.99 }),
      serverId: await aServer(app.api, shop),
    };
    const paypalApp = { clientId: 'AeA1QIZXiflr1_-4hGYSl6', clientSecret: 'EGnHDxD_qRPdaLdZz8iCr8N7_MzF' };
    const accounts: Record<string, Record<string, string>> = {
      stripe: { signingSecret: 'whsec_test_secret_of_an_endpoint' },
      paypal: { ...paypalApp, webhookId: WEBHOOK_ID },
      mercadopago: MERCADO_PAGO_ACCOUNT,
      coinbase: COINBASE_ACCOUNT,
      mollie: { apiKey: MOLLIE_KEY },
      yookassa: YOOKASSA_ACCOUNT,
      custom: {},
    };
    webhooks = {};
    for (const [name, account] of Object.entries(accounts)) {
      webhooks[name] = await aWebhook(app.api, shop, name, account);
    }
  });
  afterAll(async () => {
    await app.close();
    for (const api of apis) await api.close();
  });

  const webhookOf = (provider: string): TestWebhook => {
    const webhook = webhooks[provider];
    if (webhook === undefined) throw new Error(`${provider} is not configured`);
    return webhook;
  };
  const stripe = (kind: string, object: object): Promise<Response> =>
    sendStripe(app.api, webhookOf('stripe'), kind, object);
  const paypalEvent = (kind: string, resource: object): Promise<Response> => {
    const body = JSON.stringify({ id: `WH-${randomUUID()}`, event_type: kind, resource });
    return sendRaw(app.api, webhookOf('paypal').path, body, paypal.sign(body, WEBHOOK_ID));
  };
  const coinbase = (eventType: string, fields: object): Promise<Response> => {
    const body = JSON.stringify({ eventType, ...fields });
    return sendRaw(app.api, webhookOf('coinbase').path, body, coinbaseHeaders(body));
  };
  const mercadoPago = (type: string, id: string): Promise<Response> => {
    const path = `${webhookOf('mercadopago').path}?data.id=${id}&type=${type}`;
    return sendRaw(app.api, path, JSON.stringify({ type, data: { id } }), mercadoPagoHeaders(id));
  };
  const mercadoPagoPayment = (reference: string, fields: object): Promise<Response> =>
    mercadoPago('payment', mercadopago.pay(reference, fields));
  const molliePayment = (orderId: string, fields: object): Promise<Response> => {
    const id = `tr_${randomUUID().replaceAll('-', '')}`;
    mollie.change(id, { id, status: 'paid', createdAt: '2026-11-21T08:00:00+00:00', metadata: { orderId }, ...fields });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return sendRaw(app.api, webhookOf('mollie').path, `id=${id}`, headers);
  };
  const yookassaPayment = (orderId: string, fields: object): Promise<Response> => {
    const id = randomUUID();
    const paid = { id, status: 'succeeded', created_at: '2026-11-21T08:00:00.000Z', metadata: { orderId } };
    yookassa.change(id, { ...paid, ...fields });
    const body = JSON.stringify({ type: 'notification', event: 'payment.succeeded', object: { id } });
    return sendRaw(app.api, webhookOf('yookassa').path, body);
  };

  /** What staff see of the only event of an accepted request. */
  const listed = async (response: Response): Promise<ListedEvent | undefined> => {
    const [event] = expectSuccess<Result>(response).events;
    const { token } = shop.owner;
    const path = `/payments/${shop.shopId}/events?state=ignored&limit=100`;
    const events = expectSuccess<ListedEvent[]>(await app.api.get(path, { token }));
    return events.find(({ eventId }) => eventId === event?.eventId);
  };
  const order = (): Promise<TestOrder> => anOrder(app.api, shop.shopId, orderRequest);

  // A subscription with ten items has far more than 1,000 keys, and expanded objects nest deep.
  const price = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field_${index}`, index]));
  const items = Array.from({ length: 10 }, (_, index) => ({ id: `si_${index}`, price }));
  const nested = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as object;

  it.each<[string, () => Promise<Response>]>([
    ['stripe', () => stripe('customer.subscription.updated', { id: 'sub_1', items, nested })],
    ['paypal', () => paypalEvent('BILLING.SUBSCRIPTION.UPDATED', { id: 'I-1', items, nested })],
    ['coinbase', () => coinbase('onramp.transaction.success', { items, nested })],
    ['mercadopago', () => mercadoPago('merchant_order', '4711')],
    ['custom', () => sendCustom(app.api, webhookOf('custom'), { type: 'subscription.updated', items, nested })],
  ])('records as ignored that %s sends an unknown kind, whatever its size', async (_, send) => {
    expect(await listed(await send())).toMatchObject({ state: 'ignored', problem: UNKNOWN, payment: null });
  });

  const NOBODYS = '655f1c2ab1e4a9d3f0c89999';
  /** Events of known kinds that cannot be read, with their reference. */
  const unreadable: [string, string, (reference: string) => Promise<Response>][] = [
    [
      'stripe',
      'data.object.currency must be a currency code of three letters such as EUR',
      (orderId) => stripe('payment_intent.succeeded', { id: 'pi_x', currency: 'usdc', metadata: { orderId } }),
    ],
    [
      'paypal',
      'resource.amount must be an object',
      (custom_id) => paypalEvent('PAYMENT.CAPTURE.COMPLETED', { id: '8F', custom_id }),
    ],
    [
      'coinbase',
      'currency must be USDC or a currency code such as EUR',
      (orderId) =>
        coinbase('checkout.payment.success', {
          ...{ id: 'c1', status: 'COMPLETED', currency: 'WETH', amount: '1', metadata: { orderId } },
          updatedAt: '2026-11-21T08:00:00Z',
        }),
    ],
    [
      'mercadopago',
      'currency_id must be a currency code of three letters such as EUR',
      (reference) => mercadoPagoPayment(reference, { currency_id: 'ZZZ' }),
    ],
    ['mollie', 'amount must be an object', (orderId) => molliePayment(orderId, { amount: null })],
    ['yookassa', 'amount must be an object', (orderId) => yookassaPayment(orderId, { amount: '10 RUB' })],
  ];

  it.each(unreadable)('records as ignored that %s sends a known kind in which %s', async (_, says, send) => {
    for (const reference of ['another-system-7', NOBODYS]) {
      expect(await listed(await send(reference))).toMatchObject({
        state: 'ignored',
        problem: `The event names no order of this shop, and cannot be read: ${says}`,
        payment: null,
      });
    }
  });

  it.each(unreadable)(
    'returns 400 when %s sends an event that names an order of the shop: %s',
    async (_, says, send) => {
      const bought = await order();
      expectError(await send(bought.id), 400, `The webhook request cannot be read: ${says}`);
      expect(await stateOf(app.api, bought)).toEqual(OPEN);
    },
  );

  it('returns 400 for a dispute of a known payment that cannot be read, and shows staff why', async () => {
    const bought = await order();
    const intent = `pi_${bought.id}`;
    const paid = { id: intent, amount_received: 1999, currency: 'eur', metadata: { orderId: bought.id } };
    expectSuccess(await stripe('payment_intent.succeeded', paid));
    const dispute = { id: 'dp_1', charge: 'ch_1', payment_intent: intent, amount: 'all', currency: 'eur' };
    const says = 'The webhook request cannot be read: data.object.amount must be a whole number';
    expectError(await stripe('charge.dispute.created', dispute), 400, says);
    expect(
      await listed(await stripe('charge.dispute.created', { ...dispute, payment_intent: 'pi_other' })),
    ).toMatchObject({ state: 'ignored' });
    const rejected = `/payments/${shop.shopId}/events?state=rejected`;
    const [latest] = expectSuccess<ListedEvent[]>(await app.api.get(rejected, { token: shop.owner.token }));
    expect(latest?.problem).toMatch(/^The webhook request cannot be read: /);
  });

  it("returns 400 for a wrong shape from the shop's own payment system", async () => {
    const body = payment({ ...(await order()), id: NOBODYS }, { currency: 'ZZZ' });
    const says = 'The webhook request cannot be read: currency must be a currency code of three letters such as EUR';
    expectError(await sendCustom(app.api, webhookOf('custom'), body), 400, says);
  });
});
