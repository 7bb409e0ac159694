import { describe, expect, it } from '@jest/globals';
import { medianSecondsOf } from './delivery-times.js';

describe('medianSecondsOf', () => {
  const waited = (...waits: number[]) =>
    waits.map((ms) => ({ createdAt: new Date(1_000), deliveredAt: new Date(1_000 + ms) }));
  const each = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

  it.each([
    [waited(...each(19, 8_000)), null],
    [waited(...each(20, 8_000)), 8],
    [waited(...each(20, 8_001)), 9],
    [waited(...each(10, 1_000), ...each(10, 60_000)), 60],
    [waited(...each(11, 1_000), ...each(10, 60_000)), 1],
    [waited(...each(20, 0)), 0],
  ])('is the middle one of at least 20, in whole seconds', (times, expected) => {
    expect(medianSecondsOf(times)).toBe(expected);
  });
});
