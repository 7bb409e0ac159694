import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time/durations.js';
import { aKey, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { COMPARED, type Comparison, comparisonPath, type ComparisonQuery, type SeriesPoint } from './comparisons.js';
import { countedByHand, type Filter, type SoldOrder, storeWithLedger } from './sold-orders.js';

type Query = Readonly<Record<string, string>>;

describe('GET /stats/{shopId}/comparison over orders of two years', () => {
  let app: TestApp;
  let records: Records;
  let shop: TestShop;
  let key: string;
  let products: string[];
  let servers: string[];
  let sold: SoldOrder[];

  const path = (query: ComparisonQuery = {}): string => comparisonPath(shop.shopId, query);
  const compare = async (query: Query): Promise<Comparison> =>
    expectSuccess<Comparison>(await app.api.get(path(query), { key }), COMPARED);

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
    app = await startTestApp();
    records = await recordsOf(app);
    shop = await aShop(app.api);
    key = (await aKey(app.api, shop)).key;
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
    await storeWithLedger(records.db, [
      ...sold,
      // What must not be counted: another shop's orders, and those in another currency.
      ...others.map((order) => ({ ...order, shopId: elsewhere.shopId })),
      ...others.map((order) => ({ ...order, currency: 'USD' })),
    ]);
  });

  afterAll(async () => {
    await records.close();
    await app.close();
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
  ])('returns what a simple count of the same orders returns: %s', async (_what, query, points) => {
    const result = await compare(query);
    for (const side of ['current', 'previous'] as const) {
      const counted = countedByHand(sold, side === 'current' ? result.period : result.previous, {});
      expect(Object.fromEntries(Object.entries(result.metrics).map(([name, metric]) => [name, metric[side]]))).toEqual(
        counted,
      );
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
  ])('returns what a simple count of the same orders returns: %s', async (_what, choose) => {
    const filter = choose({ products, servers });
    const result = await compare({ ...march, ...filter, granularity: 'week' });
    for (const side of ['current', 'previous'] as const) {
      const counted = countedByHand(sold, side === 'current' ? result.period : result.previous, filter);
      expect(Object.fromEntries(Object.entries(result.metrics).map(([name, metric]) => [name, metric[side]]))).toEqual(
        counted,
      );
    }
    expectSeries(result.series, filter);
    expectSums(result);
  });

  it.each(['today', 'yesterday', '7d', '30d', '90d', 'week', 'month', 'quarter', 'year'])(
    'returns what a simple count returns for a named period and the same elapsed part of the earlier one: %s',
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
    const { period } = expectSuccess<Comparison>(await app.api.get(path(query), { key }), COMPARED);
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
});
