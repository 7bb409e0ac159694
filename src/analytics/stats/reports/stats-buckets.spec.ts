import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type IANAZone } from 'luxon';
import { TIME_ZONES } from '../../../../test/support/time-zones.js';
import { HOUR_MS, MINUTE_MS } from '../../../lib/time/durations.js';
import { zoneOf } from '../../../lib/time/local-time.js';
import { type Interval } from '../rollups/sales.types.js';
import { bucketsOf, type BucketUnit } from './stats-buckets.js';

const zone = (name: string): IANAZone => {
  const found = zoneOf(name);
  if (found === null) throw new Error(`no zone ${name}`);
  return found;
};
const between = (from: string, to: string): Interval => ({ from: new Date(from), to: new Date(to) });
const hoursOf = ({ from, to }: Interval): number => (to.getTime() - from.getTime()) / HOUR_MS;
const startsOf = (buckets: readonly Interval[]): string[] => buckets.map(({ from }) => from.toISOString());

describe('bucketsOf', () => {
  it.each([
    ['a day of 23 hours', 'Europe/Berlin', '2026-03-28T00:00+01:00', '2026-03-31T00:00+02:00', [24, 23, 24]],
    ['a day of 25 hours', 'Europe/Berlin', '2026-10-24T00:00+02:00', '2026-10-27T00:00+01:00', [24, 25, 24]],
    ['New York, forward', 'America/New_York', '2026-03-07T00:00-05:00', '2026-03-10T00:00-04:00', [24, 23, 24]],
    ['New York, back', 'America/New_York', '2026-10-31T00:00-04:00', '2026-11-03T00:00-05:00', [24, 25, 24]],
    ['half an hour less', 'Australia/Lord_Howe', '2026-10-03T00:00+10:30', '2026-10-06T00:00+11:00', [24, 23.5, 24]],
    ['half an hour more', 'Australia/Lord_Howe', '2026-04-04T00:00+11:00', '2026-04-07T00:00+10:30', [24, 24.5, 24]],
    ['no midnight', 'America/Sao_Paulo', '2018-11-03T00:00-03:00', '2018-11-06T00:00-02:00', [24, 23, 24]],
    ['a last hour twice', 'America/Sao_Paulo', '2018-02-16T00:00-02:00', '2018-02-19T00:00-03:00', [24, 25, 24]],
    ['two midnights', 'America/Havana', '2026-10-31T00:00-04:00', '2026-11-03T00:00-05:00', [24, 25, 24]],
    ['a day that was left out', 'Pacific/Apia', '2011-12-29T00:00-10:00', '2012-01-01T00:00+14:00', [24, 24]],
    ['an interval within days', 'Asia/Kathmandu', '2026-05-01T18:00+05:45', '2026-05-03T06:00+05:45', [6, 24, 6]],
  ])('cuts days at local midnights: %s', (_what, name, from, to, lengths) => {
    expect(bucketsOf(between(from, to), 'day', zone(name)).map(hoursOf)).toEqual(lengths);
  });

  it('cuts weeks on Mondays', () => {
    const month = between('2026-03-01T00:00+01:00', '2026-04-01T00:00+02:00'); // from a Sunday to a Tuesday
    expect(startsOf(bucketsOf(month, 'week', zone('Europe/Berlin')))).toEqual(
      [
        '2026-03-01T00:00+01:00',
        '2026-03-02T00:00+01:00',
        '2026-03-09T00:00+01:00',
        '2026-03-16T00:00+01:00',
        '2026-03-23T00:00+01:00',
        '2026-03-30T00:00+02:00',
      ].map((text) => new Date(text).toISOString()),
    );
  });

  it('cuts months on their first day, also the February of a leap year', () => {
    const winter = between('2028-01-31T00:00Z', '2028-04-15T00:00Z');
    expect(bucketsOf(winter, 'month', zone('UTC')).map((bucket) => hoursOf(bucket) / 24)).toEqual([1, 29, 31, 14]);
  });

  it('cuts a day into the hours that it has: 23, 24 or 25', () => {
    const day = (from: string, to: string): number[] =>
      bucketsOf(between(from, to), 'hour', zone('Europe/Berlin')).map(hoursOf);
    expect(day('2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00')).toEqual(Array<number>(23).fill(1));
    expect(day('2026-03-28T00:00+01:00', '2026-03-29T00:00+01:00')).toEqual(Array<number>(24).fill(1));
    expect(day('2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00')).toEqual(Array<number>(25).fill(1));
  });

  it('begins hours at full local hours, also with an offset of half an hour; a change of half an hour makes one hour longer', () => {
    const kolkata = bucketsOf(
      between('2026-05-01T00:00+05:30', '2026-05-01T03:00+05:30'),
      'hour',
      zone('Asia/Kolkata'),
    );
    expect(startsOf(kolkata)).toEqual([
      '2026-04-30T18:30:00.000Z',
      '2026-04-30T19:30:00.000Z',
      '2026-04-30T20:30:00.000Z',
    ]);
    const lordHowe = bucketsOf(
      between('2026-10-04T00:00+10:30', '2026-10-04T05:00+11:00'),
      'hour',
      zone('Australia/Lord_Howe'),
    );
    expect(lordHowe.map(hoursOf)).toEqual([1, 1.5, 1, 1]);
  });

  it('clips the first and the last bucket to the interval', () => {
    const part = between('2026-05-01T10:20:30.400Z', '2026-05-01T12:00:00.001Z');
    expect(bucketsOf(part, 'hour', zone('UTC'))).toEqual([
      between('2026-05-01T10:20:30.400Z', '2026-05-01T11:00:00.000Z'),
      between('2026-05-01T11:00:00.000Z', '2026-05-01T12:00:00.000Z'),
      between('2026-05-01T12:00:00.000Z', '2026-05-01T12:00:00.001Z'),
    ]);
    expect(bucketsOf(part, 'month', zone('UTC'))).toEqual([part]);
  });

  it('makes no bucket of an empty interval', () => {
    expect(bucketsOf(between('2026-05-01T00:00Z', '2026-05-01T00:00Z'), 'day', zone('UTC'))).toEqual([]);
  });
});

