import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type IANAZone } from 'luxon';
import { type Interval } from './sales.types.js';
import { zoneOf } from './local-time.js';
import { comparePeriods, type ComparedPeriods, type NamedComparison, type NamedPeriod } from './stats-periods.js';

const zone = (name: string): IANAZone => {
  const found = zoneOf(name);
  if (found === null) throw new Error(`no zone ${name}`);
  return found;
};
const between = (from: string, to: string): Interval => ({ from: new Date(from), to: new Date(to) });
const NAMED: readonly NamedPeriod[] = ['today', 'yesterday', '7d', '30d', '90d', 'week', 'month', 'quarter', 'year'];

type Case = [
  period: NamedPeriod,
  comparison: NamedComparison,
  now: string,
  from: string,
  to: string,
  earlierFrom: string,
  earlierTo: string,
];

function check(name: string, [period, comparison, now, from, to, earlierFrom, earlierTo]: Case): void {
  const moment = new Date(now);
  const compared = comparePeriods(period, comparison, zone(name), moment);
  const end = new Date(to);
  expect(compared).toEqual({
    period: between(from, to),
    elapsed: { from: new Date(from), to: end <= moment ? end : moment },
    previous: between(earlierFrom, earlierTo),
    complete: end <= moment,
  });
}

describe('named periods in Europe/Berlin', () => {
  const now = '2026-11-18T15:30+01:00'; // a Wednesday
  const cases: Case[] = [
    [
      'today',
      'previous_period',
      now,
      '2026-11-18T00:00+01:00',
      '2026-11-19T00:00+01:00',
      '2026-11-17T00:00+01:00',
      '2026-11-17T15:30+01:00',
    ],
    [
      'yesterday',
      'previous_period',
      now,
      '2026-11-17T00:00+01:00',
      '2026-11-18T00:00+01:00',
      '2026-11-16T00:00+01:00',
      '2026-11-17T00:00+01:00',
    ],
    [
      '7d',
      'previous_period',
      now,
      '2026-11-12T00:00+01:00',
      '2026-11-19T00:00+01:00',
      '2026-11-05T00:00+01:00',
      '2026-11-11T15:30+01:00',
    ],
    [
      '30d',
      'previous_period',
      now,
      '2026-10-20T00:00+02:00',
      '2026-11-19T00:00+01:00',
      '2026-09-20T00:00+02:00',
      '2026-10-19T15:30+02:00',
    ],
    [
      '90d',
      'previous_period',
      now,
      '2026-08-21T00:00+02:00',
      '2026-11-19T00:00+01:00',
      '2026-05-23T00:00+02:00',
      '2026-08-20T15:30+02:00',
    ],
    [
      'week',
      'previous_period',
      now,
      '2026-11-16T00:00+01:00',
      '2026-11-23T00:00+01:00',
      '2026-11-09T00:00+01:00',
      '2026-11-11T15:30+01:00',
    ],
    [
      'month',
      'previous_period',
      now,
      '2026-11-01T00:00+01:00',
      '2026-12-01T00:00+01:00',
      '2026-10-01T00:00+02:00',
      '2026-10-18T15:30+02:00',
    ],
    [
      'quarter',
      'previous_period',
      now,
      '2026-10-01T00:00+02:00',
      '2027-01-01T00:00+01:00',
      '2026-07-01T00:00+02:00',
      '2026-08-18T15:30+02:00',
    ],
    [
      'year',
      'previous_period',
      now,
      '2026-01-01T00:00+01:00',
      '2027-01-01T00:00+01:00',
      '2025-01-01T00:00+01:00',
      '2025-11-18T15:30+01:00',
    ],
    [
      'today',
      'previous_year',
      now,
      '2026-11-18T00:00+01:00',
      '2026-11-19T00:00+01:00',
      '2025-11-18T00:00+01:00',
      '2025-11-18T15:30+01:00',
    ],
    [
      'yesterday',
      'previous_year',
      now,
      '2026-11-17T00:00+01:00',
      '2026-11-18T00:00+01:00',
      '2025-11-17T00:00+01:00',
      '2025-11-18T00:00+01:00',
    ],
    [
      '30d',
      'previous_year',
      now,
      '2026-10-20T00:00+02:00',
      '2026-11-19T00:00+01:00',
      '2025-10-20T00:00+02:00',
      '2025-11-18T15:30+01:00',
    ],
    [
      'week',
      'previous_year',
      now,
      '2026-11-16T00:00+01:00',
      '2026-11-23T00:00+01:00',
      '2025-11-17T00:00+01:00',
      '2025-11-19T15:30+01:00',
    ],
    [
      'month',
      'previous_year',
      now,
      '2026-11-01T00:00+01:00',
      '2026-12-01T00:00+01:00',
      '2025-11-01T00:00+01:00',
      '2025-11-18T15:30+01:00',
    ],
    [
      'quarter',
      'previous_year',
      now,
      '2026-10-01T00:00+02:00',
      '2027-01-01T00:00+01:00',
      '2025-10-01T00:00+02:00',
      '2025-11-18T15:30+01:00',
    ],
    [
      'year',
      'previous_year',
      now,
      '2026-01-01T00:00+01:00',
      '2027-01-01T00:00+01:00',
      '2025-01-01T00:00+01:00',
      '2025-11-18T15:30+01:00',
    ],
  ];

  it.each(cases)('%s against %s', (...row) => {
    check('Europe/Berlin', row);
  });
});

