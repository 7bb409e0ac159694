import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitAmount } from './split-amount.js';

describe('splitAmount', () => {
  it.each<[number, number[], number[]]>([
    [100, [1, 1], [50, 50]],
    [101, [1, 1], [51, 50]],
    [10, [1, 1, 1], [4, 3, 3]],
    [1, [1, 2], [0, 1]],
    [5, [0, 3, 0], [0, 5, 0]],
    [5, [0, 0], [3, 2]],
    [0, [0, 0], [0, 0]],
    [0, [], []],
    [100_000_000_000, [99_999_999_999, 1], [99_999_999_999, 1]],
  ])('splits %i by %j into %j', (amount, weights, parts) => {
    expect(splitAmount(amount, weights)).toEqual(parts);
  });

  it('splits every amount completely, and gives each part less than one unit too much or too little', () => {
    const weight = fc.nat(1_000_000);
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.array(weight, { minLength: 1, maxLength: 50 }), (amount, weights) => {
        const parts = splitAmount(amount, weights);
        const sum = weights.reduce((total, each) => total + each, 0);
        expect(parts.reduce((total, part) => total + part, 0)).toBe(amount);
        for (const [index, part] of parts.entries()) {
          const share = sum === 0 ? amount / weights.length : (amount * (weights[index] ?? 0)) / sum;
          expect(Math.abs(part - share)).toBeLessThan(1);
        }
      }),
    );
  });
});
