import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ProductsService } from '../../../catalogue/products/products.service.js';
import { type ServersService } from '../../../catalogue/servers/servers.service.js';
import { AppError } from '../../../domain/errors/app-error.js';
import { type ShopContext } from '../../../domain/principal/auth-context.js';
import { type ShopsService } from '../../../shops/shops/shops.service.js';
import { type PartsQuery, type PartSums } from '../rollups/breakdown-rules.js';
import { NO_SALES } from '../rollups/sale-sums.js';
import { type SalesService } from '../rollups/sales.service.js';
import { type Sales, type SalesQuery, type SalesWindow } from '../rollups/sales.types.js';
import { toBreakdownDto, toComparisonDto } from './stats.mapper.js';
import { type ComparisonRequest, StatsService } from './stats.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const PRODUCT = '655f1c2ab1e4a9d3f0c81270';
const NOW = new Date('2026-11-18T15:30+01:00');
const REQUEST: ComparisonRequest = { period: 'today', compare: 'previous_period', granularity: 'none' };
const context = { shopId: SHOP } as ShopContext;

const NAMES = new Map([[PRODUCT, 'VIP']]);

function withSales(
  sales: Partial<Record<SalesWindow, Sales>> = {},
  parts: readonly PartSums[] = [],
): { stats: StatsService; queries: SalesQuery[]; split: PartsQuery[] } {
  const queries: SalesQuery[] = [];
  const split: PartsQuery[] = [];
  const nothing: Sales = { buckets: [], uniqueBuyers: 0 };
  const stats = new StatsService(
    {
      settingsOf: () => Promise.resolve({ currency: 'EUR', timezone: 'Europe/Berlin' }),
    } as unknown as ShopsService,
    {
      requireKnown: (_shopId: string, id: string) =>
        id === SERVER ? Promise.resolve() : Promise.reject(new AppError('server_not_found')),
      namesOf: () => Promise.resolve(new Map([[SERVER, 'Survival']])),
    } as unknown as ServersService,
    {
      requireKnown: (_shopId: string, id: string) =>
        id === PRODUCT ? Promise.resolve() : Promise.reject(new AppError('product_not_found')),
      namesOf: () => Promise.resolve(NAMES),
    } as unknown as ProductsService,
    {
      salesOf: (query: SalesQuery) => {
        queries.push(query);
        return Promise.resolve({ current: nothing, previous: nothing, ...sales });
      },
      partsOf: (query: PartsQuery) => {
        split.push(query);
        return Promise.resolve([...parts]);
      },
    } as unknown as SalesService,
  );
  return { stats, queries, split };
}