describe('days on which the clocks change', () => {
  it.each<[string, string, Case]>([
    [
      'Europe/Berlin',
      'a day of 23 hours',
      [
        'today',
        'previous_period',
        '2026-03-29T15:00+02:00',
        '2026-03-29T00:00+01:00',
        '2026-03-30T00:00+02:00',
        '2026-03-28T00:00+01:00',
        '2026-03-28T15:00+01:00',
      ],
    ],
    [
      'Europe/Berlin',
      'a day of 25 hours',
      [
        'today',
        'previous_period',
        '2026-10-25T15:00+01:00',
        '2026-10-25T00:00+02:00',
        '2026-10-26T00:00+01:00',
        '2026-10-24T00:00+02:00',
        '2026-10-24T15:00+02:00',
      ],
    ],
    [
      'Europe/Berlin',
      'the day after 25 hours',
      [
        'today',
        'previous_period',
        '2026-10-26T15:00+01:00',
        '2026-10-26T00:00+01:00',
        '2026-10-27T00:00+01:00',
        '2026-10-25T00:00+02:00',
        '2026-10-25T15:00+01:00',
      ],
    ],
    [
      'Europe/Berlin',
      'a time of day that the day before did not have',
      [
        'today',
        'previous_period',
        '2026-03-30T02:30+02:00',
        '2026-03-30T00:00+02:00',
        '2026-03-31T00:00+02:00',
        '2026-03-29T00:00+01:00',
        '2026-03-29T03:00+02:00',
      ],
    ],
    [
      'America/New_York',
      'a full day of 25 hours',
      [
        'yesterday',
        'previous_period',
        '2026-11-02T09:00-05:00',
        '2026-11-01T00:00-04:00',
        '2026-11-02T00:00-05:00',
        '2026-10-31T00:00-04:00',
        '2026-11-01T00:00-04:00',
      ],
    ],
    [
      'America/New_York',
      'a full day of 23 hours',
      [
        'yesterday',
        'previous_period',
        '2026-03-09T09:00-04:00',
        '2026-03-08T00:00-05:00',
        '2026-03-09T00:00-04:00',
        '2026-03-07T00:00-05:00',
        '2026-03-08T00:00-05:00',
      ],
    ],
    [
      'America/New_York',
      'a week in which summer begins',
      [
        'week',
        'previous_period',
        '2026-03-08T23:30-04:00',
        '2026-03-02T00:00-05:00',
        '2026-03-09T00:00-04:00',
        '2026-02-23T00:00-05:00',
        '2026-03-01T23:30-05:00',
      ],
    ],
    [
      'Australia/Lord_Howe',
      'half an hour back',
      [
        '7d',
        'previous_period',
        '2026-04-06T09:00+10:30',
        '2026-03-31T00:00+11:00',
        '2026-04-07T00:00+10:30',
        '2026-03-24T00:00+11:00',
        '2026-03-30T09:00+11:00',
      ],
    ],
    [
      'Australia/Lord_Howe',
      'half an hour forward',
      [
        'today',
        'previous_period',
        '2026-10-04T12:00+11:00',
        '2026-10-04T00:00+10:30',
        '2026-10-05T00:00+11:00',
        '2026-10-03T00:00+10:30',
        '2026-10-03T12:00+10:30',
      ],
    ],
    [
      'America/Sao_Paulo',
      'a day without a midnight',
      [
        'today',
        'previous_period',
        '2018-11-04T12:00-02:00',
        '2018-11-04T01:00-02:00',
        '2018-11-05T00:00-02:00',
        '2018-11-03T00:00-03:00',
        '2018-11-03T12:00-03:00',
      ],
    ],
    [
      'America/Sao_Paulo',
      'a day with one without a midnight',
      [
        'today',
        'previous_period',
        '2018-11-05T12:00-02:00',
        '2018-11-05T00:00-02:00',
        '2018-11-06T00:00-02:00',
        '2018-11-04T01:00-02:00',
        '2018-11-04T12:00-02:00',
      ],
    ],
    [
      'America/Sao_Paulo',
      'a day whose last hour came twice',
      [
        'yesterday',
        'previous_period',
        '2018-02-18T12:00-03:00',
        '2018-02-17T00:00-02:00',
        '2018-02-18T00:00-03:00',
        '2018-02-16T00:00-02:00',
        '2018-02-17T00:00-02:00',
      ],
    ],
    [
      'America/Havana',
      'a day with two midnights',
      [
        'today',
        'previous_period',
        '2026-11-01T12:00-05:00',
        '2026-11-01T00:00-04:00',
        '2026-11-02T00:00-05:00',
        '2026-10-31T00:00-04:00',
        '2026-10-31T12:00-04:00',
      ],
    ],
    [
      'Pacific/Apia',
      'a day that was left out',
      [
        '7d',
        'previous_period',
        '2012-01-02T12:00+14:00',
        '2011-12-27T00:00-10:00',
        '2012-01-03T00:00+14:00',
        '2011-12-20T00:00-10:00',
        '2011-12-26T12:00-10:00',
      ],
    ],
    [
      'Pacific/Apia',
      'the end of summer',
      [
        'today',
        'previous_period',
        '2021-04-04T12:00+13:00',
        '2021-04-04T00:00+14:00',
        '2021-04-05T00:00+13:00',
        '2021-04-03T00:00+14:00',
        '2021-04-03T12:00+14:00',
      ],
    ],
  ])('%s: %s', (name, _what, row) => {
    check(name, row);
  });
});

