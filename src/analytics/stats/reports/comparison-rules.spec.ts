import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NO_SALES, type SalesSums } from '../rollups/sale-sums.js';
import { compared, comparedFigures, figuresOf } from './comparison-rules.js';

const bucket = (sums: Partial<SalesSums>): SalesSums => ({ ...NO_SALES, ...sums });

describe('figuresOf', () => {
  it('adds the buckets up and subtracts refunds and chargebacks from the revenue', () => {
    const morning = bucket({
      grossMinor: 4_999,
      discountMinor: 500,
      paidOrders: 2,
      itemsSold: 3,
      newBuyers: 1,
      orders: 3,
      convertedOrders: 2,
    });
    const evening = bucket({
      grossMinor: 2_500,
      paidOrders: 1,
      itemsSold: 1,
      refundsMinor: 1_000,
      chargebacksMinor: 2_500,
    });
    expect(figuresOf({ buckets: [morning, evening], uniqueBuyers: 2 })).toEqual({
      grossRevenue: 7_499,
      refunds: 1_000,
      chargebacks: 2_500,
      netRevenue: 3_999,
      orders: 3,
      paidOrders: 3,
      averageOrderValue: 2_500,
      uniqueBuyers: 2,
      newBuyers: 1,
      conversion: 0.6667,
      discountTotal: 500,
      itemsSold: 4,
    });
  });

  it('returns no average without a paid order and no conversion without an order', () => {
    expect(figuresOf({ buckets: [], uniqueBuyers: 0 })).toMatchObject({
      grossRevenue: 0,
      netRevenue: 0,
      averageOrderValue: null,
      conversion: null,
    });
  });

  it('rounds a conversion half up', () => {
    const { conversion } = figuresOf({ buckets: [bucket({ orders: 160, convertedOrders: 91 })], uniqueBuyers: 0 });
    expect(conversion).toBe(0.5688);
  });

  it('returns a net revenue below zero when more was refunded than paid', () => {
    expect(figuresOf({ buckets: [bucket({ refundsMinor: 500 })], uniqueBuyers: 0 }).netRevenue).toBe(-500);
  });
});

describe('compared', () => {
  it.each([
    [150, 100, 50, 50],
    [50, 100, -50, -50],
    [0, 100, -100, -100],
    [100, 100, 0, 0],
    [100, 300, -200, -66.67],
    [200, 300, -100, -33.33],
    // Compared with 0 there is no percentage, and never Infinity.
    [100, 0, 100, null],
    [0, 0, 0, null],
    // The sign is that of the change.
    [-50, -100, 50, 50],
    [50, -100, 150, 150],
    [-150, -100, -50, -50],
    [0.82, 0.8, 0.02, 2.5],
    [0.3, 0.1, 0.2, 200],
    [999_999, 1_000_000_000, -999_000_001, -99.9],
    [999_999_999, 1_000_000_000, -1, 0],
  ])('compares %s with %s: a change of %s, or %s %%', (current, previous, change, changePercent) => {
    expect(compared(current, previous)).toEqual({ current, previous, change, changePercent });
  });

  it.each<[number | null, number | null]>([
    [null, 5],
    [5, null],
    [null, null],
  ])('returns no change of %s compared with %s', (current, previous) => {
    expect(compared(current, previous)).toEqual({ current, previous, change: null, changePercent: null });
  });

  it('returns no number that JSON does not have, and no negative zero', () => {
    const amounts = fc.integer({ min: -1e14, max: 1e14 });
    fc.assert(
      fc.property(amounts, amounts, (current, previous) => {
        const result = compared(current, previous);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        expect(result.change).toBe(current - previous);
        expect(result.changePercent === null).toBe(previous === 0);
      }),
    );
  });
});

describe('comparedFigures', () => {
  it('compares all twelve figures with the earlier ones', () => {
    const current = figuresOf({
      buckets: [bucket({ grossMinor: 300, paidOrders: 3, orders: 4, convertedOrders: 2 })],
      uniqueBuyers: 2,
    });
    const previous = figuresOf({ buckets: [bucket({ grossMinor: 100, paidOrders: 1 })], uniqueBuyers: 1 });
    const none = { current: 0, previous: 0, change: 0, changePercent: null };
    expect(comparedFigures(current, previous)).toEqual({
      grossRevenue: { current: 300, previous: 100, change: 200, changePercent: 200 },
      refunds: none,
      chargebacks: none,
      netRevenue: { current: 300, previous: 100, change: 200, changePercent: 200 },
      orders: { current: 4, previous: 0, change: 4, changePercent: null },
      paidOrders: { current: 3, previous: 1, change: 2, changePercent: 200 },
      averageOrderValue: { current: 100, previous: 100, change: 0, changePercent: 0 },
      uniqueBuyers: { current: 2, previous: 1, change: 1, changePercent: 100 },
      newBuyers: none,
      conversion: { current: 0.5, previous: null, change: null, changePercent: null },
      discountTotal: none,
      itemsSold: none,
    });
  });
});
