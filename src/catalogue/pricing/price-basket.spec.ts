import { describe, expect, it } from '@jest/globals';
import { discountWith } from '../../../test/support/discounts.js';
import { type DiscountValues } from '../discounts/discount.types.js';
import { netOf, spread, withCode } from './price-basket.js';

const LINES = [
  { productId: 'vip', totalMinor: 1_000 },
  { productId: 'key', totalMinor: 500 },
  { productId: 'free', totalMinor: 0 },
];

describe('withCode', () => {
  it.each<[string, Partial<DiscountValues>, number[]]>([
    ['a percentage of all lines', { type: 'percent', value: 10 }, [100, 50, 0]],
    ['a percentage that is rounded once, not for each line', { type: 'percent', value: 33.33 }, [333, 167, 0]],
    ['a percentage of the lines that it is for', { type: 'percent', value: 10, productIds: ['key'] }, [0, 50, 0]],
    ['an amount, in proportion', { type: 'fixed', value: 100 }, [67, 33, 0]],
    ['an amount of one unit', { type: 'fixed', value: 1 }, [1, 0, 0]],
    ['at most the maximum', { type: 'percent', value: 50, maxDiscountMinor: 3 }, [2, 1, 0]],
    ['at most what the lines cost', { type: 'fixed', value: 9_999, productIds: ['key', 'free'] }, [0, 500, 0]],
    ['nothing of other products', { type: 'fixed', value: 100, productIds: ['other'] }, [0, 0, 0]],
  ])('takes off %s', (_, fields, discounts) => {
    const lines = withCode(LINES, discountWith(fields));
    expect(lines.map(({ discountMinor }) => discountMinor)).toEqual(discounts);
    expect(lines.map(({ netMinor }) => netMinor)).toEqual(
      LINES.map(({ totalMinor }, index) => totalMinor - (discounts[index] ?? 0)),
    );
  });

  it('takes off nothing without a code', () => {
    expect(netOf(withCode(LINES, null))).toBe(1_500);
  });
});

it('spreads an amount over lines of which all are free as nothing', () => {
  const [free] = spread([{ totalMinor: 0 }], 0);
  expect(free).toEqual({ totalMinor: 0, discountMinor: 0, netMinor: 0 });
});