describe('offsets that are not full hours', () => {
  it.each<[string, Case]>([
    [
      'Asia/Kolkata',
      [
        'today',
        'previous_period',
        '2026-06-10T00:10+05:30',
        '2026-06-10T00:00+05:30',
        '2026-06-11T00:00+05:30',
        '2026-06-09T00:00+05:30',
        '2026-06-09T00:10+05:30',
      ],
    ],
    [
      'Asia/Kathmandu',
      [
        'quarter',
        'previous_period',
        '2026-05-15T10:00+05:45',
        '2026-04-01T00:00+05:45',
        '2026-07-01T00:00+05:45',
        '2026-01-01T00:00+05:45',
        '2026-02-14T10:00+05:45',
      ],
    ],
  ])('%s', (name, row) => {
    check(name, row);
  });
});

describe('months and years of different lengths', () => {
  it.each<[string, Case]>([
    [
      'the 31st of March has no counterpart: all of February',
      [
        'month',
        'previous_period',
        '2026-03-31T12:00Z',
        '2026-03-01T00:00Z',
        '2026-04-01T00:00Z',
        '2026-02-01T00:00Z',
        '2026-03-01T00:00Z',
      ],
    ],
    [
      'the 28th of February with January, only to the same day',
      [
        'month',
        'previous_period',
        '2026-02-28T12:00Z',
        '2026-02-01T00:00Z',
        '2026-03-01T00:00Z',
        '2026-01-01T00:00Z',
        '2026-01-28T12:00Z',
      ],
    ],
    [
      'a leap day with a year without one',
      [
        'today',
        'previous_year',
        '2028-02-29T12:00Z',
        '2028-02-29T00:00Z',
        '2028-03-01T00:00Z',
        '2027-02-28T00:00Z',
        '2027-02-28T12:00Z',
      ],
    ],
    [
      'one day stays one day before a leap day',
      [
        'yesterday',
        'previous_year',
        '2025-03-01T12:00Z',
        '2025-02-28T00:00Z',
        '2025-03-01T00:00Z',
        '2024-02-28T00:00Z',
        '2024-02-29T00:00Z',
      ],
    ],
    [
      'the February of a leap year with the one before',
      [
        'month',
        'previous_year',
        '2028-02-29T12:00Z',
        '2028-02-01T00:00Z',
        '2028-03-01T00:00Z',
        '2027-02-01T00:00Z',
        '2027-03-01T00:00Z',
      ],
    ],
    [
      'a year after a leap year: the same day of the year',
      [
        'year',
        'previous_period',
        '2029-12-31T12:00Z',
        '2029-01-01T00:00Z',
        '2030-01-01T00:00Z',
        '2028-01-01T00:00Z',
        '2028-12-30T12:00Z',
      ],
    ],
    [
      'January with the December before',
      [
        'month',
        'previous_period',
        '2027-01-10T06:00Z',
        '2027-01-01T00:00Z',
        '2027-02-01T00:00Z',
        '2026-12-01T00:00Z',
        '2026-12-10T06:00Z',
      ],
    ],
    [
      'the first week of a year that begins on a Friday',
      [
        'week',
        'previous_period',
        '2027-01-01T12:00Z',
        '2026-12-28T00:00Z',
        '2027-01-04T00:00Z',
        '2026-12-21T00:00Z',
        '2026-12-25T12:00Z',
      ],
    ],
    [
      'a Sunday is the last day of its week',
      [
        'week',
        'previous_period',
        '2026-11-22T23:59Z',
        '2026-11-16T00:00Z',
        '2026-11-23T00:00Z',
        '2026-11-09T00:00Z',
        '2026-11-15T23:59Z',
      ],
    ],
    [
      'a Monday is the first',
      [
        'week',
        'previous_period',
        '2026-11-23T00:00Z',
        '2026-11-23T00:00Z',
        '2026-11-30T00:00Z',
        '2026-11-16T00:00Z',
        '2026-11-16T00:00Z',
      ],
    ],
  ])('%s', (_what, row) => {
    check('UTC', row);
  });
});

