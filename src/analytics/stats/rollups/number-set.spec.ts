import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NumberSet } from './number-set.js';

function setOf(numbers: Iterable<number>): NumberSet {
  const set = new NumberSet();
  for (const number of numbers) set.add(number);
  return set;
}

describe('NumberSet', () => {
  it('counts each number once, also after it was packed, joined with others and had some deleted', () => {
    const numbers = fc.array(fc.oneof(fc.nat({ max: 700 }), fc.nat({ max: 100_000 }), fc.nat({ max: 2 ** 32 - 1 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(numbers, numbers, numbers, (some, others, deleted) => {
        const joined = setOf(some);
        joined.addPacked(setOf(others).packed());
        for (const number of deleted) joined.delete(number);
        const expected = new Set([...some, ...others].filter((number) => !deleted.includes(number)));
        expect(joined.size).toBe(expected.size);
        expect(joined.packed()).toEqual(setOf(expected).packed());
      }),
    );
  });

  it('takes a byte for each of many numbers, and nothing when it is empty', () => {
    expect(setOf(Array.from({ length: 1_000 }, (_, index) => index * 100)).packed()).toHaveLength(1_000);
    expect(setOf([300]).packed()).toEqual(Buffer.from([0xac, 0x02]));
    expect(setOf([]).packed()).toHaveLength(0);
  });

  it('takes no memory for the numbers between those that it has', () => {
    const began = process.memoryUsage().arrayBuffers;
    const sets = Array.from({ length: 200 }, (_, index) => setOf([2 ** 30 + index]));
    expect(process.memoryUsage().arrayBuffers - began).toBeLessThan(2 ** 20);
    expect(sets.map((set) => set.packed().length)).toEqual(sets.map(() => 5));
  });
});
