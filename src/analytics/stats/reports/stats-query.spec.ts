import { describe, expect, it } from '@jest/globals';
import { type IANAZone } from 'luxon';
import { zoneOf } from '../../../lib/time/local-time.js';
import { type Interval } from '../rollups/sales.types.js';
import { type ComparedPeriods } from './stats-periods.js';
import { granularityProblems, instantFrom, type PeriodQuery, readPeriods } from './stats-query.js';

const found = zoneOf('Europe/Berlin');
if (found === null) throw new Error('no zone');
const berlin: IANAZone = found;
const now = new Date('2026-11-18T15:30+01:00');
const between = (from: string, to: string): Interval => ({ from: new Date(from), to: new Date(to) });
const read = (query: Partial<PeriodQuery>): ReturnType<typeof readPeriods> =>
  readPeriods({ period: '30d', compare: 'previous_period', ...query }, berlin, now);

describe('instantFrom', () => {
  it.each([
    ['2026-03-29', '2026-03-29T00:00+01:00'],
    ['2026-03-30', '2026-03-30T00:00+02:00'],
    ['2028-02-29', '2028-02-29T00:00+01:00'],
    ['2026-03-29T12:00Z', '2026-03-29T12:00Z'],
    ['2026-03-29T12:00:30.5+05:45', '2026-03-29T12:00:30.500+05:45'],
    ['2026-03-29T12:00:00 02:00', '2026-03-29T12:00+02:00'],
    ['2026-03-29T12:00:00-03:00', '2026-03-29T12:00-03:00'],
  ])('reads %s as %s', (text, instant) => {
    expect(instantFrom(text, berlin)).toEqual(new Date(instant));
  });

  it.each([
    '2026-02-30',
    '2026-13-01',
    '2026-02-30T00:00Z',
    '2026-03-01T25:00Z',
    '2026-03-01T00:00',
    '2026-3-1',
    '1764547200',
    '',
    'today',
  ])('rejects the instant %j', (text) => {
    expect(instantFrom(text, berlin)).toBeNull();
  });
});

describe('readPeriods', () => {
  it('reads names and custom intervals', () => {
    expect(read({})).toEqual({ chosen: '30d', comparison: 'previous_period' });
    expect(
      read({
        period: 'custom',
        from: '2026-03-01',
        to: '2026-04-01',
        compare: 'custom',
        compareFrom: '2025-03-01',
        compareTo: '2025-04-01',
      }),
    ).toEqual({
      chosen: between('2026-03-01T00:00+01:00', '2026-04-01T00:00+02:00'),
      comparison: between('2025-03-01T00:00+01:00', '2025-04-01T00:00+02:00'),
    });
  });

  it('allows a custom period that ends in the future, and one of a leap year', () => {
    expect(read({ period: 'custom', from: '2026-11-18', to: '2027-11-19' })).toHaveProperty('chosen');
    expect(read({ period: 'custom', from: '2024-01-01', to: '2025-01-01' })).toHaveProperty('chosen');
    expect(read({ period: 'custom', from: '2024-10-27', to: '2025-10-28' })).toHaveProperty('chosen');
  });

  it('allows the first local day of 2000, which begins in 1999 in UTC', () => {
    expect(read({ period: 'custom', from: '2000-01-01', to: '2000-02-01' })).toHaveProperty('chosen');
  });

  const EXAMPLE = ', for example 2026-03-01';
  const moment = 'must be a date such as 2026-03-01 or an instant such as 2026-03-01T12:00:00Z';
  it.each<[string, Partial<PeriodQuery>, string[]]>([
    ['bounds with a named period', { from: '2026-03-01' }, ['from and to are allowed only with period=custom']],
    [
      'bounds with a named comparison',
      { compareTo: '2026-03-01' },
      ['compareFrom and compareTo are allowed only with compare=custom'],
    ],
    [
      'offsets that do not exist',
      { period: 'custom', from: '2026-01-01T00:00-99:99', to: '2026-02-01T00:00+02:60' },
      [`from ${moment}`, `to ${moment}`],
    ],
    ['a custom period without bounds', { period: 'custom' }, [`from is required${EXAMPLE}`, `to is required${EXAMPLE}`]],
    ['a custom period with one bound', { period: 'custom', from: '2026-03-01' }, [`to is required${EXAMPLE}`]],
    ['a custom comparison without bounds', { compare: 'custom' }, [`compareFrom is required${EXAMPLE}`, `compareTo is required${EXAMPLE}`]],
    [
      'dates that do not exist',
      { period: 'custom', from: '2026-02-30', to: '2026-04-31' },
      [`from ${moment}`, `to ${moment}`],
    ],
    ['an empty interval', { period: 'custom', from: '2026-03-01', to: '2026-03-01' }, ['from must be before to']],
    [
      'an interval that ends before it begins',
      { period: 'custom', from: '2026-03-02', to: '2026-03-01' },
      ['from must be before to'],
    ],
    [
      'more than 366 days',
      { period: 'custom', from: '2024-01-01', to: '2025-01-02' },
      ['from and to must be at most 366 days apart'],
    ],
    [
      'a start before 2000',
      { period: 'custom', from: '1999-12-31', to: '2000-03-01' },
      ['from must not be before 2000-01-01'],
    ],
    [
      'a start in the future',
      { period: 'custom', from: '2026-11-19', to: '2026-11-20' },
      ['from must not be in the future'],
    ],
    [
      'an earlier period that is not over',
      { compare: 'custom', compareFrom: '2026-11-01', compareTo: '2026-11-19' },
      ['compareTo must not be in the future'],
    ],
    [
      'several at once',
      { period: 'custom', from: '2026-03-02', to: '2026-03-01', compareFrom: '2026-03-01' },
      ['from must be before to', 'compareFrom and compareTo are allowed only with compare=custom'],
    ],
  ])('rejects a request with %s', (_what, query, problems) => {
    expect(read(query)).toEqual(problems);
  });
});

describe('granularityProblems', () => {
  const periods = (period: Interval, previous: Interval): ComparedPeriods => ({
    period,
    elapsed: period,
    previous,
    complete: true,
  });
  const october = between('2026-10-01T00:00+02:00', '2026-11-01T00:00+01:00');
  const quarter = between('2026-07-01T00:00+02:00', '2026-10-01T00:00+02:00');

  it('allows hours for 31 days, also when they are an hour longer than 31 times 24 hours', () => {
    expect(granularityProblems('hour', periods(october, october))).toEqual([]);
  });

  it('allows no hours for more than 31 days in either period', () => {
    const problems = ['granularity=hour is for periods of at most 31 days'];
    expect(granularityProblems('hour', periods(quarter, october))).toEqual(problems);
    expect(granularityProblems('hour', periods(october, quarter))).toEqual(problems);
  });

  it.each(['none', 'day', 'week', 'month'] as const)('allows %s for every period', (granularity) => {
    expect(granularityProblems(granularity, periods(quarter, quarter))).toEqual([]);
  });
});
