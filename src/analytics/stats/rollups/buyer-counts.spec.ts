import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eachCount, NumberSet, packed } from './buyer-counts.js';

const unpacked = (bytes: Uint8Array): [number, number][] => {
  const counts: [number, number][] = [];
  eachCount(bytes, (number, count) => counts.push([number, count]));
  return counts;
};

it('packs any counts of any numbers, whatever their order, and returns them in the order of the numbers', () => {
  const number = fc.oneof(fc.nat(300), fc.nat(2 ** 32 - 1));
  const count = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100_000 }));
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(number, count), { selector: ([first]) => first }), (counts) => {
      const inOrder = counts.toSorted(([one], [other]) => one - other);
      expect(unpacked(packed(new Map(counts)))).toEqual(inOrder);
    }),
  );
  expect(unpacked(packed(new Map()))).toEqual([]);
});

it('needs about a byte for each of many buyers', () => {
  expect(packed(new Map(Array.from({ length: 10_000 }, (_, index) => [index * 50, 1]))).length).toBe(10_000);
});

it('counts each number of a set once', () => {
  const set = new NumberSet();
  for (const number of [0, 3, 3, 1_023, 1_024, 1_024, 70_000, 0, 3]) set.add(number);
  expect(set.size).toBe(5);
});
