import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { discountWith } from '../../../test/support/discounts.js';
import { type DiscountValues } from '../discounts/discount.types.js';
import { soldWith } from '../../../test/support/snapshots.js';
import { saleWith } from '../../../test/support/prices.js';
import { type SoldSale } from '../sales/sale.types.js';
import { costsMoreSinceSale, isReduced, netOf, priceBasket, spread, withCode } from './price-basket.js';

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
    ['nothing off reduced lines', { type: 'percent', value: 10, excludesReduced: true }, [100, 0, 0]],
    ['nothing of other products', { type: 'fixed', value: 100, productIds: ['other'] }, [0, 0, 0]],
  ])('takes off %s', (_, fields, discounts) => {
    const lines = withCode(LINES, discountWith(fields), ['key']);
    expect(lines.map(({ discountMinor }) => discountMinor)).toEqual(discounts);
    expect(lines.map(({ netMinor }) => netMinor)).toEqual(
      LINES.map(({ totalMinor }, index) => totalMinor - (discounts[index] ?? 0)),
    );
  });

  it('takes off nothing without a code', () => {
    expect(netOf(withCode(LINES, null, []))).toBe(1_500);
  });
});

it('spreads an amount over lines of which all are free as nothing', () => {
  const [free] = spread([{ totalMinor: 0 }], 0);
  expect(free).toEqual({ totalMinor: 0, discountMinor: 0, netMinor: 0 });
});