beforeEach(() => {
  jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('StatsService.compare', () => {
  it("sums the elapsed part of the period and of the earlier one, in the shop's currency and time zone", async () => {
    const { stats, queries } = withSales();
    const { timezone, currency, generatedAt } = await stats.compare(context, REQUEST);
    expect({ timezone, currency, generatedAt }).toEqual({
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      generatedAt: NOW,
    });
    expect(queries).toEqual([
      {
        shopId: SHOP,
        currency: 'EUR',
        windows: {
          current: { from: new Date('2026-11-18T00:00+01:00'), to: NOW },
          previous: { from: new Date('2026-11-17T00:00+01:00'), to: new Date('2026-11-17T15:30+01:00') },
        },
        buckets: {
          current: [{ from: new Date('2026-11-18T00:00+01:00'), to: NOW }],
          previous: [{ from: new Date('2026-11-17T00:00+01:00'), to: new Date('2026-11-17T15:30+01:00') }],
        },
        serverId: undefined,
        productId: undefined,
      },
    ]);
  });

  it("prefers the caller's time zone to the shop's", async () => {
    const { stats, queries } = withSales();
    const { timezone } = await stats.compare(context, { ...REQUEST, timezone: 'Asia/Kathmandu' });
    expect(timezone).toBe('Asia/Kathmandu');
    expect(queries[0]?.windows.current.from).toEqual(new Date('2026-11-18T00:00+05:45'));
  });

  it('sums each bucket of a series alone, as far as the period has passed', async () => {
    const { stats, queries } = withSales();
    await stats.compare(context, { ...REQUEST, period: '7d', granularity: 'day' });
    expect(queries[0]?.buckets.current).toHaveLength(7);
    expect(queries[0]?.buckets.current.at(-1)).toEqual({ from: new Date('2026-11-18T00:00+01:00'), to: NOW });
    expect(queries[0]?.buckets.previous).toHaveLength(7);
  });

  it.each<[string, Partial<ComparisonRequest>, string]>([
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'timezone must be an IANA time zone such as Europe/Berlin'],
    ['a custom period without bounds', { period: 'custom' }, 'from is required, for example 2026-03-01; to is required, for example 2026-03-01'],
    ['hours of a year', { period: 'year', granularity: 'hour' }, 'granularity=hour is for periods of at most 31 days'],
  ])('rejects %s without computing sums', async (_what, request, message) => {
    const { stats, queries } = withSales();
    await expect(stats.compare(context, { ...REQUEST, ...request })).rejects.toMatchObject({
      code: 'validation_failed',
      message,
    });
    expect(queries).toEqual([]);
  });

  it('applies filters, and rejects a server or product of another shop: an empty statistic would look like a result', async () => {
    const { stats, queries } = withSales();
    await stats.compare(context, { ...REQUEST, serverId: SERVER, productId: PRODUCT });
    expect(queries[0]).toMatchObject({ serverId: SERVER, productId: PRODUCT });
    await expect(stats.compare(context, { ...REQUEST, serverId: PRODUCT })).rejects.toMatchObject({
      code: 'server_not_found',
    });
    await expect(stats.compare(context, { ...REQUEST, productId: SERVER })).rejects.toMatchObject({
      code: 'product_not_found',
    });
    expect(queries).toHaveLength(1);
  });

  it('returns, through the mapper, amounts in major units and instants in UTC', async () => {
    const buckets = [
      {
        ...NO_SALES,
        grossMinor: 4_999,
        discountMinor: 501,
        paidOrders: 2,
        itemsSold: 3,
        newBuyers: 1,
        refundsMinor: 999,
        orders: 4,
        convertedOrders: 2,
      },
    ];
    const { stats } = withSales({ current: { buckets, uniqueBuyers: 2 }, previous: { buckets: [NO_SALES], uniqueBuyers: 0 } });
    const count = (current: number): object => ({ current, previous: 0, change: current, changePercent: null });
    expect(toComparisonDto(await stats.compare(context, { ...REQUEST, granularity: 'week' }))).toEqual({
      period: { from: '2026-11-17T23:00:00.000Z', to: '2026-11-18T23:00:00.000Z' },
      previous: { from: '2026-11-16T23:00:00.000Z', to: '2026-11-17T14:30:00.000Z' },
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      complete: false,
      metrics: {
        grossRevenue: count(49.99),
        refunds: count(9.99),
        chargebacks: count(0),
        netRevenue: count(40),
        orders: count(4),
        paidOrders: count(2),
        averageOrderValue: { current: 25, previous: null, change: null, changePercent: null },
        uniqueBuyers: count(2),
        newBuyers: count(1),
        conversion: { current: 0.5, previous: null, change: null, changePercent: null },
        discountTotal: count(5.01),
        itemsSold: count(3),
      },
      series: [
        {
          from: '2026-11-17T23:00:00.000Z',
          to: '2026-11-18T23:00:00.000Z',
          previousFrom: '2026-11-16T23:00:00.000Z',
          previousTo: '2026-11-17T14:30:00.000Z',
          current: {
            grossRevenue: 49.99,
            refunds: 9.99,
            chargebacks: 0,
            netRevenue: 40,
            orders: 4,
            paidOrders: 2,
            newBuyers: 1,
            discountTotal: 5.01,
            itemsSold: 3,
          },
          previous: {
            grossRevenue: 0,
            refunds: 0,
            chargebacks: 0,
            netRevenue: 0,
            orders: 0,
            paidOrders: 0,
            newBuyers: 0,
            discountTotal: 0,
            itemsSold: 0,
          },
        },
      ],
      generatedAt: '2026-11-18T14:30:00.000Z',
    });
  });
});

describe('StatsService.breakDown', () => {
  const request = { period: 'today', by: 'product', limit: 2 } as const;
  const part = (key: string | null, grossMinor: number): PartSums => ({ key, sums: { ...NO_SALES, grossMinor } });

  it("splits the elapsed part of the period, in the shop's currency and time zone", async () => {
    const { stats, split } = withSales();
    expect(await stats.breakDown(context, request)).toEqual({
      by: 'product',
      period: { from: new Date('2026-11-18T00:00+01:00'), to: new Date('2026-11-19T00:00+01:00') },
      ...{ complete: false, timezone: 'Europe/Berlin', currency: 'EUR', total: 0, rows: [], generatedAt: NOW },
    });
    const window = { from: new Date('2026-11-18T00:00+01:00'), to: NOW };
    expect(split).toEqual([{ shopId: SHOP, currency: 'EUR', by: 'product', window }]);
  });

  it('returns as many parts as are requested, and how many there are, with the names of products and servers', async () => {
    const { stats } = withSales({}, [part(PRODUCT, 4_999), part(SERVER, 1_000), part(null, 1)]);
    const { total, rows } = toBreakdownDto(await stats.breakDown(context, request));
    expect(total).toBe(3);
    expect(rows).toEqual([
      expect.objectContaining({ key: PRODUCT, name: 'VIP', grossRevenue: 49.99, netRevenue: 49.99 }),
      expect.objectContaining({ key: SERVER, name: null, grossRevenue: 10 }),
    ]);
    expect(rows[0]).not.toHaveProperty('orders');
    const byServer = await stats.breakDown(context, { ...request, by: 'server', limit: 3 });
    expect(byServer.rows.map(({ name }) => name)).toEqual([null, 'Survival', null]);
    const byCode = await stats.breakDown(context, { ...request, by: 'discount' });
    expect(byCode.rows.map(({ name }) => name)).toEqual([null, null]);
  });

  it('rejects a period that cannot be read, without splitting anything', async () => {
    const { stats, split } = withSales();
    await expect(stats.breakDown(context, { ...request, period: 'custom' })).rejects.toMatchObject({
      message: 'from is required, for example 2026-03-01; to is required, for example 2026-03-01',
    });
    expect(split).toEqual([]);
  });
});
