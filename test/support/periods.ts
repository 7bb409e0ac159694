import { expect } from '@jest/globals';
import { type IANAZone } from 'luxon';
import { zoneOf } from '../../src/lib/time/local-time.js';
import { type Interval } from '../../src/analytics/stats/rollups/sales.types.js';
import {
  comparePeriods,
  type NamedComparison,
  type NamedPeriod,
} from '../../src/analytics/stats/reports/stats-periods.js';

/** @throws Error for a name that is no time zone */
export function zone(name: string): IANAZone {
  const found = zoneOf(name);
  if (found === null) throw new Error(`no zone ${name}`);
  return found;
}

export const between = (from: string, to: string): Interval => ({ from: new Date(from), to: new Date(to) });

/** A named period at a moment, and the two intervals that it must give. */
export type PeriodCase = [
  period: NamedPeriod,
  comparison: NamedComparison,
  now: string,
  from: string,
  to: string,
  earlierFrom: string,
  earlierTo: string,
];

/** Compares what a named period gives in a time zone with what it must give. */
export function checkPeriod(
  name: string,
  [period, comparison, now, from, to, earlierFrom, earlierTo]: PeriodCase,
): void {
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
