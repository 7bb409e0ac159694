import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { nextAttemptAt } from './backoff.js';

describe('nextAttemptAt', () => {
  const now = new Date('2026-11-21T12:00:00.000Z');

  it.each([
    [1, 2],
    [2, 4],
    [10, 1_024],
    [11, 1_440],
    [2_000, 1_440],
  ])('waits, after %i attempts, %i minutes', (attempts, minutes) => {
    expect(nextAttemptAt(attempts, now).getTime() - now.getTime()).toBe(minutes * MINUTE_MS);
  });
});
