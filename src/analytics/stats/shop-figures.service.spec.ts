import { describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, directTransactions, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { shopWith } from '../../../test/support/shops.js';
import { type BuyerSumsRepository } from './buyer-sums.repository.js';
import { type RollupsService } from './rollups.service.js';
import { type SalesService } from './sales.service.js';
import { NO_SALES } from '../../orders/ledger/sales.types.js';
import { ShopFiguresService } from './shop-figures.service.js';

/** December in Berlin, November in UTC. */
const NOW = new Date('2026-11-30T23:30:00.000Z');
const DECEMBER = { from: new Date('2026-11-30T23:00:00.000Z'), to: new Date('2026-12-31T23:00:00.000Z') };
const SUMS = [{ buyerKey: 'steve', netMinor: 500 }];

function figures(calls: Call[], areReady = true): ShopFiguresService {
  const none = { slots: [], uniqueBuyers: 0 };
  const slots = [
    { at: null, ...NO_SALES, grossMinor: 1_000, refundsMinor: 1 },
    { at: null, ...NO_SALES, chargebacksMinor: 20 },
  ];
  return new ShopFiguresService(
    recording<SalesService>(calls, {
      salesOf: () => Promise.resolve({ current: { slots, uniqueBuyers: 1 }, previous: none }),
    }),
    recording<BuyerSumsRepository>(calls, { top: () => Promise.resolve(SUMS) }),
    recording<RollupsService>(calls, { areReady: () => Promise.resolve(areReady) }),
    directTransactions,
  );
}

describe('the revenue of a month', () => {
  it('is what buyers paid in the running month of the shop, without what they got back', async () => {
    const calls: Call[] = [];
    expect(await figures(calls).revenueOfMonth(shopWith(), NOW)).toEqual({ month: DECEMBER, netMinor: 979 });
    const windows = { current: DECEMBER, previous: DECEMBER };
    const parts = { current: [DECEMBER], previous: [DECEMBER] };
    expect(calls).toEqual([['salesOf', { shopId: SHOP, currency: 'EUR', windows, parts, slots: null }]]);
  });
});

describe('the top buyers', () => {
  it.each([
    ['month', '2026-12'],
    ['all', null],
  ] as const)(
    'of the period %s are those with the highest sums of it, in one snapshot with their state',
    async (...of) => {
      const [period, month] = of;
      const calls: Call[] = [];
      expect(await figures(calls).topBuyers(shopWith(), period, 5, NOW)).toBe(SUMS);
      expect(calls).toEqual([
        ['areReady', SHOP, TRANSACTION],
        ['top', SHOP, 'EUR', month, 5, TRANSACTION],
      ]);
    },
  );

  it('are none while the sums are not complete', async () => {
    expect(await figures([], false).topBuyers(shopWith(), 'all', 5, NOW)).toEqual([]);
  });
});
