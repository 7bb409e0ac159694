import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { stateOf } from '../payments/paid-orders.js';
import { aWebhook } from '../payments/senders.js';

let app: TestApp;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };
let order: TestOrder;
/** The path of the page, below `/api/v2`. */
let page: string;

async function start(bought: TestOrder): Promise<string> {
  const headers = { 'X-Order-Token': bought.accessToken };
  const response = await app.api.post(`/orders/public/${bought.id}/payment`, { provider: 'test' }, { headers });
  return new URL(expectSuccess<{ url: string }>(response).url).pathname.replace('/api/v2', '');
}

const press = (button: string, at = page): Promise<Response> => app.api.call('post', `${at}/${button}`, {});
/** The buttons of the page. */
async function buttons(at = page): Promise<string[]> {
  const { text } = await app.api.get(at);
  return [...text.matchAll(/action="[^"]+\/(\w+)"/g)].map(([, name = '']) => name);
}

beforeAll(async () => {
  app = await startTestApp();
  shop = await aShop(app.api);
  const name = 'VIP <script>alert(1)</script>';
  orderRequest = {
    productId: await aProduct(app.api, shop, { name, price: 19.99 }),
    serverId: await aServer(app.api, shop),
  };
  await aWebhook(app.api, shop, 'test');
});
beforeEach(async () => {
  order = await anOrder(app.api, shop.shopId, orderRequest);
  page = await start(order);
});
afterAll(() => app.close());

describe('The page of a test payment', () => {
  it('shows the order as escaped HTML', async () => {
    const response = await app.api.get(page);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(response.text).toContain('19.99 EUR');
    expect(response.text).toContain('VIP &lt;script&gt;');
    expect(response.text).not.toContain('<script>');
    expect(await buttons()).toEqual(['succeed', 'authorize', 'process', 'fail']);
  });

  it('pays the order by the signed webhook, and redirects to the page', async () => {
    const response = await press('succeed');
    expect(response.status).toBe(303);
    expect(new URL(response.headers['location'] ?? '').pathname).toBe(`/api/v2${page}`);
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'paid', deliveryStatus: 'queued' });
    expect(await buttons()).toEqual(['refund', 'dispute']);
  });

  it('counts a double click once', async () => {
    await Promise.all([press('succeed'), press('succeed')]);
    await Promise.all([press('refund'), press('refund')]);
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'refunded' });
  });

  it.each([
    ['authorize', ['authorize'], 'authorized', ['succeed', 'authorize', 'process', 'fail']],
    ['process', ['process'], 'processing', ['succeed', 'authorize', 'process', 'fail']],
    ['fail', ['fail'], 'failed', []],
    ['refund', ['succeed', 'refund'], 'refunded', []],
    ['dispute', ['succeed', 'dispute'], 'disputed', ['win', 'lose']],
    ['win', ['succeed', 'dispute', 'win'], 'paid', ['refund', 'dispute']],
    ['lose', ['succeed', 'dispute', 'lose'], 'charged_back', []],
  ])('offers a button to %s', async (_, presses, paymentStatus, next) => {
    for (const button of presses) expect((await press(button)).status).toBe(303);
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus });
    expect(await buttons()).toEqual(next);
  });

  it('pays nothing for a failed payment, but the next payment of the order succeeds', async () => {
    await press('fail');
    expectError(await press('succeed'), 409, 'This is not possible now');
    const next = await start(order);
    expect(next).not.toBe(page);
    expect((await press('succeed', next)).status).toBe(303);
    expect(await stateOf(app.api, order)).toMatchObject({ paymentStatus: 'paid' });
  });

  it('returns 404 for a disabled provider, an unknown payment and an unknown action', async () => {
    const other = await aShop(app.api);
    const theirs = { productId: await aProduct(app.api, other), serverId: await aServer(app.api, other) };
    await aWebhook(app.api, other, 'test');
    const bought = await anOrder(app.api, other.shopId, theirs);
    const closed = await start(bought);
    const off = { enabled: false, credentials: {} };
    expectSuccess(await app.api.put(`/payments/${other.shopId}/providers/test`, off, { token: other.owner.token }));
    expectError(await press('succeed', closed), 404, 'There is no such payment provider');
    expect(await stateOf(app.api, bought)).toMatchObject({ paymentStatus: 'pending' });
    expectError(await app.api.get('/test-payments/test_unknown'), 404, 'There is no such payment');
    expectError(await press('toString'), 404, 'There is no such endpoint');
  });
});
