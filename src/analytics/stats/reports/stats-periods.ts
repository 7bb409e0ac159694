import { DateTime, type IANAZone } from 'luxon';
import { DAY_MS } from '../../../lib/time/durations.js';
import { instantOf, isLocalMidnight, midnightOf, type WallTime, wallTimeAt } from '../../../lib/time/local-time.js';
import { type Interval } from '../rollups/sales.types.js';

export const PERIODS = [
  'today',
  'yesterday',
  '7d',
  '30d',
  '90d',
  'week',
  'month',
  'quarter',
  'year',
  'custom',
] as const;
export type Period = (typeof PERIODS)[number];

export const COMPARISONS = ['previous_period', 'previous_year', 'custom'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type NamedPeriod = Exclude<Period, 'custom'>;
export type NamedComparison = Exclude<Comparison, 'custom'>;

/** A period and the one that it is compared with. */
export interface ComparedPeriods {
  /** The whole period. A running one ends in the future. */
  readonly period: Interval;
  /** The part of it that has passed. Only this part is counted. */
  readonly elapsed: Interval;
  /** What it is compared with. For a running period, this is only the same elapsed part of the earlier one. */
  readonly previous: Interval;
  /** Whether the period is over. */
  readonly complete: boolean;
}

type CalendarUnit = 'week' | 'month' | 'quarter' | 'year';

/** An interval of whole local days in wall time, and how it was chosen: a calendar unit, a number of days, or dates. */
interface LocalDays {
  readonly from: WallTime;
  readonly to: WallTime;
  readonly meant: CalendarUnit | 'days' | 'dates';
}

/** Calendar arithmetic on wall time, which has no daylight saving. UTC is only the notation. */
const calendar = (wall: WallTime): DateTime => DateTime.fromMillis(wall, { zone: 'utc' });

const earlier = (wall: WallTime, by: Partial<Record<CalendarUnit, number>>): WallTime =>
  calendar(wall).minus(by).toMillis();

/** A number of days that ends with the day `last`. */
const daysUntil = (last: WallTime, count: number): LocalDays => ({
  from: last - (count - 1) * DAY_MS,
  to: last + DAY_MS,
  meant: 'days',
});

function calendarUnit(unit: CalendarUnit, today: WallTime): LocalDays {
  // luxon's weeks are those of ISO 8601: they begin on Monday.
  const from = calendar(today).startOf(unit);
  return { from: from.toMillis(), to: from.plus({ [unit]: 1 }).toMillis(), meant: unit };
}

function namedPeriod(name: NamedPeriod, today: WallTime): LocalDays {
  switch (name) {
    case 'today':
      return daysUntil(today, 1);
    case 'yesterday':
      return daysUntil(today - DAY_MS, 1);
    case '7d':
      return daysUntil(today, 7);
    case '30d':
      return daysUntil(today, 30);
    case '90d':
      return daysUntil(today, 90);
    case 'week':
    case 'month':
    case 'quarter':
    case 'year':
      return calendarUnit(name, today);
  }
}

/**
 * The earlier days to compare with. A calendar unit is compared with a calendar unit (March with February, or with March of
 * the year before), a number of days with the same number of days, dates with the same dates. The week of the year before
 * is the one 52 weeks earlier, so that Mondays are compared with Mondays.
 */
function earlierDays({ from, to, meant }: LocalDays, comparison: NamedComparison): Pick<LocalDays, 'from' | 'to'> {
  const yearAgo = earlier(from, { year: 1 });
  if (comparison === 'previous_period') {
    return {
      from: meant === 'days' || meant === 'dates' ? from - (to - from) : earlier(from, { [meant]: 1 }),
      to: from,
    };
  }
  switch (meant) {
    case 'days':
      return { from: yearAgo, to: yearAgo + (to - from) };
    case 'dates':
      // Moves the last day and not the end: the day after the 28th of February is not the same date in every year.
      return { from: yearAgo, to: earlier(to - DAY_MS, { year: 1 }) + DAY_MS };
    case 'week':
      return { from: earlier(from, { week: 52 }), to: earlier(to, { week: 52 }) };
    case 'month':
    case 'quarter':
    case 'year':
      return { from: yearAgo, to: earlier(to, { year: 1 }) };
  }
}

const interval = (from: number, to: number): Interval => ({ from: new Date(from), to: new Date(to) });

const instantsOf = ({ from, to }: Pick<LocalDays, 'from' | 'to'>, zone: IANAZone): Interval =>
  interval(instantOf(from, zone), instantOf(to, zone));

/** A named period that contains a moment, or ends with its day. */
export function currentPeriod(name: NamedPeriod, zone: IANAZone, now: Date): Interval {
  return instantsOf(namedPeriod(name, midnightOf(wallTimeAt(now.getTime(), zone))), zone);
}

/** The wall time of an instant that is a local midnight, or null for any other instant. */
function localMidnight(instant: Date, zone: IANAZone): WallTime | null {
  const ms = instant.getTime();
  return isLocalMidnight(ms, zone) ? midnightOf(wallTimeAt(ms, zone)) : null;
}

/** The whole local days of an interval, or null when it begins or ends within a day. */
function wholeDays(whole: Interval, zone: IANAZone): LocalDays | null {
  const [from, to] = [localMidnight(whole.from, zone), localMidnight(whole.to, zone)];
  return from === null || to === null ? null : { from, to, meant: 'dates' };
}

/** The earlier interval for one that does not consist of whole local days: of the same length in real hours. */
function earlierHours({ from, to }: Interval, comparison: NamedComparison, zone: IANAZone): Interval {
  const lengthMs = to.getTime() - from.getTime();
  if (comparison === 'previous_period') return interval(from.getTime() - lengthMs, from.getTime());
  const yearAgo = instantOf(earlier(wallTimeAt(from.getTime(), zone), { year: 1 }), zone);
  return interval(yearAgo, yearAgo + lengthMs);
}

/**
 * The part of `previous` that had passed when it was as old as `period` is now. When both begin at a local midnight, it ends
 * on the same day of the period at the same time of day as now. Otherwise it ends after the same number of hours.
 */
function sameElapsedPart(period: Interval, previous: Interval, zone: IANAZone, now: Date): Interval {
  const [day, earlierDay] = [localMidnight(period.from, zone), localMidnight(previous.from, zone)];
  const endMs =
    day === null || earlierDay === null
      ? previous.from.getTime() + (now.getTime() - period.from.getTime())
      : instantOf(earlierDay + (wallTimeAt(now.getTime(), zone) - day), zone);
  return interval(previous.from.getTime(), Math.min(endMs, previous.to.getTime()));
}

/**
 * Computes a period and what it is compared with, in a time zone, at a moment. Named periods begin and end at local
 * midnights: `7d` is today and the six days before it, `week` begins on Monday.
 * @param chosen a name, or an interval that began before `now`
 * @param comparison a name, or an interval
 */
export function comparePeriods(
  chosen: NamedPeriod | Interval,
  comparison: NamedComparison | Interval,
  zone: IANAZone,
  now: Date,
): ComparedPeriods {
  const today = midnightOf(wallTimeAt(now.getTime(), zone));
  const days = typeof chosen === 'string' ? namedPeriod(chosen, today) : wholeDays(chosen, zone);
  const period = typeof chosen === 'string' ? currentPeriod(chosen, zone, now) : chosen;
  let previous: Interval;
  if (typeof comparison !== 'string') previous = comparison;
  else if (days === null) previous = earlierHours(period, comparison, zone);
  else previous = instantsOf(earlierDays(days, comparison), zone);
  if (period.to <= now) return { period, elapsed: period, previous, complete: true };
  return {
    period,
    elapsed: { from: period.from, to: now },
    previous: sameElapsedPart(period, previous, zone, now),
    complete: false,
  };
}
