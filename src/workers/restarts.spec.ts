import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '../common/time/durations.js';
import { Restarts } from './restarts.js';

/** How long the replacement of each of these workers waits, in seconds, when they die at the same time. */
function waits(lives: readonly number[]): number[] {
  const restarts = new Restarts();
  return lives.map((livedMs) => {
    restarts.died(livedMs, 0);
    return restarts.waitMs(0) / SECOND_MS;
  });
}

describe('Restarts', () => {
  it('replaces the first worker at once, and those that die soon after it later and later, up to a minute', () => {
    expect(waits(Array.from({ length: 9 }, () => 100))).toEqual([0, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('begins again when a worker has lived for a minute', () => {
    expect(waits([100, 100, MINUTE_MS - 1, MINUTE_MS, 100])).toEqual([0, 2, 4, 0, 2]);
  });

  it('waits since the death, and not again for each worker that is missing', () => {
    const restarts = new Restarts();
    restarts.died(100, 5 * SECOND_MS);
    restarts.died(100, 5 * SECOND_MS);
    expect(restarts.waitMs(6 * SECOND_MS)).toBe(SECOND_MS);
    expect(restarts.waitMs(9 * SECOND_MS)).toBe(0);
  });
});
