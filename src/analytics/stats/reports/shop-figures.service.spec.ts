import { describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../../test/support/contexts.js';
import { type Call, recording } from '../../../../test/support/fakes.js';
import { shopWith } from '../../../../test/support/shops.js';
import { NO_SALES } from '../rollups/sale-sums.js';
import { type SalesService } from '../rollups/sales.service.js';
import { type Sales, type SalesQuery } from '../rollups/sales.types.js';
import { ShopFiguresService } from './shop-figures.service.js';

/** December in Berlin, November in UTC. */
const NOW = new Date('2026-11-30T23:30:00.000Z');
const DECEMBER = { from: new Date('2026-11-30T23:00:00.000Z'), to: new Date('2026-12-31T23:00:00.000Z') };
const SUMS = [{ buyerKey: 'steve', netMinor: 500 }];

function figures(calls: Call[]): ShopFiguresService {
  const buckets = [{ ...NO_SALES, grossMinor: 1_000, refundsMinor: 1, chargebacksMinor: 20 }];
  const sales = { buckets, uniqueBuyers: 1 };
  return new ShopFiguresService(
    recording<SalesService>(calls, {
      salesOf: <Window extends string>({ windows }: SalesQuery<Window>) => {
        const named = Object.keys(windows).map((name) => [name, sales]);
        return Promise.resolve(Object.fromEntries(named) as Record<Window, Sales>);
      },
      topBuyers: () => Promise.resolve(SUMS),
    }),
  );
}

describe('ShopFiguresService', () => {
  it('returns what buyers paid in the running month of the shop, without what they got back', async () => {
    const calls: Call[] = [];
    expect(await figures(calls).revenueOfMonth(shopWith(), NOW)).toEqual({ month: DECEMBER, netMinor: 979 });
    const [windows, buckets] = [{ month: DECEMBER }, { month: [DECEMBER] }];
    expect(calls).toEqual([['salesOf', { shopId: SHOP, currency: 'EUR', windows, buckets }]]);
  });

  it.each([
    ['month', '2026-12'],
    ['all', null],
  ] as const)('reads the top buyers of the period %s from the sums of %s', async (period, month) => {
    const calls: Call[] = [];
    expect(await figures(calls).topBuyers(shopWith(), period, 5, NOW)).toBe(SUMS);
    expect(calls).toEqual([['topBuyers', SHOP, 'EUR', month, 5]]);
  });
});
