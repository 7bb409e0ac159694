import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changeWith, saleWith } from '../../../test/support/prices.js';
import { type SoldSale } from '../sales/sale.types.js';
import { unitPrice } from './price-basket.js';
import { NO_END, type PriceChange } from './price-change.types.js';
import { publicPrices } from './public-prices.js';

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 1, hour));
const hourOf = (date: Date): number | null =>
  date.getTime() === NO_END.getTime() ? null : (date.getTime() - at(0).getTime()) / 3_600_000;
/** A sale of 25 % between two hours. */
const sale = (from: number, until: number | null, fields: Partial<SoldSale> = {}): SoldSale =>
  saleWith({ startsAt: at(from), endsAt: until === null ? null : at(until), ...fields });
/** A price between two hours. */
const change = (
  from: number,
  until: number | null,
  listMinor: number,
  fields: Partial<PriceChange> = {},
): PriceChange => changeWith({ from: at(from), until: until === null ? NO_END : at(until), listMinor, ...fields });

/** An hour, the price from then on, the sale behind it, and `!` when it is shown as a reduction. */
type Row = [from: number | null, price: number, sale: string | null, isReduced?: '!'];
const rowsOf = (changes: PriceChange[], sales: SoldSale[]): Row[] =>
  publicPrices(changes, sales).map(({ from, priceMinor, saleId, isReduced }): Row => {
    const row = [hourOf(from), priceMinor, saleId] as const;
    return isReduced ? [...row, '!'] : [...row];
  });

describe('publicPrices', () => {
  it.each<[string, PriceChange[], SoldSale[], Row[]]>([
    ['nothing that is not known', [], [sale(0, 9)], []],
    ['one price without a change', [change(0, null, 1_000)], [], [[0, 1_000, null]]],
    [
      'changes',
      [change(0, 5, 1_000), change(5, null, 900)],
      [],
      [
        [0, 1_000, null],
        [5, 900, null],
      ],
    ],
    [
      'a sale inside of one price',
      [change(0, null, 1_000)],
      [sale(2, 4)],
      [
        [0, 1_000, null],
        [2, 750, 'sale', '!'],
        [4, 1_000, null],
      ],
    ],
    [
      'a sale without an end, from before the first price on',
      [change(3, null, 1_000)],
      [sale(0, null)],
      [[3, 750, 'sale', '!']],
    ],
    [
      'a change of the price in a sale',
      [change(0, 3, 1_000), change(3, null, 800)],
      [sale(2, 4)],
      [
        [0, 1_000, null],
        [2, 750, 'sale', '!'],
        [3, 600, 'sale', '!'],
        [4, 800, null],
      ],
    ],
    [
      'the best of several sales at each moment, never two',
      [change(0, null, 1_000)],
      [sale(1, 9), sale(3, 5, { id: 'deep', value: 50 })],
      [
        [0, 1_000, null],
        [1, 750, 'sale', '!'],
        [3, 500, 'deep', '!'],
        [5, 750, 'sale', '!'],
        [9, 1_000, null],
      ],
    ],
    [
      'the older one of two equal sales',
      [change(0, null, 1_000)],
      [sale(0, 4, { id: 'b' }), sale(0, 4, { id: 'a' })],
      [
        [0, 750, 'a', '!'],
        [4, 1_000, null],
      ],
    ],
    [
      'a sale of a category only while the product is in it',
      [change(0, 3, 1_000, { categoryId: 'ranks' }), change(3, null, 1_000)],
      [sale(1, 9, { scope: 'categories', categoryIds: ['ranks'] })],
      [
        [0, 1_000, null],
        [1, 750, 'sale', '!'],
        [3, 1_000, null],
      ],
    ],
    [
      'a higher price beside it as a reduction, also without a lower price',
      [change(0, 2, 1_000), change(2, null, 1_000, { compareAtMinor: 1_500 })],
      [],
      [
        [0, 1_000, null],
        [2, 1_000, null, '!'],
      ],
    ],
    ['one price across a change that is none', [change(0, 2, 1_000), change(2, null, 1_000)], [], [[0, 1_000, null]]],
  ])('has %s', (_, changes, sales, rows) => {
    expect(rowsOf(changes, sales)).toEqual(rows);
  });

  it('has at each moment the price of a basket, for any changes and sales', () => {
    const hour = fc.nat(30);
    const sales = fc.array(
      fc
        .record({ id: fc.uuid(), from: hour, hours: fc.option(fc.integer({ min: 1, max: 20 })), value: fc.nat(100) })
        .map(({ id, from, hours, value }) =>
          sale(from, hours === null ? null : from + hours, { id, value, type: value % 2 === 0 ? 'percent' : 'fixed' }),
        ),
      { maxLength: 5 },
    );
    const lists = fc.array(fc.nat(2_000), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(sales, lists, (some, prices) => {
        const changes = prices.map((listMinor, index) =>
          change(index * 7, index === prices.length - 1 ? null : (index + 1) * 7, listMinor),
        );
        const found = publicPrices(changes, some);
        for (let step = 0; step <= 60; step++) {
          const now = new Date(at(0).getTime() + step * 1_800_000 - (step % 2));
          const list = changes.find(({ from, until }) => from <= now && now < until);
          const price = found.find(({ from, until }) => from <= now && now < until);
          if (list === undefined) expect(price).toBe(undefined);
          else {
            const product = { id: list.productId, categoryId: null, priceMinor: list.listMinor };
            const { reduction } = unitPrice(product, some, now);
            expect([price?.priceMinor, price?.saleId]).toEqual([
              reduction?.priceMinor ?? list.listMinor,
              reduction?.sale.id ?? null,
            ]);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
