import { describe, expect, it } from '@jest/globals';
import { anyMatches, isRecent } from './signatures.js';

describe('isRecent', () => {
  const NOW = new Date('2026-11-21T12:00:00.000Z');
  const seconds = String(NOW.getTime() / 1000);

  it('accepts seconds since the epoch, and no other notation of the same time', () => {
    expect(isRecent(seconds, NOW)).toBe(true);
    for (const text of [` ${seconds}`, `${seconds} `, `+${seconds}`, `0${seconds}`, `${seconds}.0`]) {
      expect(isRecent(text, NOW)).toBe(false);
    }
  });
});

describe('anyMatches', () => {
  const others = (count: number): string[] => Array<string>(count).fill('other');

  it('finds the expected signature among at most 16', () => {
    expect(anyMatches('right', [...others(15), 'right'])).toBe(true);
    expect(anyMatches('right', [...others(16), 'right'])).toBe(false);
    expect(anyMatches('right', others(16))).toBe(false);
  });
});
