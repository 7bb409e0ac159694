import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aWebhook, sendCustom } from '../payments/senders.js';
import { aKey, anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type Comparison, comparisonPath } from './comparisons.js';

const HEAD =
  'from,to,currency,grossRevenue,refunds,chargebacks,netRevenue,orders,paidOrders,newBuyers,discountTotal,itemsSold,' +
  'fromLocal,toLocal,day';

describe('GET /stats/{shopId}/export', () => {
  let app: TestApp;
  let shop: TestShop;
  let key: string;
  let serverId: string;
  let otherServer: string;

  const get = (query: string): Promise<Response> => app.api.get(`/stats/${shop.shopId}/export?${query}`, { key });
  const linesOf = ({ status, text }: Response): string[] => {
    const [head, ...lines] = text.split('\r\n');
    expect({ status, head, end: lines.pop() }).toEqual({ status: 200, head: HEAD, end: '' });
    return lines;
  };

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api, { timezone: 'Europe/Berlin' });
    key = (await aKey(app.api, shop)).key;
    [serverId, otherServer] = [await aServer(app.api, shop), await aServer(app.api, shop)];
    const productId = await aProduct(app.api, shop, { price: 19.9 });
    const webhook = await aWebhook(app.api, shop, 'custom');
    const { id, total } = await anOrder(app.api, shop.shopId, { productId, serverId });
    await anOrder(app.api, shop.shopId, { productId, serverId: otherServer });
    const payment = { orderId: id, paymentId: `pay_${id}`, amount: total, currency: 'EUR' };
    const occurredAt = new Date().toISOString();
    expectSuccess(await sendCustom(app.api, webhook, { type: 'payment.succeeded', ...payment, occurredAt }));
  });
  afterAll(() => app.close());

  it('returns a line for each day by default, with the figures of the comparison', async () => {
    const response = await get('period=7d');
    expect(response.headers['content-disposition']).toMatch(/^attachment; filename="statistics-\d{4}-\d\d-\d\d\.csv"$/);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = linesOf(response);
    const path = comparisonPath(shop.shopId, { period: '7d', granularity: 'day' });
    const { series } = expectSuccess<Comparison>(await app.api.get(path, { key }));
    expect(lines).toHaveLength(7);
    // What `Intl` shows in the time zone of the shop.
    const berlin = new Intl.DateTimeFormat('sv-SE', {
      ...{ dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' },
    });
    expect(lines.map((line) => line.split(',').slice(12))).toEqual(
      series.map(({ from, to }) => {
        const [fromLocal, toLocal] = [from, to].map((at) => berlin.format(new Date(at ?? '')));
        return [fromLocal, toLocal, fromLocal?.slice(0, 10)];
      }),
    );
    const numbers = lines.map((line) => line.split(',').slice(3, 12).map(Number));
    expect(numbers).toEqual(
      series.map(({ current }) =>
        HEAD.split(',')
          .slice(3, 12)
          .map((name) => current?.[name]),
      ),
    );
    expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual(series.map(({ from, to }) => [from, to]));
    expect(lines.filter((line) => line.includes(',EUR,19.90,0.00,0.00,19.90,2,1,1,0.00,1,'))).toHaveLength(1);
  });

  it('exports only the filtered sales, in lines of the chosen granularity', async () => {
    const [line = '', ...others] = linesOf(await get(`period=7d&granularity=month&serverId=${otherServer}`)).reverse();
    expect(others.length).toBeLessThanOrEqual(1);
    expect(line).toMatch(/,EUR,0\.00,0\.00,0\.00,0\.00,1,0,0,0\.00,0,\d{4}-\d\d-\d\d 00:00,/);
  });

  it.each([
    ['granularity=none', 'granularity must be one of hour, day, week, month'],
    ['compare=previous_year', 'compare is not a known field'],
    ['period=year&granularity=hour', 'granularity=hour is for periods of at most 31 days'],
  ])('returns 400 for %s', async (query, problem) => {
    expectError(await get(query), 400, problem);
  });

  it("returns 404 for another shop's server", async () => {
    const elsewhere = await aShop(app.api);
    expectError(await get(`serverId=${await aServer(app.api, elsewhere)}`), 404, 'There is no such server');
  });
});
