import { describe, expect, it } from '@jest/globals';
import { orInvalid } from '../../domain/errors/or-invalid.js';
import { readZone } from '../../lib/time/local-time.js';
import { limitInWords, limitProblems, type LimitWindow, windowAt } from './purchase-limits.js';

const zone = (name = 'Europe/Berlin') => orInvalid(readZone(name));
const day = { calendar: 'day' } as const;

describe('the window of a limit', () => {
  it.each<[string, LimitWindow, string, string, string]>([
    ['7 days', { days: 7 }, '2026-11-29T12:00:00.000Z', '2026-11-22T12:00:00.001Z', '2026-12-06T12:00:00.000Z'],
    [
      '1 day over the clocks back',
      { days: 1 },
      '2026-10-25T12:00:00Z',
      '2026-10-24T12:00:00.001Z',
      '2026-10-26T12:00Z',
    ],
    ['a day', day, '2026-11-29T12:00:00Z', '2026-11-28T23:00:00Z', '2026-11-29T23:00:00Z'],
    ['a day, at its first moment', day, '2026-11-28T23:00:00.000Z', '2026-11-28T23:00:00Z', '2026-11-29T23:00:00Z'],
    ['a day, at its last moment', day, '2026-11-28T22:59:59.999Z', '2026-11-27T23:00:00Z', '2026-11-28T23:00:00Z'],
    ['the day of 23 hours', day, '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    [
      'the day of 25 hours, in its first 2:30',
      day,
      '2026-10-25T00:30:00Z',
      '2026-10-24T22:00:00Z',
      '2026-10-25T23:00Z',
    ],
    [
      'the day of 25 hours, in its second 2:30',
      day,
      '2026-10-25T01:30:00Z',
      '2026-10-24T22:00:00Z',
      '2026-10-25T23:00Z',
    ],
    ['a week, on its Monday', { calendar: 'week' }, '2026-11-29T23:00Z', '2026-11-29T23:00Z', '2026-12-06T23:00Z'],
    ['a week, on its Sunday', { calendar: 'week' }, '2026-11-29T22:59Z', '2026-11-22T23:00Z', '2026-11-29T23:00Z'],
    ['a week of 167 hours', { calendar: 'week' }, '2026-03-25T12:00Z', '2026-03-22T23:00Z', '2026-03-29T22:00Z'],
    [
      'a month of 31 days and 1 hour',
      { calendar: 'month' },
      '2026-10-31T12:00Z',
      '2026-09-30T22:00Z',
      '2026-10-31T23:00Z',
    ],
    ['the last month of a year', { calendar: 'month' }, '2026-12-31T22:59Z', '2026-11-30T23:00Z', '2026-12-31T23:00Z'],
  ])('is %s', (_what, window, now, from, freeAt) => {
    const open = windowAt(window, zone(), new Date(now));
    expect([open.from, open.freeAt(new Date(now))]).toEqual([new Date(from), new Date(freeAt)]);
  });

  it('is that of the clocks of the shop', () => {
    const now = new Date('2026-11-29T03:00:00.000Z');
    expect(windowAt(day, zone('America/New_York'), now).from).toEqual(new Date('2026-11-28T05:00:00.000Z'));
    expect(windowAt(day, zone('Asia/Tokyo'), now).from).toEqual(new Date('2026-11-28T15:00:00.000Z'));
  });

  it('has neither a beginning nor an end without one', () => {
    const open = windowAt(null, zone(), new Date());
    expect([open.from, open.freeAt(new Date())]).toEqual([null, null]);
  });
});

it('rejects a window that is none or two, two limits of which only one can count, and a limit of the shop that is a stock', () => {
  const limit = (window: LimitWindow | null, of: 'buyer' | 'shop' = 'buyer', max = 1) => ({ of, max, window });
  const unclear = 'limits must have either days or calendar in each window';
  const repeated = 'limits must not repeat a window of the same holder';
  expect(limitProblems([limit({})], 'limits')).toEqual([unclear]);
  expect(limitProblems([limit({ days: 1, calendar: 'day' })], 'limits')).toEqual([unclear]);
  expect(limitProblems([limit({ days: 7 }), limit({ days: 7 })], 'limits')).toEqual([repeated]);
  const large = 'limits of the shop must have at most 1000 units; a larger number is a stock';
  expect(limitProblems([limit(day, 'shop', 1_001)], 'limits')).toEqual([large]);
  expect(limitProblems([limit(day, 'shop', 1_000), limit(day, 'buyer', 1_001)], 'limits')).toEqual([]);
  const player = { of: 'player', max: 1, window: { days: 7 } } as const;
  expect(limitProblems([limit({ days: 7 }), limit(day), limit(null), player], 'limits')).toEqual([]);
});

it('says a limit in words', () => {
  const limit = { of: 'player', max: 3 } as const;
  expect(limitInWords({ ...limit, window: { days: 7 } })).toBe('3 for one player in 7 days');
  expect(limitInWords({ ...limit, window: { days: 1 } })).toBe('3 for one player in 24 hours');
  expect(limitInWords({ ...limit, window: { calendar: 'week' } })).toBe('3 for one player in a week');
  expect(limitInWords({ ...limit, window: null })).toBe('3 for one player');
});
