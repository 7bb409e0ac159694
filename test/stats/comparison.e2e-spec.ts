import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import { aKey, aMember, anOrder, aPerson, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/common/time/durations.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aWebhook, sendCustom } from '../payments/senders.js';
import { countedByHand, type Filter, type SoldOrder, store } from './sold-orders.js';

interface Interval {
  readonly from: string;
  readonly to: string;
}
interface SeriesPoint {
  readonly from: string | null;
  readonly to: string | null;
  readonly previousFrom: string | null;
  readonly previousTo: string | null;
  readonly current: Record<string, number> | null;
  readonly previous: Record<string, number> | null;
}
interface Comparison {
  readonly period: Interval;
  readonly previous: Interval;
  readonly timezone: string;
  readonly complete: boolean;
  readonly metrics: Record<string, { current: number | null; previous: number | null }>;
  readonly series: SeriesPoint[];
  readonly generatedAt: string;
}
type Query = Record<string, string>;

const MESSAGE = 'Statistics compared';

let app: TestApp;
let database: MongoClient;
let shop: TestShop;
let key: string;

const path = (query: Query | string = {}, shopId = shop.shopId): string =>
  `/stats/${shopId}/comparison?${typeof query === 'string' ? query : new URLSearchParams(query).toString()}`;
const compare = async (query: Query): Promise<Comparison> =>
  expectSuccess<Comparison>(await app.api.get(path(query), { key }), MESSAGE);
const orders = (): Collection => database.db().collection('orders');

beforeAll(async () => {
  app = await startTestApp();
  database = await MongoClient.connect(app.databaseUri);
  shop = await aShop(app.api);
  key = (await aKey(app.api, shop)).key;
});
afterAll(async () => {
  await database.close();
  await app.close();
});

const risen = (value: number): object => ({ current: value, previous: 0, change: value, changePercent: null });
const nothing = { current: 0, previous: 0, change: 0, changePercent: null };
const none = { current: null, previous: null, change: null, changePercent: null };

