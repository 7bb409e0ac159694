import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { LIMITS } from '../../src/domain/limits/limits.js';
import { aDeliveringShop, type DeliveringShop, reportPayment } from '../deliveries/delivery-actors.js';
import { aProduct, type TestOrder, unique } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { type Metrics, metricsOf } from '../support/metrics.js';
import { type ReadEmail } from '../support/mime.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Each from another address of buyers. */
const BURST = 24;
const { quota } = LIMITS.strangerEmails;

interface StaffOrder {
  readonly history: readonly { readonly action: string }[];
}

describe('Emails that a stranger causes', () => {
  let app: TestApp;
  let metrics: Metrics;
  let shops: readonly DeliveringShop[];
  let victim: string;
  /** Orders of one mailbox in two shops, each from another address and in another spelling. */
  let orders: readonly (TestOrder & { readonly shop: DeliveringShop })[];

  beforeAll(async () => {
    app = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '1', METRICS_PORT: '0' } });
    metrics = await metricsOf(app);
    shops = [await aDeliveringShop(app.api), await aDeliveringShop(app.api)];
    victim = `victim${unique()}`.toLowerCase();
    orders = await Promise.all(
      Array.from({ length: BURST }, (_, number) => order(number, `${victim}+${number}@example.com`)),
    );
    await settled();
  });
  afterAll(() => app.close());

  async function order(
    number: number,
    email: string,
    productId?: string,
  ): Promise<TestOrder & { readonly shop: DeliveringShop }> {
    const [shop] = shops.slice(number % shops.length) as [DeliveringShop];
    const items = [{ productId: productId ?? shop.productId, quantity: 1 }];
    const body = { items, serverId: shop.serverId, nickname: `Steve_${number}`, email };
    const headers = { 'X-Forwarded-For': `203.0.113.${number}` };
    const placed = await app.api.post(`/checkout/${shop.shopId}/orders`, body, { headers });
    return { ...expectSuccess<TestOrder>(placed), email, shop };
  }

  /** Waits until every event is published, and every email is sent. */
  const settled = (): Promise<unknown> =>
    eventually(async () => {
      const waiting = await metrics.valuesOf('shop_platform_outbox_waiting');
      return waiting.every(({ value }) => value === 0);
    });
  const received = async (): Promise<ReadEmail[]> =>
    (await app.mailbox.read()).filter(({ head }) => head.includes(`To: ${victim}`));
  const subjects = async ({ id }: TestOrder): Promise<string[]> => {
    const about = (await received()).filter(({ text }) => text.includes(id));
    return about.map(({ head }) => /^Subject: (\w+ \w+)/m.exec(head)?.[1] ?? '').sort();
  };
  const withheld = async (): Promise<number | undefined> =>
    (await metrics.valuesOf('shop_platform_emails_withheld')).find(({ labels }) => labels.includes('strangerEmails'))
      ?.value;

  it('reach one mailbox at most 5 times an hour, over all addresses, shops and spellings, and only the metrics show it', async () => {
    const emails = await received();
    expect(emails).toHaveLength(quota);
    expect(await withheld()).toBe(BURST - quota);
    const stories = await Promise.all(
      orders.map(async ({ id, accessToken, shop: { shopId, owner } }) => {
        const seen = await app.api.get(`/orders/${shopId}/${id}`, { token: owner.token });
        const { history } = expectSuccess<StaffOrder>(seen);
        const shown = await app.api.get(`/orders/public/${id}`, { headers: { 'X-Order-Token': accessToken } });
        const log = await app.api.get(`/shops/${shopId}/audit`, { token: owner.token });
        const entries = expectSuccess<{ action: string; subjectId: string }[]>(log);
        return {
          actions: history.map(({ action }) => action),
          fields: Object.keys(expectSuccess<object>(shown)),
          audit: entries.filter(({ subjectId }) => subjectId === id).map(({ action }) => action),
        };
      }),
    );
    expect(new Set(stories.map((story) => JSON.stringify(story))).size).toBe(1);
  });

  it('count for free orders and codes too, whose requests get the same response', async () => {
    const [shop] = shops as [DeliveringShop];
    const free = await order(0, `${victim}@example.com`, await aProduct(app.api, shop, { price: 0 }));
    const other = await order(0, `other-${victim}@example.com`);
    const request = ({ id, accessToken }: TestOrder): Promise<Response> =>
      app.api.post(`/orders/public/${id}/nickname/request`, {}, { headers: { 'X-Order-Token': accessToken } });
    const [reached, open] = [await request(free), await request(other)];
    expect(reached.body).toEqual(open.body);
    await app.mailbox.next(other.email, /^\d{8}$/m);
    await settled();
    expect(await subjects(free)).toEqual([]);
    expect(await withheld()).toBe(BURST - quota + 2);
  });

  it('are no receipts: who pays an order whose email was withheld gets one', async () => {
    const known = (await received()).map(({ text }) => text).join('\n');
    const silent = orders.find(({ id }) => !known.includes(id));
    if (silent === undefined) throw new Error('no email was withheld');
    await reportPayment(app.api, silent.shop, silent, 'payment.succeeded');
    await reportPayment(app.api, silent.shop, silent, 'refund.succeeded');
    await settled();
    expect(await subjects(silent)).toEqual(['Your receipt', 'Your refund']);
  });
});