describe('custom periods', () => {
  const now = new Date('2026-11-18T15:30+01:00');
  const compare = (from: string, to: string, comparison: NamedComparison | Interval): ComparedPeriods =>
    comparePeriods(between(from, to), comparison, zone('Europe/Berlin'), now);

  it('of whole local days are compared with the same number of local days, also when the clocks change', () => {
    const march = compare('2026-03-01T00:00+01:00', '2026-04-01T00:00+02:00', 'previous_period');
    expect(march.previous).toEqual(between('2026-01-29T00:00+01:00', '2026-03-01T00:00+01:00'));
    expect(march.complete).toBe(true);
    expect(march.elapsed).toEqual(march.period);
    const april = compare('2026-04-01T00:00+02:00', '2026-04-08T00:00+02:00', 'previous_period');
    expect(april.previous).toEqual(between('2026-03-25T00:00+01:00', '2026-04-01T00:00+02:00'));
  });

  it.each([
    [
      'a stretch of days',
      '2026-03-28T00:00+01:00',
      '2026-04-02T00:00+02:00',
      '2025-03-28T00:00+01:00',
      '2025-04-02T00:00+02:00',
    ],
    [
      'a whole leap year',
      '2024-01-01T00:00+01:00',
      '2025-01-01T00:00+01:00',
      '2023-01-01T00:00+01:00',
      '2024-01-01T00:00+01:00',
    ],
    [
      'a leap day',
      '2024-02-29T00:00+01:00',
      '2024-03-01T00:00+01:00',
      '2023-02-28T00:00+01:00',
      '2023-03-01T00:00+01:00',
    ],
    [
      'a leap February',
      '2024-02-01T00:00+01:00',
      '2024-03-01T00:00+01:00',
      '2023-02-01T00:00+01:00',
      '2023-03-01T00:00+01:00',
    ],
    [
      'the 28th of February',
      '2025-02-28T00:00+01:00',
      '2025-03-01T00:00+01:00',
      '2024-02-28T00:00+01:00',
      '2024-02-29T00:00+01:00',
    ],
  ])(
    'of whole local days are compared with the same dates of the year before: %s',
    (_what, from, to, earlierFrom, earlierTo) => {
      expect(compare(from, to, 'previous_year').previous).toEqual(between(earlierFrom, earlierTo));
    },
  );

  it('that begin or end within a day are compared with the same number of hours', () => {
    const hours = compare('2026-03-29T01:00+01:00', '2026-03-29T05:00+02:00', 'previous_period');
    expect(hours.previous).toEqual(between('2026-03-28T22:00+01:00', '2026-03-29T01:00+01:00'));
    const yearAgo = compare('2026-03-29T01:00+01:00', '2026-03-29T05:00+02:00', 'previous_year');
    expect(yearAgo.previous).toEqual(between('2025-03-29T01:00+01:00', '2025-03-29T04:00+01:00'));
  });

  it('that still run are compared up to the same point', () => {
    const days = compare('2026-11-16T00:00+01:00', '2026-11-26T00:00+01:00', 'previous_period');
    expect(days).toEqual({
      period: between('2026-11-16T00:00+01:00', '2026-11-26T00:00+01:00'),
      elapsed: { from: new Date('2026-11-16T00:00+01:00'), to: now },
      previous: between('2026-11-06T00:00+01:00', '2026-11-08T15:30+01:00'),
      complete: false,
    });
    const hours = compare('2026-11-18T12:00+01:00', '2026-11-18T18:00+01:00', 'previous_period');
    expect(hours.previous).toEqual(between('2026-11-18T06:00+01:00', '2026-11-18T09:30+01:00'));
  });

  it('with a custom one are compared with all of it when they are over, else with the same elapsed part', () => {
    const earlier = between('2025-10-24T00:00+02:00', '2025-11-01T00:00+01:00');
    expect(compare('2026-10-23T00:00+02:00', '2026-10-30T00:00+01:00', earlier).previous).toEqual(earlier);
    expect(compare('2026-11-16T00:00+01:00', '2026-11-26T00:00+01:00', earlier).previous).toEqual(
      between('2025-10-24T00:00+02:00', '2025-10-26T15:30+01:00'),
    );
    const short = between('2025-10-24T00:00+02:00', '2025-10-25T00:00+02:00');
    expect(compare('2026-11-16T00:00+01:00', '2026-11-26T00:00+01:00', short).previous).toEqual(short);
  });
});

