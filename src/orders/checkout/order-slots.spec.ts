import { describe, expect, it } from '@jest/globals';
import { freeSlot } from './order-slots.js';

describe('freeSlot', () => {
  const slots = (holder: string, ...numbers: number[]): { holder: string; number: number }[] =>
    numbers.map((number) => ({ holder, number }));

  it.each([
    ['the one that the random number names', [], 4, 0.5, 2],
    ['the next one when that is taken', slots('a', 2), 4, 0.5, 3],
    ['the first one after the last', slots('a', 2, 3), 4, 0.5, 0],
    ['one that only others have', slots('b', 0, 1, 2, 3), 4, 0, 0],
    ['the only one that is left', slots('a', 0, 1, 3), 4, 0.99, 2],
    ['none when all are taken', slots('a', 0, 1, 2, 3), 4, 0, null],
    ['none when more are taken than the quota, which is lower now', slots('a', 7, 8, 9), 2, 0, null],
    ['one below the quota when it is lower now', slots('a', 7), 2, 0.9, 1],
  ])('returns as the free slot %s', (_, taken, quota, random, slot) => {
    expect(freeSlot('a', taken, quota, random)).toBe(slot);
  });
});
