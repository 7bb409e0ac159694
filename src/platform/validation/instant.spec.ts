import { describe, expect, it } from '@jest/globals';
import { parseInstant } from './instant.js';

describe('An instant', () => {
  it.each([
    ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T12:00:00.5+01:00', '2026-11-21T11:00:00.500Z'],
    ['2026-11-21T12:00-23:59', '2026-11-22T11:59:00.000Z'],
  ])('reads the instant %s as %s', (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '2026-11-21T12:00:00+99:99',
    '2026-11-21T12:00:00+24:00',
    '2026-11-21T12:00:00-00:60',
    '2026-11-21T12:00:00+1:00',
    '2026-11-21T25:00:00Z',
    '2026-11-21T12:60:00Z',
    '2026-02-30T12:00:00Z',
    '2026-11-21T12:00:00',
    '2026-11-21',
  ])('rejects the instant %s', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});
