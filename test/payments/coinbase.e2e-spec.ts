import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { COINBASE_ACCOUNT, type CoinbaseApi, coinbaseHeaders, startCoinbaseApi } from './coinbase-api.js';
import { ignored, OPEN, PAID, received, stateOf } from './paid-orders.js';
import { aWebhook, sendRaw, type TestWebhook } from './senders.js';

const UNAVAILABLE = 'The payment provider is not available; try again shortly';

let app: TestApp;
let coinbase: CoinbaseApi;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };
let webhook: TestWebhook;
let order: TestOrder;

const orderRequestOf = async (seller: TestShop) => ({
  productId: await aProduct(app.api, seller, { price: 19.99 }),
  serverId: await aServer(app.api, seller),
});
const pay = ({ id, accessToken } = order): Promise<Response> => {
  const headers = { 'X-Order-Token': accessToken };
  return app.api.post(`/orders/public/${id}/payment`, { provider: 'coinbase' }, { headers });
};
const created = async (): Promise<string> => expectSuccess<{ paymentId: string }>(await pay()).paymentId;
const send = (body: string, headers = coinbaseHeaders(body)): Promise<Response> =>
  sendRaw(app.api, webhook.path, body, headers);

beforeAll(async () => {
  coinbase = await startCoinbaseApi();
  app = await startTestApp({ env: { PROVIDER_URLS: `coinbase=${coinbase.url}` } });
  shop = await aShop(app.api, { currency: 'USD' });
  orderRequest = await orderRequestOf(shop);
  webhook = await aWebhook(app.api, shop, 'coinbase', COINBASE_ACCOUNT);
});
beforeEach(async () => {
  coinbase.mood = 'well';
  coinbase.creations.length = 0;
  order = await anOrder(app.api, shop.shopId, orderRequest);
});
afterAll(async () => {
  await app.close();
  await coinbase.close();
});

describe('A payment at Coinbase', () => {
  it('creates a payment with the total of the order in USDC, and repeats it with the same key and bytes after a 503', async () => {
    const methods = await app.api.get(`/payments/public/${shop.shopId}/methods`);
    expect(expectSuccess(methods)).toEqual([{ provider: 'coinbase', title: 'Coinbase' }]);
    coinbase.mood = { status: 503, body: { errorMessage: COINBASE_ACCOUNT.apiKeySecret } };
    expectError(await pay(), 503, UNAVAILABLE);
    coinbase.mood = 'well';
    const open = expectSuccess<{ paymentId: string; expiresAt: string }>(await pay());
    const url = `https://payments.coinbase.com/payment-links/pl_${open.paymentId}`;
    expect(open).toEqual({ provider: 'coinbase', paymentId: open.paymentId, url, expiresAt: open.expiresAt });
    expect(expectSuccess(await pay())).toEqual(open);
    const [first, second, ...more] = coinbase.creations;
    expect(second).toEqual(first);
    expect(more).toEqual([]);
    const home = `https://${shop.uniqueName}.shops.localhost`;
    expect(JSON.parse(first?.body ?? '')).toEqual({
      amount: '19.99',
      currency: 'USDC',
      description: `Order #${order.number}`,
      metadata: { orderId: order.id },
      successRedirectUrl: home,
      failRedirectUrl: home,
      expiresAt: open.expiresAt,
    });
    expect(app.output()).toContain('coinbase: status 503');
    for (const secret of Object.values(COINBASE_ACCOUNT)) expect(app.output()).not.toContain(secret);
  });

  it('rejects a payment, with the reason, for an order in another currency than USD', async () => {
    const other = await aShop(app.api);
    const inEuros = await anOrder(app.api, other.shopId, await orderRequestOf(other));
    await aWebhook(app.api, other, 'coinbase', COINBASE_ACCOUNT);
    expectError(await pay(inEuros), 400, 'Coinbase cannot charge EUR');
    expect(coinbase.creations).toEqual([]);
  });

  it('creates another checkout after a failure', async () => {
    const first = await created();
    expectSuccess(await send(coinbase.change(first, 'checkout.payment.failed', { status: 'FAILED' })));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'failed' });
    const second = await created();
    expect(second).not.toBe(first);
    expectSuccess(await send(coinbase.change(second, 'checkout.payment.success', { status: 'COMPLETED' })));
    expect(await stateOf(app.api, order)).toEqual(PAID);
  });
});

describe('POST /payments/webhooks/coinbase/{shopId}/{webhookSecret}', () => {
  it('applies a payment, a partial refund, a failed refund and the remaining refund once each', async () => {
    const id = await created();
    const paid = coinbase.change(id, 'checkout.payment.success', { status: 'COMPLETED' });
    expect(expectSuccess(await send(paid))).toEqual(received(`${id}-COMPLETED`, 'processed'));
    expect(await stateOf(app.api, order)).toEqual(PAID);
    expect(expectSuccess(await send(paid))).toEqual(received(`${id}-COMPLETED`, 'processed', true));

    const completedAt = '2026-11-21T09:00:00.000Z';
    const part = { id: `${id}1`, amount: '5.00', currency: 'USDC', status: 'COMPLETED', completedAt };
    const rest = { ...part, id: `${id}2`, amount: '14.99', status: 'FAILED' };
    const refunds = { status: 'PARTIALLY_REFUNDED', refunds: [part, rest] };
    expectSuccess(await send(coinbase.change(id, 'checkout.refund.failed', refunds)));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'partially_refunded' });
    const all = { status: 'REFUNDED', refunds: [part, rest, { ...rest, id: `${id}3`, status: 'COMPLETED' }] };
    const last = coinbase.change(id, 'checkout.refund.success', all);
    expectSuccess(await send(last));
    expectSuccess(await send(last));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'refunded' });
  });

  it('marks another amount for review, and ignores events that are not about checkouts', async () => {
    const id = await created();
    expect(expectSuccess(await send(coinbase.change(id, 'onramp.transaction.success', {})))).toEqual(
      ignored(expect.stringMatching(/^[0-9a-f]{64}$/) as unknown as string),
    );
    expect(await stateOf(app.api, order)).toEqual(OPEN);
    const paid = { status: 'COMPLETED', amount: '0.01' };
    expectSuccess(await send(coinbase.change(id, 'checkout.payment.success', paid)));
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'needs_review' });
  });

  it('returns 400 and changes nothing without a valid signature over the body, its headers and the time', async () => {
    const id = await created();
    const body = coinbase.change(id, 'checkout.payment.success', { status: 'COMPLETED' });
    const seconds = Math.floor(Date.now() / 1000);
    const mismatch = /^The webhook request was rejected: the signature in X-Hook0-Signature does not match the body/;
    for (const [headers, sentence] of [
      [{}, 'The webhook request was rejected: it has no header X-Hook0-Signature'],
      [coinbaseHeaders(`${body} `), mismatch],
      [coinbaseHeaders(body, String(seconds), 'another secret'), mismatch],
      [
        coinbaseHeaders(body, String(seconds - 302)),
        /^The webhook request was rejected: its timestamp is 30\d seconds /,
      ],
      [{ ...coinbaseHeaders(body), 'x-event-id': 'other' }, mismatch],
    ] as const) {
      expectError(await send(body, headers), 400, sentence);
    }
    expect(await stateOf(app.api, order)).toEqual(OPEN);
    expectSuccess(await send(body));
    expect(await stateOf(app.api, order)).toEqual(PAID);
  });
});