const intervals = (maxDays: number): fc.Arbitrary<Interval> =>
  fc
    .tuple(
      fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2035, 0, 1) }),
      fc.integer({ min: 1, max: maxDays * 24 * HOUR_MS }),
    )
    .map(([from, length]) => ({ from: new Date(from), to: new Date(from + length) }));

describe('bucketsOf, for any interval in any zone', () => {
  const shown = new Map(
    TIME_ZONES.map((name) => [
      name,
      new Intl.DateTimeFormat('en-GB', { timeZone: name, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' }),
    ]),
  );
  const clock = (name: string, at: Date | number): [date: string, time: string] => {
    const [date = '', time = ''] = shown.get(name)?.format(at).split(', ') ?? [];
    return [date, time];
  };

  it.each<[BucketUnit, number]>([
    ['hour', 10],
    ['day', 100],
    ['week', 366],
    ['month', 366],
  ])('covers the interval by %s without gaps or overlaps, from full local hours or midnights', (unit, maxDays) => {
    fc.assert(
      fc.property(fc.constantFrom(...TIME_ZONES), intervals(maxDays), (name, interval) => {
        const buckets = bucketsOf(interval, unit, zone(name));
        expect(buckets[0]?.from).toEqual(interval.from);
        expect(buckets.at(-1)?.to).toEqual(interval.to);
        buckets.slice(1).forEach(({ from }, index) => {
          expect(from).toEqual(buckets[index]?.to);
          // So every bucket consists of cells of rollups, but for the ends of the interval.
          expect(from.getTime() % (15 * MINUTE_MS)).toBe(0);
          const [date, time] = clock(name, from);
          if (unit === 'hour') expect(time).toMatch(/:00:00$/);
          else expect(clock(name, from.getTime() - 1)[0]).not.toBe(date);
        });
        for (const { from, to } of buckets) expect(from.getTime()).toBeLessThan(to.getTime());
      }),
      { numRuns: 60 },
    );
  });
});
