import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountProblems, checkedMinor, decimalsOf, isCurrency, percentOf, toMajor, toMinor } from './money.js';

const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', 'CLF');
/** The API accepts up to a billion in major units; sums of orders stay far below this. */
const minor = fc.integer({ min: 0, max: 1_000_000_000_000 });

describe('currencies', () => {
  it.each([
    ['EUR', 2],
    ['USD', 2],
    ['HUF', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['KWD', 3],
    ['TND', 3],
  ])('knows that %s has %d decimals (ISO 4217)', (code, decimals) => {
    expect(isCurrency(code)).toBe(true);
    expect(decimalsOf(code)).toBe(decimals);
  });

  it('knows the decimals of the standard also where this Node does not', () => {
    expect([decimalsOf('CLF'), decimalsOf('UYW')]).toEqual([4, 4]);
  });

  it.each(['', 'eur', 'EURO', 'ABC', '978', '€', '__proto__'])('rejects %j as a currency', (code) => {
    expect(isCurrency(code)).toBe(false);
  });
});

describe('amounts', () => {
  it.each([
    [49.99, 'EUR', 4999],
    [0, 'EUR', 0],
    [-0, 'EUR', 0],
    [0.1 + 0.2, 'EUR', 30],
    [1.1, 'EUR', 110],
    [1.005, 'EUR', null],
    [1.005, 'KWD', 1005],
    [19.9, 'EUR', 1990],
    [-5.5, 'EUR', -550],
    [1000, 'JPY', 1000],
    [0.5, 'JPY', null],
    [1_000_000_000, 'EUR', 100_000_000_000],
    [1e-7, 'EUR', null],
    [1e21, 'EUR', null],
    [Number.MAX_SAFE_INTEGER, 'EUR', null],
    [Number.NaN, 'EUR', null],
    [Number.POSITIVE_INFINITY, 'EUR', null],
  ])('converts %d %s to %j minor units', (amount, code, expected) => {
    expect(toMinor(amount, code)).toBe(expected);
  });

  it('converts minor units to the number of the API and back without a change, also through JSON', () => {
    fc.assert(
      fc.property(minor, currency, (amount, code) => {
        const sent = JSON.parse(JSON.stringify(toMajor(amount, code))) as number;
        return toMinor(sent, code) === amount;
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows no more decimals of an amount than its currency has', () => {
    fc.assert(
      fc.property(minor, currency, (amount, code) => {
        return (String(toMajor(amount, code)).split('.')[1] ?? '').length <= decimalsOf(code);
      }),
    );
  });
});

describe('sums of floating-point numbers', () => {
  it.each([
    [1.1 + 2.2, 330],
    [0.1 + 0.2, 30],
    [19.99 * 3, 5_997],
    [8.2 - 0.1, 810],
    [3.300000000001, null],
    [1.005, null],
  ])('reads %d as %d minor units', (amount, expected) => {
    expect(toMinor(amount, 'EUR')).toBe(expected);
  });
});

describe('percentages', () => {
  it.each([
    [4999, 12.5, 625],
    [1, 50, 1],
    [1, 49.99, 0],
    [3, 50, 2],
    [100, 33.33, 33],
    [10_000, 0.01, 1],
    [999, 100, 999],
    [0, 50, 0],
    [100_000_000_000, 99.99, 99_990_000_000],
  ])('computes of %d: %d %% as %d, rounded half up', (amount, percent, expected) => {
    expect(percentOf(amount, percent)).toBe(expected);
  });

  it('computes percentages within half a unit of the exact value, and never above the amount', () => {
    const hundredths = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), hundredths, (amount, share) => {
        const result = BigInt(percentOf(amount, share / 100));
        const error = 2n * (result * 10_000n - BigInt(amount) * BigInt(share));
        return error > -10_000n && error <= 10_000n && result <= BigInt(amount);
      }),
    );
  });
});

describe('checked amounts', () => {
  it('names every amount with more decimals than its currency, and skips null', () => {
    expect(amountProblems({ price: 1.005, limit: 0.001, value: 1.5, none: null }, 'EUR')).toEqual([
      'price has more decimals than EUR allows',
      'limit has more decimals than EUR allows',
    ]);
  });

  it('converts an amount without problems and throws for any other', () => {
    expect(checkedMinor(49.99, 'EUR')).toBe(4_999);
    expect(() => checkedMinor(1.5, 'JPY')).toThrow('1.5 JPY was not checked before it was converted');
  });
});