describe('priceBasket', () => {
  const NOW = new Date('2026-11-28T12:00:00.000Z');

  it('reduces each unit before the quantity, and names the sale in the line', () => {
    const product = soldWith({ id: 'vip', priceMinor: 999 });
    expect(priceBasket([{ product, quantity: 3 }], [saleWith()], NOW)).toEqual({
      lines: [
        {
          ...{ product, quantity: 3, listMinor: 999, saleId: 'sale', saleMinor: 250, unitPriceMinor: 749 },
          ...{ totalMinor: 2_247, discountMinor: 0, netMinor: 2_247 },
        },
      ],
      subtotalMinor: 2_247,
    });
  });

  it.each<[string, boolean, SoldSale[], number?]>([
    ['a sale has ended', true, [saleWith({ endsAt: NOW })]],
    ['a sale still runs', false, [saleWith()]],
    ['a sale of other products has ended', false, [saleWith({ endsAt: NOW, excludedProductIds: ['vip'] })]],
    ['one of two equal sales has ended', false, [saleWith({ endsAt: NOW }), saleWith({ id: 'b' })]],
    ['the better of two sales has ended', true, [saleWith({ endsAt: NOW, value: 50 }), saleWith({ id: 'b' })]],
    ['a sale has begun', false, [saleWith({ startsAt: NOW })]],
  ])('says when %s whether it costs more for that: %s', (_, expected, sales) => {
    const lines = [{ product: soldWith({ id: 'vip' }), quantity: 1 }];
    expect(costsMoreSinceSale(lines, sales, NOW)).toBe(expected);
  });

  it.each<[string, boolean, number | null, SoldSale[]]>([
    ['no sale', false, null, []],
    ['a sale', true, null, [saleWith()]],
    ['a sale that has ended', false, null, [saleWith({ endsAt: NOW })]],
    ['a higher price beside it', true, 2_000, []],
  ])('is reduced by %s: %s', (_, expected, compareAtPriceMinor, sales) => {
    expect(isReduced(soldWith({ compareAtPriceMinor }), sales, NOW)).toBe(expected);
  });

  it('has for any basket the total of a model that looks at every unit and every sale by itself', () => {
    const ids = ['a', 'b', 'c'];
    const sale = fc.record({
      ...{ id: fc.uuid(), type: fc.constantFrom('percent' as const, 'fixed' as const), value: fc.nat(100) },
      ...{
        excludedProductIds: fc.subarray(ids),
        hours: fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 5 })),
      },
    });
    const lines = fc.uniqueArray(
      fc.record({ id: fc.constantFrom(...ids), priceMinor: fc.nat(5_000), quantity: fc.integer({ min: 1, max: 9 }) }),
      { selector: ({ id }) => id },
    );
    const hour = (number: number): Date => new Date(NOW.getTime() + number * 3_600_000);
    fc.assert(
      fc.property(
        lines,
        fc.array(sale, { maxLength: 5 }),
        fc.integer({ min: 0, max: 100 }),
        fc.boolean(),
        (wanted, planned, off, excludesReduced) => {
          let [expected, eligible] = [0, 0];
          for (const { id, priceMinor, quantity } of wanted) {
            const offers = planned
              .filter(
                ({ hours: [from, length], excludedProductIds }) =>
                  from <= 0 && from + length > 0 && !excludedProductIds.includes(id),
              )
              .map(({ type, value }) =>
                type === 'fixed' ? priceMinor - value : priceMinor - Math.floor((priceMinor * value) / 100 + 0.5),
              );
            const unit = Math.max(0, Math.min(priceMinor, ...offers));
            expected += unit * quantity;
            if (!excludesReduced || unit === priceMinor) eligible += unit * quantity;
          }
          expected -= Math.floor((eligible * off) / 100 + 0.5);
          const sales = planned.map(({ hours: [from, length], ...fields }) =>
            saleWith({ ...fields, startsAt: hour(from), endsAt: hour(from + length) }),
          );
          const basket = wanted.map(({ quantity, ...fields }) => ({ product: soldWith(fields), quantity }));
          const items = priceBasket(basket, sales, NOW).lines.map(({ product: { id: productId }, ...line }) => ({
            productId,
            ...line,
          }));
          const reducedIds = basket
            .filter(({ product }) => isReduced(product, sales, NOW))
            .map(({ product: { id } }) => id);
          expect(netOf(withCode(items, discountWith({ value: off, excludesReduced }), reducedIds))).toBe(expected);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is never negative, adds up, and takes at most the best sale off, for any basket', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const some = fc.subarray(ids);
    const type = fc.constantFrom('percent' as const, 'fixed' as const);
    const sale = fc
      .record({ id: fc.uuid(), type, value: fc.nat(100), scope: fc.constantFrom('all' as const, 'products' as const) })
      .chain((fields) =>
        fc.record({ productIds: some, excludedProductIds: some }).map((of) => saleWith({ ...fields, ...of })),
      );
    const lines = fc.uniqueArray(
      fc.record({ id: fc.constantFrom(...ids), priceMinor: fc.nat(5_000), quantity: fc.integer({ min: 1, max: 9 }) }),
      { selector: ({ id }) => id },
    );
    const code = fc.option(
      fc.record({ type, value: fc.nat(100), productIds: fc.option(some), maxDiscountMinor: fc.option(fc.nat(500)) }),
    );
    fc.assert(
      fc.property(lines, fc.array(sale, { maxLength: 4 }), code, (wanted, sales, discount) => {
        const products = wanted.map(({ quantity, ...fields }) => ({ product: soldWith(fields), quantity }));
        const { lines: priced, subtotalMinor } = priceBasket(products, sales, NOW);
        const discounted = withCode(
          priced.map(({ product, ...line }) => ({ productId: product.id, ...line })),
          discount && { ...discount, excludesReduced: false },
          [],
        );
        for (const line of discounted) {
          expect(line.unitPriceMinor).toBe(line.listMinor - line.saleMinor);
          expect(line.totalMinor).toBe(line.unitPriceMinor * line.quantity);
          expect(line.netMinor).toBe(line.totalMinor - line.discountMinor);
          expect(
            Math.min(line.unitPriceMinor, line.saleMinor, line.discountMinor, line.netMinor),
          ).toBeGreaterThanOrEqual(0);
          expect(line.saleId === null).toBe(line.saleMinor === 0);
        }
        const off = discounted.reduce((sum, { discountMinor }) => sum + discountMinor, 0);
        expect(netOf(discounted) + off).toBe(subtotalMinor);
      }),
      { numRuns: 1_000 },
    );
  });
});
