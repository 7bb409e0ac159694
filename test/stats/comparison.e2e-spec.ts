import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aMember, anOrder, aPerson, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aWebhook, sendCustom } from '../payments/senders.js';
import { COMPARED, type Comparison, comparisonPath, type ComparisonQuery } from './comparisons.js';

let app: TestApp;
let shop: TestShop;
let key: string;

const path = (query: ComparisonQuery = {}, shopId = shop.shopId): string => comparisonPath(shopId, query);

beforeAll(async () => {
  app = await startTestApp();
  shop = await aShop(app.api);
  key = (await aKey(app.api, shop)).key;
});
afterAll(() => app.close());

const risen = (value: number): object => ({ current: value, previous: 0, change: value, changePercent: null });
const nothing = { current: 0, previous: 0, change: 0, changePercent: null };
const none = { current: null, previous: null, change: null, changePercent: null };

describe('GET /stats/{shopId}/comparison', () => {
  describe('200', () => {
    it('returns zeros, and null where it would divide by 0, for a shop without orders', async () => {
      const quiet = await aShop(app.api, { currency: 'JPY', timezone: 'Asia/Tokyo' });
      const response = await app.api.get(path({ period: 'yesterday' }, quiet.shopId), { token: quiet.owner.token });
      expect(expectSuccess(response, COMPARED)).toEqual({
        period: { from: expect.stringMatching(/T15:00:00\.000Z$/), to: expect.stringMatching(/T15:00:00\.000Z$/) },
        previous: { from: expect.stringMatching(/T15:00:00\.000Z$/), to: expect.stringMatching(/T15:00:00\.000Z$/) },
        timezone: 'Asia/Tokyo',
        currency: 'JPY',
        complete: true,
        metrics: {
          grossRevenue: nothing,
          refunds: nothing,
          chargebacks: nothing,
          netRevenue: nothing,
          orders: nothing,
          paidOrders: nothing,
          averageOrderValue: none,
          uniqueBuyers: nothing,
          newBuyers: nothing,
          conversion: none,
          discountTotal: nothing,
          itemsSold: nothing,
        },
        series: [],
        generatedAt: anInstant,
      });
    });

    it('counts an order that was created and paid through the API at once', async () => {
      const busy = await aShop(app.api);
      const orderRequest = {
        productId: await aProduct(app.api, busy, { price: 19.99 }),
        serverId: await aServer(app.api, busy),
      };
      const webhook = await aWebhook(app.api, busy, 'custom');
      const { id, total } = await anOrder(app.api, busy.shopId, orderRequest);
      await anOrder(app.api, busy.shopId, orderRequest);
      const read = async (): Promise<Comparison> =>
        expectSuccess(
          await app.api.get(path({ period: '7d', granularity: 'week' }, busy.shopId), { token: busy.owner.token }),
        );
      expect((await read()).metrics).toMatchObject({
        orders: risen(2),
        paidOrders: nothing,
        conversion: { current: 0, previous: null, change: null, changePercent: null },
      });
      const event = {
        type: 'payment.succeeded',
        orderId: id,
        paymentId: `pay_${id}`,
        amount: total,
        currency: 'EUR',
        occurredAt: new Date().toISOString(),
      };
      expectSuccess(await sendCustom(app.api, webhook, event));
      const { metrics, complete, generatedAt, period } = await read();
      expect({ complete, endsLater: period.to > generatedAt }).toEqual({ complete: false, endsLater: true });
      expect(metrics).toEqual({
        grossRevenue: risen(19.99),
        refunds: nothing,
        chargebacks: nothing,
        netRevenue: risen(19.99),
        orders: risen(2),
        paidOrders: risen(1),
        averageOrderValue: { current: 19.99, previous: null, change: null, changePercent: null },
        uniqueBuyers: risen(1),
        newBuyers: risen(1),
        conversion: { current: 0.5, previous: null, change: null, changePercent: null },
        discountTotal: nothing,
        itemsSold: risen(1),
      });
    });
  });

  describe('400', () => {
    it.each<[string, string, string | RegExp]>([
      ['an unknown period', 'period=fortnight', /^period must be one of today, yesterday, 7d/],
      ['an empty period', 'period=', /^period must be one of/],
      ['a repeated parameter', 'period=7d&period=30d', /^period must be one of/],
      ['a repeated bound', 'period=custom&from=2024-01-01&from=2024-01-02&to=2024-02-01', 'from must be a string'],
      ['an operator', 'period[$ne]=7d', /not a known field|must be one of/],
      ['an unknown parameter', 'periode=7d', 'periode is not a known field'],
      ['a credential in the query', 'api_key=shp_x', 'api_key is not a known field'],
      ['an unknown comparison', 'compare=last_year', /^compare must be one of previous_period, previous_year, custom$/],
      ['an unknown granularity', 'granularity=minute', /^granularity must be one of none, hour, day, week, month$/],
      ['an unknown time zone', 'timezone=Mars/Olympus', 'timezone must be an IANA time zone such as Europe/Berlin'],
      [
        'a custom period without bounds',
        'period=custom',
        'from is required, for example 2026-03-01; to is required, for example 2026-03-01',
      ],
      ['bounds without a custom period', 'from=2024-01-01', 'from and to are allowed only with period=custom'],
      ['a bound that is no moment', 'period=custom&from=yesterday&to=2024-01-01', /^from must/],
      ['a day that no calendar has', 'period=custom&from=2024-02-30&to=2024-03-01', /^from must be a date such as/],
      ['an end before the start', 'period=custom&from=2024-02-02&to=2024-02-01', 'from must be before to'],
      [
        'a period that is too long',
        'period=custom&from=2022-01-01&to=2024-01-01',
        'from and to must be at most 366 days apart',
      ],
      ['too many hours', 'period=year&granularity=hour', 'granularity=hour is for periods of at most 31 days'],
      ['a malformed server', 'serverId=1', 'serverId must be an ObjectId of 24 hexadecimal digits'],
      ['a malformed product', 'productId=%00', 'productId must be an ObjectId of 24 hexadecimal digits'],
    ])('rejects a comparison with %s', async (_what, query, error) => {
      expectError(await app.api.get(path(query), { key }), 400, error, `/api/v2/stats/${shop.shopId}/comparison`);
    });

    it('rejects a malformed shop id', async () => {
      const error = 'An identifier in the path is not an ObjectId of 24 hexadecimal digits';
      expectError(await app.api.get(path({}, 'mine'), { key }), 400, error);
    });
  });

  it('returns 401 without a valid credential', async () => {
    const error = 'Authentication is missing or invalid';
    expectError(await app.api.get(path()), 401, error);
    expectError(await app.api.get(path(), { key: 'shp_nonsense' }), 401, error);
    expectError(await app.api.get(path(), { token: 'nonsense' }), 401, error);
  });

  it('returns 403 without the permission to read statistics (complaint 23)', async () => {
    const lacks = 'The credential lacks the permission stats:read';
    const support = await aMember(app, shop, 'support');
    expectError(await app.api.get(path(), { token: support.token }), 403, lacks);
    const plugin = await aKey(app.api, shop, 'plugin');
    expectError(await app.api.get(path(), { key: plugin.key }), 403, lacks);
    const stranger = await aPerson(app.api);
    const denied = 'The credential has no access to this shop';
    expectError(await app.api.get(path(), { token: stranger.token }), 403, denied);
    const elsewhere = await aShop(app.api);
    expectError(await app.api.get(path({}, elsewhere.shopId), { key }), 403, denied);
  });

  it('allows an analyst to read a comparison', async () => {
    const analyst = await aMember(app, shop, 'analyst');
    expectSuccess(await app.api.get(path(), { token: analyst.token }), COMPARED);
  });

  it('returns 404 for an unknown shop, and for a server or a product that is unknown or of another shop', async () => {
    const unknown = '655f1c2ab1e4a9d3f0c80000';
    expectError(await app.api.get(path({}, unknown), { key }), 404, 'There is no such shop');
    const elsewhere = await aShop(app.api);
    for (const serverId of [unknown, await aServer(app.api, elsewhere)]) {
      expectError(await app.api.get(path({ serverId }), { key }), 404, 'There is no such server');
    }
    for (const productId of [unknown, await aProduct(app.api, elsewhere)]) {
      expectError(await app.api.get(path({ productId }), { key }), 404, 'There is no such product');
    }
  });

  it('returns 429 when a key has used up its limit, with the time to wait', async () => {
    const strict = await startTestApp({ databaseUri: app.databaseUri, env: { RATE_LIMIT_FACTOR: '0.01' } });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await strict.api.get(path(), { key })).status);
    const rejected = await strict.api.get(path(), { key });
    await strict.close();
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expectError(rejected, 429, 'Too many requests; wait before you send the next one');
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  });
});
