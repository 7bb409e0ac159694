import { describe, expect, it } from '@jest/globals';
import {
  announcementAfter,
  announcementOf,
  bestReduction,
  isFor,
  nextBoundary,
  reducedPrice,
  stateOf,
} from './sale-rules.js';
import { type SoldSale } from './sale.types.js';

const START = new Date('2026-11-27T00:00:00.000Z');
const END = new Date('2026-11-30T00:00:00.000Z');
const DURING = new Date('2026-11-28T12:00:00.000Z');
const VIP = { id: 'vip', categoryId: 'ranks' };

const saleWith = (fields: Partial<SoldSale> = {}): SoldSale => ({
  ...{ id: 'a', name: 'Black Friday', type: 'percent', value: 25, scope: 'all' },
  ...{ productIds: [], categoryIds: [], excludedProductIds: [], startsAt: START, endsAt: END },
  ...fields,
});
const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

describe('stateOf', () => {
  it.each([
    [START, -1, 'planned'],
    [START, 0, 'running'],
    [START, 1, 'running'],
    [END, -1, 'running'],
    [END, 0, 'ended'],
    [END, 1, 'ended'],
  ])('is exact to the millisecond: %s and %i ms is %s', (at, ms, state) => {
    expect(stateOf(saleWith(), after(at, ms))).toBe(state);
  });

  it('never ends without an end', () => {
    expect(stateOf(saleWith({ endsAt: null }), new Date('2126-01-01T00:00:00.000Z'))).toBe('running');
  });

  it.each([
    ['2026-03-29T00:30:00+01:00', '2026-03-29T03:30:00+02:00', 2],
    ['2026-10-25T00:30:00+02:00', '2026-10-25T03:30:00+01:00', 4],
  ])(
    'lasts as long as the clock says over a change of daylight-saving time from %s to %s: %i hours',
    (from, to, hours) => {
      const sale = saleWith({ startsAt: new Date(from), endsAt: new Date(to) });
      const running = [...Array(24 * 60).keys()].filter(
        (minute) => stateOf(sale, after(new Date(from), (minute - 600) * 60_000)) === 'running',
      );
      expect(running.length).toBe(hours * 60);
    },
  );
});

describe('What is announced of a sale', () => {
  const started = { type: 'started', at: START } as const;
  const ended = { type: 'ended', at: END } as const;

  it('is its beginning and then its end, if it has one', () => {
    expect(announcementOf(saleWith(), null, 'planned')).toEqual(started);
    expect(announcementAfter(started, saleWith())).toEqual(ended);
    expect(announcementAfter(started, saleWith({ endsAt: null }))).toBeNull();
    expect(announcementAfter(ended, saleWith())).toBeNull();
  });

  it('follows a change: of the beginning while it is planned, of the end while it runs', () => {
    const moved = saleWith({ startsAt: DURING });
    expect(announcementOf(moved, started, 'planned')).toEqual({ type: 'started', at: DURING });
    expect(announcementOf(saleWith(), started, 'running')).toEqual(started);
    const stopped = saleWith({ endsAt: DURING });
    expect(announcementOf(stopped, ended, 'running')).toEqual({ type: 'ended', at: DURING });
    expect(announcementOf(stopped, null, 'running')).toEqual({ type: 'ended', at: DURING });
    expect(announcementOf(saleWith({ endsAt: null }), null, 'running')).toBeNull();
  });
});

it.each<[Partial<SoldSale>, boolean]>([
  [{}, true],
  [{ excludedProductIds: ['vip'] }, false],
  [{ scope: 'products', productIds: ['vip', 'key'] }, true],
  [{ scope: 'products', productIds: ['key'] }, false],
  [{ scope: 'products', productIds: ['vip'], excludedProductIds: ['vip'] }, false],
  [{ scope: 'categories', categoryIds: ['ranks'] }, true],
  [{ scope: 'categories', categoryIds: ['crates'] }, false],
])('is for a product: %j is %s', (fields, expected) => {
  expect(isFor(saleWith(fields), VIP)).toBe(expected);
});

it('is for no product without a category when it names categories', () => {
  expect(isFor(saleWith({ scope: 'categories', categoryIds: ['ranks'] }), { id: 'vip', categoryId: null })).toBe(false);
});

it.each([
  ['percent', 25, 1_000, 750],
  ['percent', 33.33, 999, 666],
  ['percent', 50, 1, 0],
  ['percent', 49, 1, 1],
  ['percent', 100, 999, 0],
  ['percent', 10, 0, 0],
  ['fixed', 300, 1_000, 700],
  ['fixed', 1_001, 1_000, 0],
] as const)('takes %s %d off %i: %i are left', (type, value, price, left) => {
  expect(reducedPrice({ type, value }, price)).toBe(left);
});

describe('bestReduction', () => {
  const best = (sales: SoldSale[], priceMinor = 1_000): [string, number] | null => {
    const found = bestReduction(VIP, priceMinor, sales, DURING);
    return found && [found.sale.id, found.priceMinor];
  };

  it.each<[string, SoldSale[], number, [string, number] | null]>([
    ['none without a sale', [], 1_000, null],
    ['one that runs', [saleWith()], 1_000, ['a', 750]],
    ['none that is planned', [saleWith({ startsAt: after(DURING, 1) })], 1_000, null],
    ['none that has ended', [saleWith({ endsAt: DURING })], 1_000, null],
    ['none for other products', [saleWith({ excludedProductIds: ['vip'] })], 1_000, null],
    ['the lowest of several, never two', [saleWith(), saleWith({ id: 'b', value: 40 })], 1_000, ['b', 600]],
    [
      'a fixed one where it takes off more',
      [saleWith(), saleWith({ id: 'b', type: 'fixed', value: 251 })],
      1_000,
      ['b', 749],
    ],
    ['the older one of two equal ones', [saleWith({ id: 'b' }), saleWith({ id: 'a' })], 1_000, ['a', 750]],
    ['none that takes nothing off', [saleWith({ value: 10 })], 0, null],
    ['none whose reduction rounds to nothing', [saleWith({ value: 49 })], 1, null],
  ])('finds %s', (_, sales, price, expected) => {
    expect(best(sales, price)).toEqual(expected);
  });
});

it.each<[string, SoldSale[], Date | null]>([
  ['none', [], null],
  ['the beginning of a planned sale', [saleWith({ startsAt: after(DURING, 1) })], after(DURING, 1)],
  ['the end of a running sale', [saleWith()], END],
  ['none of one that runs without an end', [saleWith({ endsAt: null })], null],
  ['the first of several', [saleWith(), saleWith({ startsAt: after(DURING, 5) })], after(DURING, 5)],
  ['none at the moment itself', [saleWith({ endsAt: DURING })], null],
])('finds the next boundary: %s', (_, sales, expected) => {
  expect(nextBoundary(sales, DURING)).toEqual(expected);
});