describe('every named period in every zone at every time', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Sao_Paulo',
    'America/Havana',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Chatham',
  ];
  const dates = new Map(
    zones.map((name) => [name, new Intl.DateTimeFormat('en-CA', { timeZone: name, dateStyle: 'short' })]),
  );
  const dateIn = (name: string, instant: number): string => dates.get(name)?.format(instant) ?? '';
  const beginsADay = (name: string, { from }: { from: Date }): void => {
    expect(dateIn(name, from.getTime() - 1) < dateIn(name, from.getTime())).toBe(true);
  };
  const choices = fc.record({
    name: fc.constantFrom(...zones),
    period: fc.constantFrom(...NAMED),
    comparison: fc.constantFrom<NamedComparison>('previous_period', 'previous_year'),
    now: fc.date({ min: new Date('2001-02-01'), max: new Date('2036-01-01'), noInvalidDate: true }),
  });

  it('begins and ends where local days do, by the dates of Intl', () => {
    fc.assert(
      fc.property(choices, ({ name, period, comparison, now }) => {
        const compared = comparePeriods(period, comparison, zone(name), now);
        beginsADay(name, compared.period);
        beginsADay(name, { from: compared.period.to });
        beginsADay(name, compared.previous);
      }),
      { numRuns: 500 },
    );
  });

  it('comes after what it is compared with, and counts only what has passed', () => {
    fc.assert(
      fc.property(choices, ({ name, period, comparison, now }) => {
        const { elapsed, previous, ...rest } = comparePeriods(period, comparison, zone(name), now);
        expect(previous.from.getTime()).toBeLessThanOrEqual(previous.to.getTime());
        expect(previous.to.getTime()).toBeLessThanOrEqual(rest.period.from.getTime());
        expect(elapsed.from).toEqual(rest.period.from);
        expect(elapsed.to.getTime()).toBe(Math.min(now.getTime(), rest.period.to.getTime()));
        expect(rest.complete).toBe(rest.period.to <= now);
      }),
      { numRuns: 500 },
    );
  });
});
