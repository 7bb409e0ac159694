import { describe, expect, it } from '@jest/globals';
import { between, zone } from '../../../../test/support/periods.js';
import { type Interval } from '../rollups/sales.types.js';
import { type ComparedPeriods, comparePeriods, type NamedComparison } from './stats-periods.js';

describe('comparePeriods, for custom periods', () => {
  const now = new Date('2026-11-18T15:30+01:00');
  const compare = (from: string, to: string, comparison: NamedComparison | Interval): ComparedPeriods =>
    comparePeriods(between(from, to), comparison, zone('Europe/Berlin'), now);

  it('compares whole local days with the same number of local days, also when the clocks change', () => {
    const march = compare('2026-03-01T00:00+01:00', '2026-04-01T00:00+02:00', 'previous_period');
    expect(march.previous).toEqual(between('2026-01-29T00:00+01:00', '2026-03-01T00:00+01:00'));
    expect(march.complete).toBe(true);
    expect(march.elapsed).toEqual(march.period);
    const april = compare('2026-04-01T00:00+02:00', '2026-04-08T00:00+02:00', 'previous_period');
    expect(april.previous).toEqual(between('2026-03-25T00:00+01:00', '2026-04-01T00:00+02:00'));
  });

  it.each([
    [
      'several days',
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
    'compares whole local days with the same dates of the year before: %s',
    (_what, from, to, earlierFrom, earlierTo) => {
      expect(compare(from, to, 'previous_year').previous).toEqual(between(earlierFrom, earlierTo));
    },
  );

  it('compares a period that begins or ends within a day with the same number of hours', () => {
    const hours = compare('2026-03-29T01:00+01:00', '2026-03-29T05:00+02:00', 'previous_period');
    expect(hours.previous).toEqual(between('2026-03-28T22:00+01:00', '2026-03-29T01:00+01:00'));
    const yearAgo = compare('2026-03-29T01:00+01:00', '2026-03-29T05:00+02:00', 'previous_year');
    expect(yearAgo.previous).toEqual(between('2025-03-29T01:00+01:00', '2025-03-29T04:00+01:00'));
  });

  it('compares a running period with the same elapsed part', () => {
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

  it('compares a completed period with all of a custom one, and a running period with the same elapsed part', () => {
    const earlier = between('2025-10-24T00:00+02:00', '2025-11-01T00:00+01:00');
    expect(compare('2026-10-23T00:00+02:00', '2026-10-30T00:00+01:00', earlier).previous).toEqual(earlier);
    expect(compare('2026-11-16T00:00+01:00', '2026-11-26T00:00+01:00', earlier).previous).toEqual(
      between('2025-10-24T00:00+02:00', '2025-10-26T15:30+01:00'),
    );
    const short = between('2025-10-24T00:00+02:00', '2025-10-25T00:00+02:00');
    expect(compare('2026-11-16T00:00+01:00', '2026-11-26T00:00+01:00', short).previous).toEqual(short);
  });
});
