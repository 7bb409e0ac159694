import { describe, expect, it } from '@jest/globals';
import { changeWith, saleWith } from '../../../test/support/prices.js';
import { DAY_MS, HOUR_MS } from '../../lib/time/durations.js';
import { type SoldSale } from '../sales/sale.types.js';
import { NO_END, type PriceChange } from './price-change.types.js';
import { PRIOR_WINDOW_MS, priorPriceAt, priorPrices } from './prior-prices.js';

/** The product exists from day 0, and is looked at on day 100. Nothing before day -1000 is read. */
const day = (number: number): Date => new Date(Date.UTC(2026, 0, 1) + number * DAY_MS);
const NOW = 100;
const SINCE = day(-1_000);

/** A price from a day on, and what else is recorded with it. The next one ends it. */
type Price = [from: number, listMinor: number, fields?: Partial<PriceChange>];
/** The percentage, and the days on which the sale begins and ends. */
type Planned = [value: number, from: number, until: number | null, fields?: Partial<SoldSale>];

const changesOf = (prices: readonly Price[]): PriceChange[] =>
  prices.map(([from, listMinor, fields], index) => {
    const next = prices[index + 1];
    return changeWith({ from: day(from), until: next === undefined ? NO_END : day(next[0]), listMinor, ...fields });
  });
const salesOf = (planned: readonly Planned[]): SoldSale[] =>
  planned.map(([value, from, until, fields], index) => {
    const endsAt = until === null ? null : day(until);
    return saleWith({ id: `sale ${index}`, value, startsAt: day(from), endsAt, ...fields });
  });
const priorOn = (on: number, prices: readonly Price[], planned: readonly Planned[], since = SINCE): number | null => {
  const past = { changes: changesOf(prices), sales: salesOf(planned), since };
  return priorPriceAt(priorPrices(past, day(Math.min(on, NOW))), day(on));
};

const UNKNOWN = { hasUnknownPast: true };
const compareAt = (compareAtMinor: number): Partial<PriceChange> => ({ compareAtMinor });