describe('GET /stats/{shopId}/comparison', () => {
  describe('200', () => {
    it('returns zeros, and null where it would divide by 0, for a shop without orders', async () => {
      const quiet = await aShop(app.api, { currency: 'JPY', timezone: 'Asia/Tokyo' });
      const response = await app.api.get(path({ period: 'yesterday' }, quiet.shopId), { token: quiet.owner.token });
      expect(expectSuccess(response, MESSAGE)).toEqual({
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
      const goods = {
        productId: await aProduct(app.api, busy, { price: 19.99 }),
        serverId: await aServer(app.api, busy),
      };
      const webhook = await aWebhook(app.api, busy, 'custom');
      const { id, total } = await anOrder(app.api, busy.shopId, goods);
      await anOrder(app.api, busy.shopId, goods);
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

  describe('200, over orders of two years', () => {
    let products: string[];
    let servers: string[];
    let sold: SoldOrder[];

    /** The same numbers in every run: a linear congruential generator. */
    function dice(): (below: number) => number {
      let state = 42;
      return (below) => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((state / 2_147_483_648) * below);
      };
    }

    function someOrders(shopId: string, count: number, from: string, days: number): SoldOrder[] {
      const below = dice();
      const pick = <Item>(items: readonly [Item, ...Item[]] | Item[]): Item => items[below(items.length)] as Item;
      return Array.from({ length: count }, () => {
        const createdAt = new Date(Date.parse(from) + below(days * 24 * 4) * 15 * MINUTE_MS + below(3) * 450_000);
        const paidAt = below(4) === 0 ? null : new Date(createdAt.getTime() + below(5) * 20 * MINUTE_MS);
        const [first, second] = products as [string, string];
        const items = [
          { productId: first, quantity: 1 + below(3), unitPriceMinor: pick([0, 999, 333, 1250]) },
          ...(below(2) === 0 ? [{ productId: second, quantity: 1, unitPriceMinor: pick([500, 777]) }] : []),
        ];
        const subtotal = items.reduce((sum, { quantity, unitPriceMinor }) => sum + quantity * unitPriceMinor, 0);
        const back = paidAt !== null && subtotal > 0 && below(5) === 0 ? 1 + below(2) : 0;
        return {
          shopId,
          serverId: pick(servers),
          buyerKey: `buyer-${below(40)}@example.com`,
          items,
          discountMinor: Math.floor((subtotal * pick([0, 0, 10, 33, 100])) / 100),
          currency: 'EUR',
          createdAt,
          paidAt,
          isFirstPurchase: paidAt === null ? null : below(3) === 0,
          reversals: Array.from({ length: back }, (_, index) => ({
            kind: index === 0 ? ('refund' as const) : ('chargeback' as const),
            amountMinor: 1 + below(subtotal),
            at: new Date((paidAt ?? createdAt).getTime() + below(20 * 24) * HOUR_MS),
          })),
        };
      });
    }

    beforeAll(async () => {
      products = [await aProduct(app.api, shop), await aProduct(app.api, shop), await aProduct(app.api, shop)];
      servers = [await aServer(app.api, shop), await aServer(app.api, shop)];
      const lastDays = new Date(Date.now() - 70 * DAY_MS).toISOString();
      sold = [
        ...someOrders(shop.shopId, 300, '2023-02-01T00:00Z', 90),
        ...someOrders(shop.shopId, 400, '2024-02-01T00:00Z', 90),
        ...someOrders(shop.shopId, 100, '2024-10-20T00:00Z', 14),
        ...someOrders(shop.shopId, 150, lastDays, 70),
      ];
      const elsewhere = await aShop(app.api);
      const others = someOrders(shop.shopId, 50, '2024-03-01T00:00Z', 30);
      await store(orders(), [
        ...sold,
        // What must not be counted: another shop's orders, and those in another currency.
        ...others.map((order) => ({ ...order, shopId: elsewhere.shopId })),
        ...others.map((order) => ({ ...order, currency: 'USD' })),
      ]);
    });

    function expectSeries(series: SeriesPoint[], filter: Filter): void {
      for (const { from, to, previousFrom, previousTo, current, previous } of series) {
        if (current !== null) expect(countedByHand(sold, { from, to }, filter)).toMatchObject(current);
        if (previous !== null) {
          expect(countedByHand(sold, { from: previousFrom, to: previousTo }, filter)).toMatchObject(previous);
        }
        expect([current === null, previous === null]).toEqual([from === null, previousFrom === null]);
      }
    }

    function expectSums({ series, metrics }: Comparison): void {
      for (const side of ['current', 'previous'] as const) {
        for (const name of ['grossRevenue', 'netRevenue', 'orders', 'paidOrders', 'newBuyers', 'itemsSold']) {
          const sum = series.reduce((total, point) => total + (point[side]?.[name] ?? 0), 0);
          expect(sum).toBeCloseTo(metrics[name]?.[side] ?? Number.NaN, 6);
        }
      }
    }

    const march = { period: 'custom', from: '2024-03-01', to: '2024-04-01' };
    const year = { period: 'custom', from: '2024-01-01', to: '2025-01-01' };
    it.each<[string, Query, number]>([
      ['a month with a change of the clocks, by day', { ...march, granularity: 'day' }, 31],
      ['the same in another zone', { ...march, granularity: 'day', timezone: 'America/New_York' }, 31],
      ['half an hour beside UTC', { ...march, granularity: 'day', timezone: 'Asia/Kolkata' }, 31],
      ['three quarters of an hour beside UTC', { ...march, granularity: 'hour', timezone: 'Asia/Kathmandu' }, 744],
      [
        'where clocks change by half an hour',
        { ...march, from: '2024-04-01', to: '2024-04-20', granularity: 'day', timezone: 'Australia/Lord_Howe' },
        19,
      ],
      ['by hour, where one is left out, against a day more', { ...march, from: '2024-03-30', granularity: 'hour' }, 48],
      ['by hour, where one comes twice', { ...march, from: '2024-10-26', to: '2024-10-28', granularity: 'hour' }, 49],
      ['by week', { ...march, granularity: 'week' }, 5],
      ['a year by month', { ...year, granularity: 'month', compare: 'previous_year' }, 12],
      ['a leap year by day', { ...year, granularity: 'day', compare: 'previous_year' }, 366],
      [
        'a month against a longer one',
        {
          ...march,
          from: '2024-02-01',
          to: '2024-03-01',
          compare: 'custom',
          compareFrom: '2023-03-01',
          compareTo: '2023-04-01',
          granularity: 'day',
        },
        31,
      ],
      [
        'periods that overlap',
        {
          ...march,
          compare: 'custom',
          compareFrom: '2024-02-20T12:34:56Z',
          compareTo: '2024-03-11T01:02:03Z',
          granularity: 'day',
        },
        31,
      ],
      [
        'an interval within days',
        { ...march, from: '2024-03-05T10:07:00+01:00', to: '2024-03-09T23:11:11.111Z', granularity: 'hour' },
        111,
      ],
    ])('equals a simple count of the same orders: %s', async (_what, query, points) => {
      const result = await compare(query);
      for (const side of ['current', 'previous'] as const) {
        const counted = countedByHand(sold, side === 'current' ? result.period : result.previous, {});
        expect(
          Object.fromEntries(Object.entries(result.metrics).map(([name, metric]) => [name, metric[side]])),
        ).toEqual(counted);
      }
      expect(result.complete).toBe(true);
      expect(result.series).toHaveLength(points);
      expectSeries(result.series, {});
      expectSums(result);
    });

    it.each<[string, (ids: { products: string[]; servers: string[] }) => Filter]>([
      ['a server', (ids) => ({ serverId: ids.servers[0] ?? '' })],
      ['a product: its share of every amount', (ids) => ({ productId: ids.products[1] ?? '' })],
      ['a product that was free at times', (ids) => ({ productId: ids.products[0] ?? '' })],
      ['both', (ids) => ({ serverId: ids.servers[1] ?? '', productId: ids.products[1] ?? '' })],
      ['a product that was never sold', (ids) => ({ productId: ids.products[2] ?? '' })],
    ])('equals a simple count of the same orders: %s', async (_what, choose) => {
      const filter = choose({ products, servers });
      const result = await compare({ ...march, ...filter, granularity: 'week' });
      for (const side of ['current', 'previous'] as const) {
        const counted = countedByHand(sold, side === 'current' ? result.period : result.previous, filter);
        expect(
          Object.fromEntries(Object.entries(result.metrics).map(([name, metric]) => [name, metric[side]])),
        ).toEqual(counted);
      }
      expectSeries(result.series, filter);
      expectSums(result);
    });

    it.each(['today', 'yesterday', '7d', '30d', '90d', 'week', 'month', 'quarter', 'year'])(
      'equals a simple count for a named period and the same elapsed part of the earlier one: %s',
      async (period) => {
        for (const comparison of ['previous_period', 'previous_year']) {
          const result = await compare({ period, compare: comparison, granularity: 'day' });
          const end = result.complete ? result.period.to : result.generatedAt;
          const values = (side: 'current' | 'previous'): object =>
            Object.fromEntries(Object.entries(result.metrics).map(([name, metric]) => [name, metric[side]]));
          expect(values('current')).toEqual(countedByHand(sold, { from: result.period.from, to: end }, {}));
          expect(values('previous')).toEqual(countedByHand(sold, result.previous, {}));
          expect(result.complete).toBe(period === 'yesterday');
          expectSums(result);
        }
      },
    );

    it('returns the same figures with and without a series', async () => {
      const { metrics } = await compare({ ...march, granularity: 'hour' });
      expect((await compare(march)).metrics).toEqual(metrics);
    });

    it('reads an offset whose plus sign was not percent-encoded', async () => {
      const query = 'period=custom&from=2024-03-01T00:00:00+01:00&to=2024-04-01T00:00:00+02:00';
      const { period } = expectSuccess<Comparison>(await app.api.get(path(query), { key }), MESSAGE);
      expect(period).toEqual({ from: '2024-02-29T23:00:00.000Z', to: '2024-03-31T22:00:00.000Z' });
    });

    it('compares the last 30 days with the 30 days before by default', async () => {
      const { period, previous, timezone, series } = await compare({});
      const { period: same, previous: earlier } = await compare({ period: '30d', compare: 'previous_period' });
      expect({ period, from: previous.from, timezone, series }).toEqual({
        period: same,
        from: earlier.from,
        timezone: 'Europe/Berlin',
        series: [],
      });
      expect(Math.round((Date.parse(period.to) - Date.parse(period.from)) / DAY_MS)).toBe(30);
      expect(Math.round((Date.parse(period.from) - Date.parse(previous.from)) / DAY_MS)).toBe(30);
    });

    it('needs four database commands after those of the credential, for any number of orders', async () => {
      const ask = (query: Query) => () => app.api.get(path(query), { key });
      const credential = (await app.commandsOf(() => app.api.get(path({ period: 'never' }), { key }))).length;
      const own = async (query: Query): Promise<string[]> => (await app.commandsOf(ask(query))).slice(credential);
      const four = ['find', 'aggregate', 'aggregate', 'aggregate'];
      expect(await own({})).toEqual(four);
      expect(await own({ ...year, granularity: 'day', compare: 'previous_year' })).toEqual(four);
      const filtered = await own({ productId: products[0] ?? '', serverId: servers[0] ?? '' });
      expect(filtered).toHaveLength(6);
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
      ['a custom period without bounds', 'period=custom', 'from is missing; to is missing'],
      ['bounds without a custom period', 'from=2024-01-01', 'from and to belong to period=custom only'],
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
    ])('rejects %s', async (_what, query, error) => {
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

  it('returns 403 without the permission to read statistics', async () => {
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

  it('allows an analyst', async () => {
    const analyst = await aMember(app, shop, 'analyst');
    expectSuccess(await app.api.get(path(), { token: analyst.token }), MESSAGE);
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
    expectError(rejected, 429, 'Too many requests; wait before the next try');
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  });
});
