import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkPeriod, type PeriodCase, zone } from '../../../../test/support/periods.js';
import { TIME_ZONES } from '../../../../test/support/time-zones.js';
import { comparePeriods, type NamedComparison, type NamedPeriod } from './stats-periods.js';

const NAMED: readonly NamedPeriod[] = ['today', 'yesterday', '7d', '30d', '90d', 'week', 'month', 'quarter', 'year'];

describe('comparePeriods, on days on which the clocks change', () => {
  it.each<[string, string, PeriodCase]>([
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
  ])('computes the periods in %s: %s', (name, _what, row) => {
    checkPeriod(name, row);
  });
});

describe('comparePeriods, with offsets that are not full hours', () => {
  it.each<[string, PeriodCase]>([
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
  ])('computes the periods in %s', (name, row) => {
    checkPeriod(name, row);
  });
});

describe('comparePeriods, for every named period in every zone at every time', () => {
  const dates = new Map(
    TIME_ZONES.map((name) => [name, new Intl.DateTimeFormat('en-CA', { timeZone: name, dateStyle: 'short' })]),
  );
  const dateIn = (name: string, instant: number): string => dates.get(name)?.format(instant) ?? '';
  const beginsADay = (name: string, { from }: { from: Date }): void => {
    expect(dateIn(name, from.getTime() - 1) < dateIn(name, from.getTime())).toBe(true);
  };
  const choices = fc.record({
    name: fc.constantFrom(...TIME_ZONES),
    period: fc.constantFrom(...NAMED),
    comparison: fc.constantFrom<NamedComparison>('previous_period', 'previous_year'),
    now: fc.date({ min: new Date('2001-02-01'), max: new Date('2036-01-01'), noInvalidDate: true }),
  });

  it('begins and ends periods where local days do, by the dates of Intl', () => {
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

  it('places a period after the one that it is compared with, and limits it to what has passed', () => {
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
