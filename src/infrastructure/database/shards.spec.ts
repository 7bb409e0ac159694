import { describe, expect, it } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { SHARDS, shardOf, splitEvenly } from './shards.js';

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

describe('splitEvenly', () => {
  it.each([
    [0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    [3, [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    [34, [3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
    [-17, [-2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]],
  ])('splits %i into %j', (total, shards) => {
    expect(splitEvenly(total)).toEqual(shards);
  });

  it('keeps the sum, differs by at most one, and has no shard below zero next to one above it', () => {
    const totals = integer({ min: -(2 ** 40), max: 2 ** 40 });
    assert(
      property(totals, (total) => {
        const shards = splitEvenly(total);
        expect(shards).toHaveLength(SHARDS);
        expect(sumOf(shards)).toBe(total);
        expect(Math.max(...shards) - Math.min(...shards)).toBeLessThanOrEqual(1);
        expect(Math.max(...shards) > 0 && Math.min(...shards) < 0).toBe(false);
      }),
    );
  });
});

it('spreads consecutive ids evenly over the shards', () => {
  const ids = Array.from({ length: 4 * SHARDS }, (_, n) =>
    (0x655f1c2ab1e4a9d3f0c8n * 0x10000n + BigInt(n)).toString(16),
  );
  const counts = Array.from({ length: SHARDS }, (_, shard) => ids.filter((id) => shardOf(id) === shard).length);
  expect(counts).toEqual(Array<number>(SHARDS).fill(4));
});
