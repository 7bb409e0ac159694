import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { LIMITS } from '../../src/domain/limits/limits.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { aDeliveringShop, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { anOrder, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { type Metrics, metricsOf } from '../support/metrics.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('POST /orders/public/links', () => {
  let app: TestApp;
  let metrics: Metrics;
  let shop: DeliveringShop;
  /** Each from another address of a visitor. */
  let visitors = 0;

  const request = (email: string, shopId = shop.shopId): Promise<Response> => {
    const headers = { 'X-Forwarded-For': `203.0.113.${++visitors}` };
    return app.api.post('/orders/public/links', { shopId, email }, { headers });
  };
  const settled = (): Promise<unknown> =>
    eventually(async () => (await metrics.valuesOf('shop_platform_outbox_waiting')).every(({ value }) => value === 0));
  const received = async (to: string): Promise<string[]> =>
    (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${to}`) && mail.includes('Your orders at'));

  beforeAll(async () => {
    app = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '1', METRICS_PORT: '0' } });
    metrics = await metricsOf(app);
    shop = await aDeliveringShop(app.api);
  });
  afterAll(() => app.close());

  it('sends the links of the orders of a mailbox in one shop to its address, newest first', async () => {
    const { productId, serverId, shopId } = shop;
    const elsewhere = await aDeliveringShop(app.api);
    const email = `links${unique()}@example.com`.toLowerCase();
    const orders = [
      await anOrder(app.api, shopId, { productId, serverId, email }),
      await anOrder(app.api, shopId, { productId, serverId, email }),
    ];
    const other = await anOrder(app.api, elsewhere.shopId, {
      productId: elsewhere.productId,
      serverId: elsewhere.serverId,
      email,
    });
    expect(expectSuccess(await request(email.replace('@', '+tag@')))).toEqual({ status: 'accepted' });
    await settled();
    const [mail = ''] = await received(email);
    const [older, newer] = orders.map(({ id }) => mail.indexOf(id));
    expect(newer).toBeGreaterThan(0);
    expect(older).toBeGreaterThan(newer ?? 0);
    expect(mail).not.toContain(other.id);
    expect(mail).toContain('1 × ');
  });

  it('responds alike for a mailbox without an order, and sends nothing', async () => {
    const email = `nobody${unique()}@example.com`.toLowerCase();
    expect(expectSuccess(await request(email))).toEqual({ status: 'accepted' });
    await settled();
    expect(await received(email)).toEqual([]);
    expectError(await request(email, newObjectId()), 404, /shop/);
    expectError(await request('no address'), 400, /email/);
  });

  it('sends a mailbox no more emails than any stranger can cause', async () => {
    const { productId, serverId, shopId } = shop;
    const email = `victim${unique()}@example.com`.toLowerCase();
    await anOrder(app.api, shopId, { productId, serverId, email });
    for (let times = 0; times < LIMITS.strangerEmails.quota + 2; times++) expectSuccess(await request(email));
    await settled();
    const ofOrder = (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${email}`));
    expect(ofOrder).toHaveLength(LIMITS.strangerEmails.quota);
  });
});