describe('the price before a reduction', () => {
  it.each<[string, number | null, Price[], Planned[]]>([
    ['nothing without a reduction', null, [[0, 1_000]], []],
    ['nothing after a reduction', null, [[0, 1_000]], [[25, 90, 95]]],
    ['nothing before a planned reduction', null, [[0, 1_000]], [[25, 101, 110]]],
    ['the list price that did not change', 1_000, [[0, 1_000]], [[25, 95, null]]],
    [
      'the old price of one that was raised before the sale',
      1_000,
      [
        [0, 1_000],
        [90, 1_500],
      ],
      [[25, 95, null]],
    ],
    [
      'the raised price when it lasted for longer than the window',
      1_500,
      [
        [0, 1_000],
        [60, 1_500],
      ],
      [[25, 95, null]],
    ],
    [
      'a price that was lowered before the sale',
      800,
      [
        [0, 1_000],
        [90, 800],
      ],
      [[25, 95, null]],
    ],
    [
      'a price that was low for a day only',
      700,
      [
        [0, 1_000],
        [80, 700],
        [81, 1_000],
      ],
      [[25, 95, null]],
    ],
    [
      'the price in another sale within the window',
      500,
      [[0, 1_000]],
      [
        [50, 80, 81],
        [25, 95, null],
      ],
    ],
    [
      'no sale that ended before the window',
      1_000,
      [[0, 1_000]],
      [
        [50, 50, 60],
        [25, 95, null],
      ],
    ],
    [
      'the price of last week in a weekly sale',
      750,
      [[0, 1_000]],
      [
        [25, 85, 87],
        [25, 92, 94],
        [25, 99, 101],
      ],
    ],
    [
      'that before the first step of a progressive reduction',
      1_000,
      [[0, 1_000]],
      [
        [20, 90, 95],
        [30, 95, 99],
        [40, 99, null],
      ],
    ],
    [
      'that before the first of equal reductions without a gap',
      1_000,
      [[0, 1_000]],
      [
        [25, 90, 99],
        [25, 99, null],
      ],
    ],
    [
      'the deeper price when a reduction goes back from 30 to 20 %',
      700,
      [[0, 1_000]],
      [
        [30, 90, 99],
        [20, 99, null],
      ],
    ],
    [
      'the deepest price when it goes from 20 to 30 and back to 20 %',
      700,
      [[0, 1_000]],
      [
        [20, 85, null],
        [30, 90, 99],
      ],
    ],
    [
      'the sale price after a gap of a day',
      800,
      [[0, 1_000]],
      [
        [20, 90, 98],
        [30, 99, null],
      ],
    ],
    [
      'the same announcement when the list price falls in the sale',
      1_000,
      [
        [0, 1_000],
        [97, 800],
      ],
      [[25, 95, null]],
    ],
    [
      'another announcement when the list price rises in the sale',
      750,
      [
        [0, 1_000],
        [97, 2_000],
      ],
      [[25, 95, null]],
    ],
    ['the shorter life of a younger product', 1_000, [[90, 1_000]], [[25, 95, null]]],
    [
      'the lowest price in the shorter life of a younger product',
      900,
      [
        [90, 900],
        [92, 1_000],
      ],
      [[25, 95, null]],
    ],
    ['nothing for a product that began in the sale', null, [[96, 1_000]], [[25, 95, null]]],
    ['nothing while the past is unknown', null, [[80, 1_000, UNKNOWN]], [[25, 95, null]]],
    ['the price when it is known for the window before the sale', 1_000, [[60, 1_000, UNKNOWN]], [[25, 95, null]]],
    [
      'nothing when a price in the window was not recorded',
      null,
      [
        [0, 1_000],
        [80, 1_200, UNKNOWN],
      ],
      [[25, 95, null]],
    ],
    [
      '1.29 when 1.69 is reduced to 1.29 and it cost 1.29 in the window',
      129,
      [[0, 169]],
      [
        [40, 80, 82, { type: 'fixed' }],
        [40, 95, null, { type: 'fixed' }],
      ],
    ],
    [
      'the price before a higher price was shown beside it',
      1_000,
      [
        [0, 1_000],
        [95, 800, compareAt(1_500)],
      ],
      [],
    ],
    [
      'the same price when only a higher price is shown beside it',
      1_000,
      [
        [0, 1_000],
        [95, 1_000, compareAt(1_500)],
      ],
      [],
    ],
    ['nothing when the higher price was there from the beginning', null, [[0, 800, compareAt(1_500)]], []],
    [
      'that before a higher price that a sale follows',
      1_000,
      [
        [0, 1_000],
        [90, 900, compareAt(1_500)],
      ],
      [[25, 95, null]],
    ],
    [
      'no sale of other products',
      1_000,
      [[0, 1_000]],
      [
        [50, 80, 81, { excludedProductIds: ['vip'] }],
        [25, 95, null],
      ],
    ],
    [
      'a sale of the category that the product was in',
      500,
      [
        [0, 1_000, { categoryId: 'ranks' }],
        [90, 1_000],
      ],
      [
        [50, 80, 81, { scope: 'categories', categoryIds: ['ranks'] }],
        [25, 95, null],
      ],
    ],
    [
      '0 for a product that was free',
      0,
      [
        [0, 0],
        [90, 1_000],
      ],
      [[25, 95, null]],
    ],
  ])('is %s', (_, expected, prices, planned) => {
    expect(priorOn(NOW, prices, planned)).toBe(expected);
  });

  it('is that of each planned reduction when it has begun, without another computation', () => {
    const prices: Price[] = [[0, 1_000]];
    const planned: Planned[] = [
      [25, 95, 105],
      [10, 110, 120],
    ];
    expect([99, 104, 105, 109, 110, 119, 120].map((on) => priorOn(on, prices, planned))).toEqual([
      1_000,
      1_000,
      null,
      null,
      750,
      750,
      null,
    ]);
  });

  it('is unknown when the reductions before it began before what was read', () => {
    const planned: Planned[] = [
      [25, 60, 95],
      [30, 95, null],
    ];
    expect(priorOn(NOW, [[0, 1_000]], planned, day(20))).toBe(1_000);
    expect(priorOn(NOW, [[0, 1_000]], planned, day(30))).toBe(null);
  });

  it.each<[string, number | null]>([
    ['a millisecond after the window has begun', 500],
    ['when the window begins', 1_000],
    ['a millisecond before the window begins', 1_000],
  ])('counts a sale that ended %s: %i', (when, expected) => {
    const start = day(95).getTime() - PRIOR_WINDOW_MS;
    const offset = when.includes('after') ? 1 : when.includes('before') ? -1 : 0;
    const old = { value: 50, startsAt: day(30), endsAt: new Date(start + offset) };
    const sales = [saleWith({ ...old, id: 'old' }), saleWith({ startsAt: day(95) })];
    const past = { changes: changesOf([[0, 1_000]]), sales, since: SINCE };
    expect(priorPriceAt(priorPrices(past, day(NOW)), day(NOW))).toBe(expected);
  });

  it.each([
    [-1, null],
    [0, 1_000],
    [1, 1_000],
  ])('exists from the first millisecond of a sale: %i ms is %s', (ms, expected) => {
    const past = { changes: changesOf([[0, 1_000]]), sales: salesOf([[25, 95, null]]), since: SINCE };
    const now = new Date(day(95).getTime() + ms);
    expect(priorPriceAt(priorPrices(past, now), now)).toBe(expected);
  });

  // 30 days of the calendar have 719 hours when the clocks go forward, and 721 when they go back.
  it.each([
    ['forward', '2026-03-10T00:00:00+01:00', '2026-04-09T00:00:00+02:00', 719],
    ['back', '2026-10-10T00:00:00+02:00', '2026-11-09T00:00:00+01:00', 721],
  ])('counts 30 whole days of the calendar when the clocks go %s', (_, from, until, hours) => {
    const [first, begins] = [new Date(from), new Date(until)];
    expect(begins.getTime() - first.getTime()).toBe(hours * HOUR_MS);
    const changes = [
      changeWith({ from: SINCE, until: new Date(first.getTime() + 1), listMinor: 600 }),
      changeWith({ from: new Date(first.getTime() + 1) }),
    ];
    const past = { changes, sales: [saleWith({ startsAt: begins })], since: SINCE };
    expect(priorPriceAt(priorPrices(past, begins), begins)).toBe(600);
  });
});
