import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type IANAZone } from 'luxon';
import { TIME_ZONES } from '../../../test/support/time-zones.js';
import { instantOf, isLocalMidnight, midnightOf, monthOf, wallTimeAt, zoneOf } from './local-time.js';

const zone = (name: string): IANAZone => {
  const found = zoneOf(name);
  if (found === null) throw new Error(`no zone ${name}`);
  return found;
};
const wall = (text: string): number => Date.parse(`${text}Z`);

it.each([
  ['2026-10-31T22:59:59.999Z', 'Europe/Berlin', '2026-10'],
  ['2026-10-31T23:00:00.000Z', 'Europe/Berlin', '2026-11'],
  ['2026-10-31T23:00:00.000Z', 'UTC', '2026-10'],
  ['2027-01-01T04:59:59.999Z', 'America/New_York', '2026-12'],
])('finds the month of %s in %s: %s', (at, name, month) => {
  expect(monthOf(new Date(at), zone(name))).toBe(month);
});

describe('zoneOf', () => {
  it.each(['Europe/Berlin', 'europe/berlin', 'UTC', 'Etc/GMT+3', 'America/Argentina/Buenos_Aires'])(
    'accepts %s as a time zone',
    (name) => {
      expect(zoneOf(name)).not.toBeNull();
    },
  );

  it.each(['', 'Mars/Olympus', '+02:00', 'Europe/Berlin\n', '../UTC', 'local', 'constructor'])(
    'rejects %j as a time zone',
    (name) => {
      expect(zoneOf(name)).toBeNull();
    },
  );
});

describe('instantOf', () => {
  it.each([
    ['an ordinary time', 'Europe/Berlin', '2026-01-15T12:00', '2026-01-15T12:00+01:00'],
    ['a midnight before the clocks go forward', 'Europe/Berlin', '2026-03-29T00:00', '2026-03-29T00:00+01:00'],
    ['a midnight after it', 'Europe/Berlin', '2026-03-30T00:00', '2026-03-30T00:00+02:00'],
    [
      'a time that never comes: the moment of the change',
      'Europe/Berlin',
      '2026-03-29T02:30',
      '2026-03-29T03:00+02:00',
    ],
    ['a time that comes twice: the first', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T02:30+02:00'],
    ['a time right after it came twice', 'Europe/Berlin', '2026-10-25T03:00', '2026-10-25T03:00+01:00'],
    ['a midnight that never comes', 'America/Sao_Paulo', '2018-11-04T00:00', '2018-11-04T01:00-02:00'],
    ['a midnight after an hour that came twice', 'America/Sao_Paulo', '2018-02-18T00:00', '2018-02-18T00:00-03:00'],
    ['a midnight that comes twice: the first', 'America/Havana', '2026-11-01T00:00', '2026-11-01T00:00-04:00'],
    ['half an hour that never comes', 'Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-04T02:30+11:00'],
    ['half an hour that comes twice', 'Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-05T01:45+11:00'],
    ['a quarter of an hour of offset', 'Asia/Kathmandu', '2026-05-01T00:00', '2026-05-01T00:00+05:45'],
    ['a day that never comes: the next one', 'Pacific/Apia', '2011-12-30T12:00', '2011-12-31T00:00+14:00'],
    ['seconds and milliseconds', 'Asia/Kolkata', '2026-05-01T10:11:12.345', '2026-05-01T10:11:12.345+05:30'],
  ])('finds %s (%s %s)', (_what, name, local, instant) => {
    expect(new Date(instantOf(wall(local), zone(name))).toISOString()).toBe(new Date(instant).toISOString());
  });

  it('returns the first instant at which the clock shows the time or later, in every zone at every time', () => {
    const moments = fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2037, 0, 1) });
    fc.assert(
      fc.property(fc.constantFrom(...TIME_ZONES), moments, (name, time) => {
        const instant = instantOf(time, zone(name));
        expect(wallTimeAt(instant, zone(name))).toBeGreaterThanOrEqual(time);
        expect(wallTimeAt(instant - 1, zone(name))).toBeLessThan(time);
      }),
      { numRuns: 500 },
    );
  });
});

describe('isLocalMidnight', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T00:00+01:00', true],
    ['Europe/Berlin', '2026-03-29T00:00Z', false],
    ['America/Sao_Paulo', '2018-11-04T01:00-02:00', true],
    ['America/Havana', '2026-11-01T00:00-04:00', true],
    ['America/Havana', '2026-11-01T00:00-05:00', false],
    ['Pacific/Apia', '2011-12-31T00:00+14:00', true],
  ])('says whether a local day begins in %s at %s: %s', (name, instant, expected) => {
    expect(isLocalMidnight(Date.parse(instant), zone(name))).toBe(expected);
  });

  it('uses the midnight at the start of the day', () => {
    expect(midnightOf(wall('2026-03-29T23:59:59.999'))).toBe(wall('2026-03-29T00:00'));
    expect(midnightOf(wall('2026-03-29T00:00'))).toBe(wall('2026-03-29T00:00'));
  });
});
